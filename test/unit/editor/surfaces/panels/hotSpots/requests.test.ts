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

  it('is chosen by whole numbers only', () => {
    expect(hotSpotsGuards.choose({ processes: [0, 3] })).toEqual({ processes: [0, 3] });
    expect(hotSpotsGuards.choose({ processes: [] })).toEqual({ processes: [] });
    expect(hotSpotsGuards.choose({ processes: ['0'] })).toBeUndefined();
    expect(hotSpotsGuards.choose({ processes: new Array(500_001).fill(0) })).toBeUndefined();
  });
});
