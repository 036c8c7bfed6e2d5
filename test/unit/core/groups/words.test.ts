import { counted } from '../../../../src/core/format';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  nearestRank,
  percentile,
  percentilesOf,
  positionsBetween,
} from '../../../../src/core/groups/percentiles';
import {
  condensedNumbers,
  listOf,
  pairText,
  processNamer,
  processNoun,
  shortName,
} from '../../../../src/core/groups/words';
import { contextOf, type GivenProcess, many } from './contexts';

const range = (from: number, to: number): readonly number[] =>
  many(to - from + 1, String).map((_, i) => from + i);

describe('percentiles', () => {
  test('W5: of 1 to 100, and of four values', () => {
    expect(percentilesOf(range(1, 100))).toEqual({ p2: 2, lower: 25, median: 50, upper: 75, p98: 98 });
    expect(percentilesOf([40, 10, 30, 20])).toEqual({ p2: 10, lower: 10, median: 20, upper: 30, p98: 40 });
  });

  test('W5: each is the smallest value that the percentage of all does not exceed', () => {
    const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (list, percent) => {
        const found = percentile(Float64Array.from(list).sort(), percent);
        const enough = (value: number): boolean =>
          100 * list.filter((other) => other <= value).length >= percent * list.length;
        expect(list).toContain(found);
        expect(enough(found)).toBe(true);
        expect(list.filter((value) => value < found).some(enough)).toBe(false);
      }),
    );
  });

  test('W5: ranks are computed with whole numbers', () => {
    // 0.07 · 100 is more than 7 in doubles.
    expect(nearestRank(100, 7)).toBe(7);
    expect(nearestRank(1, 2)).toBe(1);
    expect(nearestRank(0, 50)).toBe(1);
    expect(nearestRank(2 ** 40, 98)).toBe(Number((98n * 2n ** 40n + 99n) / 100n));
  });

  test('D13: 26 of 100 lie between the median and the third quartile, both inclusive', () => {
    const ascending = [...range(0, 48), 50, ...range(63, 87), 49, ...range(51, 62), ...range(88, 99)];
    const values = range(0, 99).map((process) => ascending.indexOf(process) / 7);
    const { median, upper } = percentilesOf(values);
    const between = positionsBetween(values, median, upper);
    expect(between).toHaveLength(26);
    expect(condensedNumbers(between)).toBe('50, 63–87');
  });

  it('are not numbers without values', () => {
    expect(percentile(new Float64Array(), 50)).toBeNaN();
  });
});

describe('names of processes', () => {
  const named = (given: readonly Omit<GivenProcess, 'has'>[], members: readonly number[]): string =>
    processNamer(contextOf(given.map((process) => ({ ...process, has: [] }))).processes)(members).text;
  const pure = range(0, 99).map((rank) => ({ rank }));
  const hybrid = [0, 1, 2].flatMap((rank) => [0, 1, 2, 3].map((thread) => ({ rank, thread })));

  test('D13: ranges of ranks', () => {
    expect(condensedNumbers([2, 3, 4])).toBe('2–4');
    expect(condensedNumbers([50, ...range(63, 87)])).toBe('50, 63–87');
    expect(condensedNumbers([])).toBe('');
    expect(condensedNumbers(range(0, 9).map((n) => 2 * n))).toBe('0, 2, 4, 6, 8, 10, 12, 14, 16, 18');
    expect(condensedNumbers(range(0, 999).map((n) => 2 * n))).toBe(
      '0, 2, 4, 6, 8, 10, 12, 14, 16, 18, … (1000)',
    );
    expect(named(pure, [50, ...range(63, 87)])).toBe('ranks 50, 63–87');
    expect(named(pure, [7])).toBe('rank 7');
  });

  test('D13: threads of ranks', () => {
    const at = (rank: number, ...threads: number[]): readonly number[] =>
      threads.map((thread) => 4 * rank + thread);
    expect(named(hybrid, [...at(1, 0), ...at(2, 0)])).toBe('ranks 1–2');
    expect(named(hybrid, [...at(0, 1, 2, 3), ...at(1, 1, 2, 3)])).toBe('threads 1–3 of ranks 0–1');
    expect(named(hybrid, [...at(0, 0, 1), ...at(1, 2), ...at(2, 0, 1)])).toBe(
      'threads 0–1 of ranks 0, 2 and thread 2 of rank 1',
    );
    expect(named(hybrid.slice(0, 4), [0])).toBe('the main thread');
    expect(named(hybrid.slice(0, 4), [1, 3])).toBe('threads 1, 3');
    expect(named([{ rank: 0 }], [0])).toBe('rank 0');
    expect(processNoun(contextOf([{ rank: 3, thread: 1, has: [] }]).processes)).toBe('thread');
    expect(processNoun(contextOf([{ rank: 3, has: [] }]).processes)).toBe('rank');
  });

  test('D13: runs, where there are several', () => {
    const runs = ['before', 'after'].flatMap((run) => [0, 1].map((rank) => ({ rank, run })));
    expect(named(runs, [0, 1, 2])).toBe('ranks 0–1 of before and rank 0 of after');
    expect(named(runs.slice(0, 2), [0])).toBe('rank 0');
  });

  it('are their own without ranks', () => {
    expect(named([{ rank: -1 }, { rank: -1, thread: 1 }, { rank: 2 }], [0, 2])).toBe(
      'rank 2 and Rank_-1,_thread_0',
    );
    expect(named([{ rank: -1 }, { rank: -1, thread: 1 }], [1])).toBe('Rank_-1,_thread_1');
  });

  it('are four parts at most', () => {
    const given = range(0, 9).flatMap((rank) => range(0, 9).map((thread) => ({ rank, thread })));
    const diagonal = range(1, 9).map((n) => 11 * n);
    expect(named(given, diagonal)).toBe(
      'thread 1 of rank 1, thread 2 of rank 2, thread 3 of rank 3, thread 4 of rank 4 and 5 more',
    );
  });
});

describe('names of functions', () => {
  test.each([
    ['ns::Grid<double>::step(int)', 'step'],
    ['init (src/a.c)', 'init'],
    ['!$omp parallel @bt.f:7', '!$omp parallel @bt.f:7'],
    ['MPI_Init', 'MPI_Init'],
    ['a\nb', 'a␊b'],
    ['x'.repeat(61), `${'x'.repeat(59)}…`],
    ['x'.repeat(60), 'x'.repeat(60)],
    [`${'x'.repeat(58)}😀yy`, `${'x'.repeat(58)}…`],
  ])('%o', (name, short) => {
    expect(shortName(name)).toBe(short);
  });

  it('of any text are short and visible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const short = shortName(name);
        expect(short.length).toBeLessThanOrEqual(60);
        expect(short).not.toMatch(/\p{Cc}/u);
      }),
    );
    expect(shortName(`f<${'a<'.repeat(50_000)}`)).toHaveLength(60);
  });

  it('are listed once each', () => {
    const list = (...names: string[]): string => listOf(names, shortName, 2);
    expect([list(), list('a'), list('a', 'b')]).toEqual(['', 'a', 'a and b']);
    expect(list('a', 'b', 'c')).toBe('a, b and 1 more');
    expect(list('f(int)', 'f(long)', 'b', 'f(char)')).toBe('f and b');
  });

  it('stand in pairs and counts', () => {
    expect(pairText({ callee: 'ns::main' })).toBe('main');
    expect(pairText({ caller: 'main', callee: 'f(int)' })).toBe('main → f');
    expect(pairText({ caller: 'heat::norm [OpenMP region 1]', callee: 'heat::f [OpenMP region]' })).toBe(
      'norm [OpenMP region 1] → f [OpenMP region]',
    );
    expect([counted(1, 'pair'), counted(2, 'pair')]).toEqual(['1 pair', '2 pairs']);
  });
});
