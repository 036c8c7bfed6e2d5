import { describe, expect, it } from 'vitest';
import {
  panelName,
  shownBefore,
  timelineGuards as guards,
} from '../../../../../../src/editor/surfaces/panels/timeline/requests';

const window = { id: 'a', firstRow: 0, rowCount: 1024, from: 0, to: 1, pixels: 8192 };

describe('requests of the timeline', () => {
  it('are bounded: rows, pixels, messages, pictures', () => {
    for (const guard of [guards.spans, guards.stack]) {
      expect(guard(window)).toEqual(window);
      for (const wrong of [
        { rowCount: 0 },
        { rowCount: 1025 },
        { pixels: 0 },
        { pixels: 8193 },
        { pixels: 1.5 },
        { firstRow: -1 },
        { firstRow: 2 ** 32 },
        { from: NaN },
        { from: 1 },
        { to: Infinity },
        { id: 7 },
        { id: 'x'.repeat(201) },
      ])
        expect(guard({ ...window, ...wrong })).toBeUndefined();
    }
    expect(guards.messages({ ...window, most: 5000 })).toEqual({ ...window, most: 5000 });
    for (const most of [0, 5001, undefined]) expect(guards.messages({ ...window, most })).toBeUndefined();
    expect(guards.messages({ ...window, most: 1, to: 0 })).toBeUndefined();
    expect(guards.save({ kind: 'png', name: 'x', content: new Uint8Array((32 << 20) + 1) })).toBeUndefined();
    expect(guards.save({ kind: 'exe', name: 'x', content: new Uint8Array(1) })).toBeUndefined();
  });

  it('ask for profiles of all rows of the largest traces', () => {
    const range = { id: 'a', firstRow: 0, rowCount: 100_000, from: 0, to: 1 };
    expect(guards.profile(range)).toEqual(range);
    for (const wrong of [{ rowCount: 0 }, { to: 0 }, { from: -Infinity }])
      expect(guards.profile({ ...range, ...wrong })).toBeUndefined();
  });

  it('name functions by their positions, and no files', () => {
    const find = { id: 'a', function: 3, row: 0, seconds: -1, isBackwards: false };
    expect(guards.find({ ...find, file: '/etc/passwd' })).toEqual(find);
    for (const wrong of [{ function: -1 }, { seconds: NaN }, { isBackwards: 'x' }, { row: 0.5 }])
      expect(guards.find({ ...find, ...wrong })).toBeUndefined();
    expect(guards.openSource({ id: 'a', function: 1, file: '/x' })).toEqual({ id: 'a', function: 1 });
  });
});

describe('a timeline after a reload', () => {
  it('shows the same trace', () => {
    const input = { file: '/run/traces.otf2' };
    expect(shownBefore({ panel: panelName(input) })).toEqual(input);
  });

  it('is not restored from a state that is invalid', () => {
    for (const panel of ['', '{', '[]', '{}', '{"file":"traces.otf2"}', '{"file":7}', undefined])
      expect(shownBefore({ panel })).toBeUndefined();
    expect(shownBefore(undefined)).toBeUndefined();
  });
});
