import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillMissing, missingShare } from '../../../../src/core/series/missing';
import { reduceSeries } from '../../../../src/core/series/reduce';

const filled = (values: number[], method: 'zero' | 'constant' | 'linear') => [
  ...fillMissing(Float64Array.from(values), method),
];

describe('missing values', () => {
  it('F08 missing values: zero, the last one held, or a line between neighbours', () => {
    expect(filled([1, NaN, NaN, 4], 'zero')).toEqual([1, 0, 0, 4]);
    expect(filled([1, NaN, NaN, 4], 'constant')).toEqual([1, 1, 1, 4]);
    expect(filled([1, NaN, NaN, 4], 'linear')).toEqual([1, 2, 3, 4]);
  });

  it('F08 missing values: a gap at the beginning has the first value, one at the end the last', () => {
    expect(filled([NaN, 2, NaN], 'constant')).toEqual([2, 2, 2]);
    expect(filled([NaN, 2, NaN], 'linear')).toEqual([2, 2, 2]);
    expect(filled([NaN, NaN], 'linear')).toEqual([0, 0]);
    expect(missingShare(Float64Array.from([NaN, 2, Infinity, 1]))).toBe(0.5);
  });

  it('leaves what is there, and is finite everywhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double(), { maxLength: 50 }),
        fc.constantFrom('zero' as const, 'constant' as const, 'linear' as const),
        (values, method) => {
          filled(values, method).forEach((value, at) => {
            expect(Number.isFinite(value)).toBe(true);
            if (Number.isFinite(values[at])) expect(value).toBe(values[at]);
          });
        },
      ),
    );
  });
});

describe('reductions', () => {
  it('F09 default dynamic context: sum, average and population standard deviation; sum when none is named', () => {
    const series = Float64Array.from([2, 4, 6]);
    expect(reduceSeries(series, 'sum')).toBe(12);
    expect(reduceSeries(series, 'average')).toBe(4);
    expect(reduceSeries(series, 'stddev')).toBeCloseTo(1.63299, 5);
    expect(reduceSeries(series)).toBe(reduceSeries(series, 'sum'));
  });

  it('does not overflow and knows nothing as 0', () => {
    expect(reduceSeries(Float64Array.from([1e300, -1e300]), 'stddev')).toBe(1e300);
    expect(reduceSeries(new Float64Array(0), 'stddev')).toBe(0);
    expect(reduceSeries(Float64Array.from([NaN, 3]), 'average')).toBe(3);
  });
});
