import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countOf,
  negative,
  numbersOf,
  positive,
  runsOf,
  setOf,
  sumOfRuns,
  within,
  without,
  type Runs,
} from '../../../../../src/core/diagnosis/folding/runs';

const numbers = fc.array(fc.nat(20));
const signed = fc
  .tuple(numbers, numbers)
  .map(([more, less]) => sumOfRuns([runsOf(more), negative(runsOf(less))]));

/** How often each number is there. */
const table = (runs: Runs): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const { first, last, each } of runs)
    for (let number = first; number <= last; number++) counts.set(number, (counts.get(number) ?? 0) + each);
  return counts;
};

describe('runs of numbers', () => {
  it('count each number as often as it came, in as few runs as there can be', () => {
    expect(runsOf([7, 3, 4, 3, 5, 3])).toEqual([
      { first: 3, last: 3, each: 3 },
      { first: 4, last: 5, each: 1 },
      { first: 7, last: 7, each: 1 },
    ]);
    expect(runsOf([2, 0, 1])).toEqual([{ first: 0, last: 2, each: 1 }]);
  });

  it('are added number by number', () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        const sum = table(sumOfRuns([a, b]));
        for (let number = 0; number <= 20; number++)
          expect(sum.get(number) ?? 0).toBe((table(a).get(number) ?? 0) + (table(b).get(number) ?? 0));
        expect([...sum.values()]).not.toContain(0);
        expect(sumOfRuns([a, negative(a)])).toEqual([]);
        expect(countOf(sumOfRuns([a, b]))).toBe(countOf(a) + countOf(b));
      }),
    );
  });

  it('are the same for the same contents', () => {
    fc.assert(
      fc.property(fc.array(signed), (lists) => {
        expect(sumOfRuns([...lists].reverse())).toEqual(sumOfRuns(lists));
        expect(lists.reduce((sum, list) => sumOfRuns([sum, list]), [])).toEqual(sumOfRuns(lists));
      }),
    );
  });

  it('are cut at a set into what is in it and what is not', () => {
    fc.assert(
      fc.property(signed, numbers, (runs, chosen) => {
        const set = setOf(runsOf(chosen));
        const inside = within(runs, set);
        expect([...table(inside).keys()].every((number) => chosen.includes(number))).toBe(true);
        expect([...table(without(runs, set)).keys()].some((number) => chosen.includes(number))).toBe(false);
        expect(sumOfRuns([inside, without(runs, set)])).toEqual(runs);
      }),
    );
  });

  it('have the numbers that are there more than 0 times', () => {
    fc.assert(
      fc.property(signed, (runs) => {
        const there = [...table(runs)].filter(([, each]) => each > 0).map(([number]) => number);
        expect([...numbersOf(setOf(runs))]).toEqual(there);
        expect([...numbersOf(positive(runs))]).toEqual(there);
        expect(setOf(runs)).toEqual(runsOf(there));
      }),
    );
  });
});
