import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FoldingHistogram } from '../../../../src/overlay/services/foldingHistogram';
import { ServiceError } from '../../../../src/overlay/services/serviceError';

const s = (value: number, start: number, end: number) => ({ value, start, end });

describe('histograms that fold', () => {
  test('S7: full bins are merged in pairs, the sum is preserved, and the interval of the sources doubles', () => {
    const histogram = new FoldingHistogram(4, 0.5, 10);
    for (const [i, value] of [1, 2, 3, 4].entries())
      expect(histogram.add(s(value, 10 + i / 2, 10.5 + i / 2))).toBe(0);
    expect([...histogram.bins]).toEqual([1, 2, 3, 4]);
    expect(histogram.add(s(6, 12, 13))).toBe(1);
    expect([...histogram.bins]).toEqual([3, 7, 6, 0]);
    expect(histogram.binSeconds).toBe(1);
    expect(histogram.add(s(1, 40, 41))).toBe(3);
    expect([...histogram.bins]).toEqual([16, 0, 0, 1]);
    expect(histogram.binSeconds).toBe(8);
  });

  test('S7: a sample is spread over the bins in proportion to the overlap', () => {
    const histogram = new FoldingHistogram(4, 1, 0);
    histogram.add(s(10, 0.5, 3));
    expect([...histogram.bins]).toEqual([2, 4, 4, 0]);
  });

  test('S7: sums are preserved for any length of a run', () => {
    const samples = fc.array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 1000 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(samples, fc.constantFrom(2, 8, 120), (given, bins) => {
        const histogram = new FoldingHistogram(bins, 0.2, 0);
        let time = 0;
        let width = 0.2;
        for (const [length, value] of given) {
          const folds = histogram.add(s(value, time, time + length / 100));
          time += length / 100;
          width *= 2 ** folds;
          expect(histogram.binSeconds).toBe(width);
        }
        const sum = given.reduce((total, [, value]) => total + value, 0);
        expect(Math.abs(histogram.bins.reduce((total, bin) => total + bin, 0) - sum)).toBeLessThanOrEqual(
          1e-12 * (sum + 1),
        );
        expect(histogram.bins.length).toBe(bins);
        expect(bins * histogram.binSeconds).toBeGreaterThanOrEqual(time);
      }),
    );
  });

  test('S7: the last time that a clock can have does not hang it, and wrong samples are refused', () => {
    const histogram = new FoldingHistogram(2, 1e-6, 0);
    histogram.add(s(1, 0, 1e-6));
    expect(histogram.add(s(1, 1e10 - 1, 1e10))).toBeGreaterThan(50);
    for (const wrong of [s(1, -1, 1), s(NaN, 0, 1), s(1, 0, Infinity), s(1, 2, 1)])
      expect(() => histogram.add(wrong)).toThrow(ServiceError);
    for (const bins of [0, 3, 2.5, 1e9])
      expect(() => new FoldingHistogram(bins, 1, 0)).toThrow('even number');
    expect(() => new FoldingHistogram(2, 0, 0)).toThrow('not possible');
  });
});
