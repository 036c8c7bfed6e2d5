import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lengthOf,
  moved,
  overlaps,
  stretched,
  withReportedExtent,
} from '../../../../src/core/degradations/bursts/extent';
import { LargestPatterns, noOthers } from '../../../../src/core/degradations/bursts/largestPatterns';
import { Moments } from '../../../../src/core/degradations/bursts/moments';
import { periodOf } from '../../../../src/core/degradations/bursts/periodOf';
import type { Pattern } from '../../../../src/core/signal/signal';
import { pattern } from './report/made';

describe('the reported extent of a rise', () => {
  /** Level 1, from 100 to 200 up to 3, and then 3: 400 samples. */
  const rise = Float64Array.from({ length: 400 }, (_, i) => 1 + Math.min(2, Math.max(0, (i - 100) / 50)));
  const sum = (values: Float64Array, from: number, to: number): number =>
    values.slice(from, to + 1).reduce((all, value) => all + value, 0);
  const trend = (
    from: number,
    to: number,
    core: readonly [number, number],
    others: Partial<Pattern> = {},
  ): Pattern => pattern('trend', from, to, { core, levels: [1, 3], excess: 50, aftermath: 1000, ...others });

  it('is that of the rise itself where the run begins or ends flat', () => {
    // A twentieth of the 201 samples from 50 to 250 is ten.
    expect(withReportedExtent(trend(50, 250, [100, 200]), rise)).toEqual(
      trend(100, 200, [100, 200], { sum: sum(rise, 100, 200) }),
    );
    // Samples that come to the run take their cost with them.
    expect(withReportedExtent(trend(50, 190, [100, 200]), rise)).toEqual(
      trend(100, 200, [100, 200], {
        sum: sum(rise, 100, 200),
        excess: expect.closeTo(50 + sum(rise, 191, 200) - 10, 9) as number,
        aftermath: expect.closeTo(1000 - sum(rise, 191, 200) + 10, 9) as number,
      }),
    );
    // But not more than there was after it.
    expect(withReportedExtent(trend(50, 190, [100, 200], { aftermath: 3 }), rise)).toMatchObject({
      excess: 53,
      aftermath: 0,
    });
    const fall = rise.map((value) => -value);
    expect(
      withReportedExtent(trend(50, 190, [100, 200], { improvement: true, levels: [-1, -3] }), fall),
    ).toMatchObject({
      from: 100,
      to: 200,
      excess: expect.closeTo(50 + sum(rise, 191, 200) - 10, 9) as number,
    });
  });

  it('goes to the turn near its end where the rise fills the run', () => {
    // Falls until 100, rises until 200, falls again.
    const hill = Float64Array.from(
      { length: 400 },
      (_, i) => 50 - Math.abs(i - 200) / 2 + (i < 100 ? 100 - i : 0),
    );
    const found = withReportedExtent(trend(95, 205, [97, 203]), hill);
    expect([found.from, found.to, found.core]).toEqual([100, 200, [100, 200]]);
    // Flat at one of its ends: the rise itself there.
    const late = withReportedExtent(trend(95, 205, [110, 203]), hill);
    expect([late.from, late.to]).toEqual([110, 200]);
    const early = withReportedExtent(trend(95, 205, [97, 190]), hill);
    expect([early.from, early.to]).toEqual([100, 190]);
    // The limits: a twentieth of 100 samples is 5.
    const [at, beyond] = [104, 105].map((core) => withReportedExtent(trend(99, 198, [core, 198]), hill).from);
    expect([at, beyond]).toEqual([100, 105]);
  });

  it('has more iterations than a step, wherever the values turn', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 12, maxLength: 250 }),
        fc.nat(),
        fc.nat(),
        fc.nat(4),
        (list, start, more, around) => {
          const values = Float64Array.from(list);
          const step = Math.floor(Math.max(2, values.length / 50));
          const first = start % (values.length - step - 1);
          const last = first + step + 1 + (more % (values.length - step - 1 - first));
          const run = [Math.max(0, first - around), Math.min(values.length - 1, last + around)] as const;
          const { from, to } = withReportedExtent(trend(...run, [first, last]), values);
          expect(to - from).toBeGreaterThan(step);
        },
      ),
    );
    // Rises until 10 and falls, but the run goes on to 20: the turn is that of its beginning, too.
    const hill = Float64Array.from({ length: 40 }, (_, i) => 50 - Math.abs(i - 10) + (i % 2));
    expect(withReportedExtent(trend(8, 12, [8, 12]), hill)).toMatchObject({ from: 8, to: 12, core: [8, 12] });
  });

  it('goes to the ends of the series where it is within a fiftieth of them, and two samples at least', () => {
    const of = (from: number, to: number, length = 400): readonly [number, number] => {
      const values = Float64Array.from({ length }, (_, i) => 1 + i / length);
      const found = withReportedExtent(trend(from, to, [from, to]), values);
      return [found.from, found.to];
    };
    expect(of(8, 391)).toEqual([0, 399]);
    expect(of(9, 390)[0]).toBeGreaterThan(0);
    expect(of(9, 390)[1]).toBeLessThan(399);
    expect(of(2, 47, 50)).toEqual([0, 49]);
  });

  it('of a step is its core, of a peak what it was', () => {
    const step = pattern('step', 95, 160, { core: [120, 121], levels: [1, 3], excess: 5, aftermath: 20 });
    expect(withReportedExtent(step, rise)).toEqual({ ...step, from: 120, to: 121, sum: sum(rise, 120, 121) });
    const peak = pattern('peak', 95, 160);
    expect(withReportedExtent(peak, rise)).toBe(peak);
    const { core, ...coreless } = trend(50, 250, [100, 200]);
    expect(core).toEqual([100, 200]);
    expect(withReportedExtent(coreless, rise)).toBe(coreless);
    const exact = pattern('step', 120, 121);
    expect(withReportedExtent(exact, rise)).toBe(exact);
  });

  it('contains the core', () => {
    const values = Float64Array.from({ length: 60 }, (_, i) => Math.abs(i - 30));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(59), { minLength: 4, maxLength: 4 }).map((list) => list.sort((a, b) => a - b)),
        ([from = 0, first = 0, last = 0, to = 0]) => {
          const found = withReportedExtent(trend(from, to, [first, last]), values);
          expect(found.from).toBeLessThanOrEqual(found.core![0]);
          expect(found.to).toBeGreaterThanOrEqual(found.core![1]);
          expect(found.from).toBeLessThanOrEqual(last);
          expect(found.to).toBeGreaterThanOrEqual(first);
          expect(found.excess + found.aftermath).toBeCloseTo(1050, 6);
        },
      ),
    );
  });
});

describe('patterns in other units', () => {
  const trend = pattern('trend', 3, 9, { core: [4, 8], sum: 10, excess: 4, aftermath: 3 });
  const peak = pattern('peak', 3, 9, { at: 5 });

  it('are moved by iterations', () => {
    expect(moved(trend, 100)).toEqual({ ...trend, from: 103, to: 109, core: [104, 108] });
    expect(moved(peak, 100)).toEqual({ ...peak, from: 103, to: 109, at: 105 });
  });

  it('are stretched where each position stood for several iterations: cores are from the middle on, costs those of all', () => {
    expect(stretched(trend, 4, 39)).toEqual({
      ...{ ...trend, from: 12, to: 38, core: [19, 32] },
      ...{ sum: 40, excess: 16, aftermath: 12 },
    });
    expect(stretched(peak, 4, 39)).toMatchObject({ from: 12, to: 38, at: 21 });
    expect(stretched(peak, 4, 100)).toMatchObject({ to: 39 });
    expect(stretched({ ...trend, from: 9 }, 4, 34)).toMatchObject({ from: 33, to: 33 });
    expect(stretched(peak, 4, 100)).not.toHaveProperty('core');
    expect(stretched(trend, 4, 100)).not.toHaveProperty('at');
    expect(stretched(trend, 1, 5)).toBe(trend);
    expect(lengthOf(trend)).toBe(7);
  });

  it('overlap where they share an iteration', () => {
    const of = (from: number, to: number): Pattern => pattern('peak', from, to);
    expect(
      [of(0, 2), of(0, 3), of(9, 12), of(10, 12), of(4, 5)].map((other) => overlaps(trend, other)),
    ).toEqual([...[false, true, true, false, true]]);
    expect(overlaps(of(0, 3), trend)).toBe(true);
    expect(overlaps(of(10, 12), trend)).toBe(false);
  });
});

describe('the costliest patterns', () => {
  it('are stored by position, the others are counted and summed by type', () => {
    const costs = fc.array(
      fc.record({
        type: fc.constantFrom<Pattern['type']>('peak', 'trend', 'step'),
        excess: fc.nat(9),
        aftermath: fc.nat(9),
        better: fc.boolean(),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(costs, fc.integer({ min: 1, max: 4 }), (list, capacity) => {
        const patterns = list.map(({ type, excess, aftermath, better }, n) =>
          pattern(type, 10 * n, 10 * n + 1, {
            excess,
            aftermath,
            sum: n,
            ...(better ? { improvement: true } : {}),
          }),
        );
        const largest = new LargestPatterns(capacity);
        for (const each of patterns) largest.add(each);
        const stored = largest.patterns;
        expect(stored).toHaveLength(Math.min(capacity, list.length));
        expect(stored.map(({ from }) => from)).toEqual(stored.map(({ from }) => from).sort((a, b) => a - b));
        const rest = patterns.filter((each) => !stored.includes(each));
        const cost = ({ excess, aftermath }: Pattern): number => excess + aftermath;
        const least = Math.min(...stored.map(cost));
        for (const each of rest) expect(cost(each)).toBeLessThanOrEqual(least);
        const summed = (isPeak: boolean) => {
          const own = rest.filter(
            ({ type, improvement }) => (type === 'peak') === isPeak && improvement === undefined,
          );
          const total = (value: (each: Pattern) => number): number =>
            own.reduce((sum, each) => sum + value(each), 0);
          return {
            count: own.length,
            // Each has two.
            iterations: 2 * own.length,
            first: Math.min(...own.map(({ from }) => from)),
            last: Math.max(...own.map(({ to }) => to)),
            sum: total(({ sum }) => sum),
            excess: total(({ excess }) => excess),
            aftermath: total(({ aftermath }) => aftermath),
          };
        };
        expect(largest.others).toEqual({ peaks: summed(true), trends: summed(false) });
        const peaks = patterns.filter(
          ({ type, improvement }) => type === 'peak' && improvement === undefined,
        );
        expect(largest.firstPeaks).toEqual(peaks.slice(0, capacity));
      }),
      { numRuns: 200 },
    );
  });

  it('of equal cost are the first, by start and by end', () => {
    const largest = new LargestPatterns(2);
    for (const [from, to] of [
      [7, 8],
      [3, 9],
      [3, 4],
      [5, 6],
    ] as const)
      largest.add(pattern('peak', from, to));
    expect(largest.patterns.map(({ from, to }) => [from, to])).toEqual([
      [3, 4],
      [3, 9],
    ]);
    expect(new LargestPatterns(2).others).toEqual(noOthers);
    expect(noOthers.peaks).toMatchObject({ count: 0, iterations: 0, sum: 0, excess: 0, aftermath: 0 });
  });
});

describe('the period of peaks', () => {
  const at = (...places: readonly number[]): Pattern[] =>
    places.map((place) => pattern('peak', place, place + 1, { at: place + 1 }));

  it('is that of their tops, wherever they are in the run', () => {
    expect(periodOf(at(3, 13, 23, 33, 43))).toBe(10);
    expect(periodOf(at(900_003, 900_013, 900_023, 900_033, 900_043))).toBe(10);
    expect(periodOf([3, 13, 23, 33, 43].map((place) => pattern('step', place, place + 1)))).toBeUndefined();
    expect(periodOf(at(3, 13))).toBeUndefined();
    expect(periodOf([])).toBeUndefined();
    expect(periodOf(at(3, 9, 40, 44, 90))).toBeUndefined();
  });
});

describe('moments of a metric', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: -5, max: 9 }), fc.constant(NaN)), { maxLength: 12 });

  it('are those of all values, in pieces or not', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const filled = (list: readonly number[]): Float64Array =>
          Float64Array.from(list, (value) => (Number.isNaN(value) ? 2 : value));
        const [left, right] = [a, b].map((list) => {
          const moments = new Moments();
          moments.add(Float64Array.from(list), filled(list));
          return moments;
        }) as [Moments, Moments];
        left.merge(right);
        const all = [...filled(a), ...filled(b)];
        const sum = all.reduce((total, value) => total + value, 0);
        const mean = all.length === 0 ? 0 : sum / all.length;
        const variance =
          all.reduce((total, value) => total + (value - mean) ** 2, 0) / Math.max(1, all.length);
        expect([left.count, left.missing, left.sum]).toEqual([
          all.length,
          [...a, ...b].filter(Number.isNaN).length,
          sum,
        ]);
        expect(left.figure('sum')).toBe(sum);
        expect(left.figure('largest')).toBe(Math.max(0, ...all));
        expect(left.figure('mean')).toBeCloseTo(mean, 12);
        expect(left.figure('stddev')).toBeCloseTo(Math.sqrt(variance), 6);
      }),
    );
  });

  it('saturate', () => {
    const of = (...list: readonly number[]): Moments => {
      const moments = new Moments();
      moments.add(Float64Array.from(list), Float64Array.from(list));
      return moments;
    };
    expect(of(1e308, 1e308).figure('sum')).toBe(Number.MAX_VALUE);
    expect(of(-1e308, -1e308).figure('sum')).toBe(-Number.MAX_VALUE);
    expect(of(1e308, 1e308).figure('stddev')).toBe(0);
    expect(of(1e308, 1e308).figure('mean')).toBe(Number.MAX_VALUE);
  });
});
