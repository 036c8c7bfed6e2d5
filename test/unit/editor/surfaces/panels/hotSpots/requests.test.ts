import { describe, expect, it } from 'vitest';
import {
  hotSpotsGuards,
  panelName,
  shownBefore,
} from '../../../../../../src/editor/surfaces/panels/hotSpots/requests';

describe('what a hot-spot panel shows', () => {
  it.each([
    { main: '/a/profile.cubex' },
    { main: '/a/profile.cubex', compare: '/b/Profile.CUBEX' },
    { main: '/a/profile.cubex', processes: [2, 4] },
    { main: '/a/profile.cubex', compare: '/b/profile.cubex', processes: [0, 0, 2, 4] },
  ])('is found again after a reload: %j', (shown) => {
    expect(shownBefore({ panel: panelName(shown) })).toEqual(shown);
  });

  it('is all processes, or nothing, where the state is none', () => {
    for (const ranges of ['4,2', '1', '0,0,0,1', '-1,2', '0.5,1', 'x,y', '1,2,', '0,Infinity'])
      expect(shownBefore({ panel: `/a/p.cubex\n\n${ranges}` }), ranges).toEqual({ main: '/a/p.cubex' });
    for (const state of [undefined, {}, { panel: 1 }, { panel: 'a.cubex' }, { panel: '/etc/passwd\n\n0,0' }])
      expect(shownBefore(state)).toBeUndefined();
  });

  it('F15 moves functions to groups of bounded names only', () => {
    const place = { side: 'main', region: 3 };
    for (const asked of [
      { ...place, to: 'chosen', among: ['MPI', '__proto__'] },
      { ...place, to: 'group', group: 'MPI' },
      { ...place, to: 'own' },
    ])
      expect(hotSpotsGuards.regroup({ ...asked, more: 1 })).toEqual(asked);
    for (const asked of [
      place,
      { ...place, to: 'chosen' },
      { ...place, to: 'chosen', among: [5] },
      { ...place, to: 'chosen', among: new Array(2001).fill('x') },
      { ...place, to: 'group', group: 'x'.repeat(401) },
      { ...place, to: 'group', group: {} },
      { side: 'other', region: 3, to: 'own' },
      { side: 'main', region: -1, to: 'own' },
    ])
      expect(hotSpotsGuards.regroup(asked), JSON.stringify(asked).slice(0, 80)).toBeUndefined();
  });

  it('F12 is remembered up to a limit', () => {
    expect(hotSpotsGuards.remember({ state: '{}' })).toEqual({ state: '{}' });
    expect(hotSpotsGuards.remember({ state: 'x'.repeat(200_001) })).toBeUndefined();
    expect(hotSpotsGuards.remember({ state: { tab: 'tree' } })).toBeUndefined();
  });

  it('is chosen by whole numbers only', () => {
    expect(hotSpotsGuards.choose({ processes: [0, 3] })).toEqual({ processes: [0, 3] });
    expect(hotSpotsGuards.choose({ processes: [] })).toEqual({ processes: [] });
    expect(hotSpotsGuards.choose({ processes: ['0'] })).toBeUndefined();
    expect(hotSpotsGuards.choose({ processes: new Array(500_001).fill(0) })).toBeUndefined();
  });

  it('spreads over locations by a screenful of rows', () => {
    const rows = (count: number) => ({ paths: new Uint32Array(count), ends: new Uint32Array(count) });
    const asked = { side: 'main', metric: 1, extent: 'inclusive' };
    const { spreads, rowValues, spreadScores, pathScores } = hotSpotsGuards;
    expect(spreads({ ...asked, rows: rows(256), outliers: true })).toBeDefined();
    expect(rowValues({ ...asked, rows: rows(1) })).toBeDefined();
    expect(spreadScores({ ...asked, rows: rows(100_000), score: 'imbalance' })).toBeDefined();
    expect(pathScores({ ...asked, score: 'largest' })).toEqual({ ...asked, score: 'largest' });
    const refused = [
      spreads({ ...asked, rows: rows(257), outliers: true }),
      spreads({ ...asked, rows: rows(1) }),
      spreads({ ...asked, rows: { paths: [0], ends: [1] }, outliers: true }),
      rowValues({ ...asked, rows: rows(2) }),
      spreadScores({ ...asked, rows: rows(1), score: 'other' }),
      pathScores({ ...asked, extent: 'whole', score: 'largest' }),
      pathScores({ ...asked, metric: -1, score: 'largest' }),
    ];
    for (const answer of refused) expect(answer).toBeUndefined();
  });
});
