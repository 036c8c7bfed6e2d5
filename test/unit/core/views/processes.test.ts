import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writtenNumbers } from '../../../../src/core/views/writtenNumbers';
import {
  areRanges,
  countIn,
  positionsIn,
  rangesOf,
  sameProcesses,
} from '../../../../src/core/views/ranks/processRanges';

const ranks = (count: number, threads = 1) =>
  Array.from({ length: count * threads }, (_, at) => ({
    rank: Math.floor(at / threads),
    thread: at % threads,
  }));

describe('some of the processes of a run', () => {
  it('are ranges of positions', () => {
    expect(rangesOf([0, 2, 3, 4])).toEqual([0, 0, 2, 4]);
    expect(countIn([0, 0, 2, 4])).toBe(4);
    expect([...positionsIn([0, 0, 2, 4])]).toEqual([0, 2, 3, 4]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1 }), (given) => {
        const sorted = given.sort((a, b) => a - b);
        const ranges = rangesOf(sorted);
        expect([...positionsIn(ranges)]).toEqual(sorted);
        expect(areRanges(ranges, 51)).toBe(true);
        expect(areRanges(ranges, sorted.at(-1) ?? 0)).toBe(false);
      }),
    );
    for (const wrong of [[], [0], [1, 0], [0, 1, 1, 2], [-1, 0], [0, NaN], [0.5, 1]])
      expect(areRanges(wrong, 10)).toBe(false);
  });

  it('are found in another run by rank and thread', () => {
    expect(sameProcesses(ranks(64).slice(2, 5), ranks(8))).toEqual([2, 4]);
    expect(sameProcesses(ranks(64).slice(6), ranks(8))).toEqual([6, 7]);
    expect(sameProcesses(ranks(64).slice(8), ranks(8))).toEqual([]);
    expect(sameProcesses(ranks(4).slice(1), ranks(4, 2))).toEqual([2, 2, 4, 4, 6, 6]);
  });

  it('are written as people write them', () => {
    const numbers = (text: string) => {
      const written = writtenNumbers(text, 100);
      return written === undefined ? undefined : [...written];
    };
    for (const text of ['0, 2–4', '0,2-4', ' 0 2 - 4 ', '0;2 3,4', '0, 2 – 4'])
      expect(numbers(text), text).toEqual([0, 2, 3, 4]);
    for (const text of ['', 'x', '4-2', '1-', '-1', '0,,x', '0-1000000000', '0–100'])
      expect(numbers(text), text).toBeUndefined();
    expect(numbers('0-99')).toHaveLength(100);
  });
});
