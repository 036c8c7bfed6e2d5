import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternOfPeak, patternOfTrend, episodeOf } from '../../../../src/core/signal/patterns';
import { inMeasure, prepare, rangeOf, rawSum } from '../../../../src/core/signal/prepare';
import { medianInPlace, medianOf } from '../../../../src/core/transforms/median';

const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -9, max: 9, noNaN: true }));
/** Without -0, which sorts as 0 does. */
const numbers = fc.array(
  number.map((value) => value + 0),
  { maxLength: 40 },
);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const { length } = sorted;
  if (length === 0) return 0;
  return length % 2 === 1 ? sorted[length >> 1]! : sorted[length / 2 - 1]! / 2 + sorted[length / 2]! / 2;
}

describe('medians', () => {
  it('are the middle of the sorted values', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: -3, max: 45 }), fc.nat(45), (list, from, to) => {
        const values = Float64Array.from(list);
        const within = list.filter((_, i) => i >= from && i <= to);
        expect(medianOf(values, from, to)).toBe(median(within));
        expect([...values]).toEqual(list);
        expect(medianInPlace(values)).toBe(median(list));
        expect([...values].sort((a, b) => a - b)).toEqual([...list].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the form that the analysis works on', () => {
  it('has a power of two as its unit and the mean at zero', () => {
    const signal = prepare(Float64Array.of(6, 2, NaN, 4, -4, Infinity, 10, 6));
    expect({ ...signal, values: [...signal.values], sums: [...signal.sums] }).toEqual({
      unit: 8,
      offset: 3 / 8,
      values: [3 / 8, -1 / 8, -3 / 8, 1 / 8, -7 / 8, -3 / 8, 7 / 8, 3 / 8],
      range: 14 / 8,
      // Differences of pairs: 4, 4, 4, 4.
      noise: expect.closeTo(((4 / 8) * Math.SQRT1_2) / 0.6745, 12) as number,
      sums: [0, 6 / 8, 1, 1, 12 / 8, 1, 1, 18 / 8, 3],
    });
    expect(rawSum(signal, 0, 7)).toBe(24);
    expect(rawSum(signal, 1, 4)).toBe(2);
    expect(rawSum(signal, 6, 6)).toBe(10);
  });

  it('is zero without values, and has no range where values are equal up to rounding', () => {
    expect(prepare(new Float64Array())).toEqual({
      values: new Float64Array(),
      unit: 1,
      offset: 0,
      range: 0,
      noise: 0,
      sums: Float64Array.of(0),
    });
    const rangeFor = (...values: number[]): number => prepare(Float64Array.from(values)).range;
    expect(rangeFor(0, 0)).toBe(0);
    expect(rangeFor(1, 1 + 2 ** -40)).toBe(0);
    expect(rangeFor(1, 1 + 2 ** -39)).toBe(2 ** -39);
    expect(rangeFor(-1, -1 - 2 ** -40)).toBe(0);
    expect(rangeFor(-1, -1 - 2 ** -39)).toBe(2 ** -39);
    expect(rangeFor(0, 2 ** -80)).toBe(1);
  });

  it.each([
    [1, 1],
    [1.99, 1],
    [2, 2],
    [-2, 2],
    [0.75, 0.5],
    [Number.MAX_VALUE, 2 ** 1000],
    [Number.MIN_VALUE, 2 ** -1000],
  ])('the unit of %d is %d', (value, unit) => {
    expect(prepare(Float64Array.of(value, 0)).unit).toBe(unit);
  });

  it('saturates where a result does not fit a number', () => {
    expect(inMeasure(8, 3)).toBe(24);
    expect(inMeasure(2 ** 1000, 2 ** 30)).toBe(Number.MAX_VALUE);
    expect(inMeasure(2 ** 1000, -(2 ** 30))).toBe(-Number.MAX_VALUE);
    expect(rangeOf(Float64Array.of(3, -2, 7, 1))).toBe(9);
    expect(rangeOf(Float64Array.of(3))).toBe(0);
  });

  it('is converted back: sums, levels and costs are in the measure of the signal', () => {
    const signal = prepare(Float64Array.of(1, 1, 9, 1, 5, 5, 5, 5));
    expect([signal.unit, signal.offset]).toEqual([8, 0.5]);
    const found = { from: 1, to: 3, at: 2, base: -0.375, height: 0.6, excess: 1, stability: 9 };
    const peak = { type: 'peak', from: 1, to: 3, at: 2, levels: [1, 9], sum: 11, excess: 8, aftermath: 0 };
    expect(patternOfPeak(found, signal)).toEqual({ ...peak, confidence: 1, stability: 9 });
    expect(patternOfPeak({ ...found, base: 0.125 }, signal, -1)).toEqual({
      ...{ ...peak, levels: [3, 9], improvement: true },
      ...{ confidence: 1, stability: 9 },
    });
    const rise = { type: 'step', from: 3, to: 4, core: [3, 4], low: -0.375, high: 0.125 } as const;
    const trend = { ...rise, fit: 0.75, excess: 0.5, aftermath: 1.5, stability: 4 };
    const step = { type: 'step', from: 3, to: 4, core: [3, 4], sum: 6, excess: 4, aftermath: 12 };
    expect(patternOfTrend(trend, signal)).toEqual({
      ...step,
      levels: [1, 5],
      confidence: 0.75,
      stability: 4,
    });
    expect(patternOfTrend(trend, signal, -1)).toEqual({
      ...{ ...step, levels: [7, 3], improvement: true },
      ...{ confidence: 0.75, stability: 4 },
    });
    const part = { letter: 'A', from: 4, to: 6, net: 1, threshold: 2, stability: 3 } as const;
    expect(episodeOf(part, signal)).toEqual({ letter: 'A', from: 4, to: 6, sum: 15, stability: 3 });
  });
});
