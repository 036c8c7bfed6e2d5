import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../../src/core/strategies/budget';
import { chooseIntervals, costWith } from '../../../../src/core/strategies/sampling';

/** A function with this many visits; each costs 1 when timed, and `1 / interval` when one in `interval` is timed; percent. */
function candidate(key: string, visits: number, overheadPercent = 64, least = 0): Candidate {
  return {
    key,
    overheadPercent,
    measured: {
      visits,
      allVisits: visits,
      inclusiveSeconds: 1,
      exclusiveSeconds: 1,
      timesMeasured: 1,
      callers: new Map(),
    },
    sampledPercent: (interval) => Math.max(overheadPercent / interval, least),
  };
}

const nothing = (): ReadonlySet<string> => new Set();
const chosen = (
  hot: readonly Candidate[],
  target: number,
  {
    fixed = 0,
    below = nothing,
    recorded = hot.map(({ key }) => key),
  }: {
    readonly fixed?: number;
    readonly below?: (key: string) => ReadonlySet<string>;
    readonly recorded?: readonly string[];
  } = {},
) => {
  const { intervals, percent } = chooseIntervals(hot, new Set(recorded), below, fixed, target);
  return { intervals: [...intervals], percent };
};
const many = 512 * 16384;

describe('hot spots whose visits are not all timed', () => {
  test('are none while the cost is within the target', () => {
    expect(chosen([candidate('a', many)], 64)).toEqual({ intervals: [], percent: 64 });
    expect(chosen([candidate('a', many)], 66, { fixed: 2 })).toEqual({ intervals: [], percent: 66 });
  });

  test('get the smallest interval that suffices, or the largest', () => {
    expect(chosen([candidate('a', many)], 4)).toEqual({ intervals: [['a', 16]], percent: 4 });
    expect(chosen([candidate('a', many)], 3.9)).toEqual({ intervals: [['a', 32]], percent: 2 });
    expect(chosen([candidate('a', many)], 4, { fixed: 2 })).toEqual({ intervals: [['a', 32]], percent: 4 });
    expect(chosen([candidate('a', many)], 0.1)).toEqual({ intervals: [['a', 512]], percent: 0.125 });
  });

  test('come in the given order, until the others fit', () => {
    const hot = [candidate('a', many), candidate('b', many), candidate('c', many)];
    expect(chosen(hot, 70)).toEqual({
      intervals: [
        ['a', 512],
        ['b', 16],
      ],
      percent: 64.125 + 4,
    });
    expect(chosen(hot, 128.125)).toEqual({ intervals: [['a', 512]], percent: 128.125 });
  });

  test('have at least 16384 timed visits', () => {
    expect(chosen([candidate('a', 64 * 16384)], 0.1)).toEqual({ intervals: [['a', 64]], percent: 1 });
    expect(chosen([candidate('a', 64 * 16384 - 1)], 0.1)).toEqual({ intervals: [['a', 32]], percent: 2 });
    expect(chosen([candidate('a', 16 * 16384 - 1)], 0.1)).toEqual({ intervals: [], percent: 64 });
  });

  test('are those that sampling makes cheaper and that can be sampled', () => {
    expect(chosen([candidate('a', many, 64, 64)], 1)).toEqual({ intervals: [], percent: 64 });
    expect(chosen([candidate('a', many, 64, 63)], 1)).toEqual({ intervals: [['a', 512]], percent: 63 });
    const { sampledPercent, ...timed } = candidate('a', many);
    expect(sampledPercent?.(16)).toBe(4);
    expect(chosen([timed], 1)).toEqual({ intervals: [], percent: 64 });
  });

  test('have nothing below them that is recorded', () => {
    const below = (key: string): ReadonlySet<string> => new Set(key === 'a' ? ['x', 'y', 'b'] : ['z']);
    const hot = [candidate('a', many), candidate('b', many)];
    expect(chosen(hot, 1, { below })).toEqual({ intervals: [['b', 512]], percent: 64.125 });
    expect(chosen(hot, 1, { below, recorded: ['z'] })).toEqual({ intervals: [['a', 512]], percent: 64.125 });
  });

  test('cost what their interval costs', () => {
    const one = candidate('a', many);
    expect(costWith(new Map([['a', 64]]), one)).toBe(1);
    expect(costWith(new Map([['b', 64]]), one)).toBe(64);
  });
});
