import { describe, expect, it } from 'vitest';
import {
  comparisonGuards as guards,
  panelName,
  shownBefore,
} from '../../../../../../src/editor/surfaces/panels/comparison/requests';
import { usualFilter } from '../../../../../../src/protocol/comparison';

const settings = { mode: 'chain', metric: 'time', sensitivity: 0.05, isRelative: false, shows: usualFilter };
const of = { id: 'a', settings };

describe('requests of the comparison panel', () => {
  it('are taken as they are, without what they do not name', () => {
    expect(guards.rows({ ...of, first: 0, count: 500, more: 1 })).toEqual({ ...of, first: 0, count: 500 });
    expect(guards.summary({ ...of, view: 3 })).toEqual({ ...of, view: 3 });
    expect(guards.find({ ...of, row: -1, isBackwards: false, text: 'x' })).toEqual({
      ...of,
      ...{ row: -1, isBackwards: false, text: 'x' },
    });
    expect(guards.choose({ parts: [{}, { rank: 0, iterations: [2, 5] }] })).toEqual({
      parts: [{}, { rank: 0, iterations: [2, 5] }],
    });
    expect(guards.save({ ...of, format: 'csv' })).toEqual({ ...of, format: 'csv' });
    expect(guards.overview({ ...of, pixels: 8192 })).toEqual({ ...of, pixels: 8192 });
    expect(guards.act({ action: 'swap' })).toEqual({ action: 'swap' });
  });

  it.each([
    ['more rows than a page', () => guards.rows({ ...of, first: 0, count: 501 })],
    ['a row before the first', () => guards.rows({ ...of, first: -1, count: 5 })],
    ['a search before the start', () => guards.find({ ...of, row: -2, isBackwards: false })],
    ['a search without direction', () => guards.find({ ...of, row: 2 })],
    ['a fifth view', () => guards.summary({ ...of, view: 4 })],
    ['another mode', () => guards.summary({ ...of, settings: { ...settings, mode: 'x' } })],
    [
      'depth 0',
      () => guards.summary({ ...of, settings: { ...settings, shows: { ...usualFilter, depth: 0 } } }),
    ],
    ['no number', () => guards.summary({ ...of, settings: { ...settings, sensitivity: NaN } })],
    ['a negative sensitivity', () => guards.summary({ ...of, settings: { ...settings, sensitivity: -0.1 } })],
    [
      'a share above all',
      () =>
        guards.summary({ ...of, settings: { ...settings, shows: { ...usualFilter, hotSpotShare: 1.1 } } }),
    ],
    ['no pixel', () => guards.overview({ ...of, pixels: 0 })],
    ['too many pixels', () => guards.overview({ ...of, pixels: 8193 })],
    ['iterations backwards', () => guards.choose({ parts: [{ iterations: [5, 2] }] })],
    ['iteration 0', () => guards.choose({ parts: [{ iterations: [0, 2] }] })],
    ['one iteration without an end', () => guards.choose({ parts: [{ iterations: [1] }] })],
    ['five parts', () => guards.choose({ parts: [{}, {}, {}, {}, {}] })],
    ['a file of another kind', () => guards.save({ ...of, format: 'exe' })],
    ['another action', () => guards.act({ action: 'delete' })],
  ])('%s is refused', (_, check) => {
    expect(check()).toBeUndefined();
  });

  it('a panel is restored by the name that its view kept', () => {
    const input = {
      views: [
        { file: '/a/traces.otf2', rank: 1 },
        { file: '/b.mvtrace', iterations: [3, 3] as const },
      ],
    };
    expect(shownBefore({ panel: panelName(input) })).toEqual(input);
    expect(shownBefore(undefined)).toBeUndefined();
    expect(shownBefore({ panel: '{' })).toBeUndefined();
    expect(shownBefore({ panel: JSON.stringify({ views: [{ file: '/a' }] }) })).toBeUndefined();
    expect(
      shownBefore({ panel: JSON.stringify({ views: [{ file: 'a' }, { file: '/b' }] }) }),
    ).toBeUndefined();
  });
});
