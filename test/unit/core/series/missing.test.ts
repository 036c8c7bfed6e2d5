import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillMissing } from '../../../../src/core/series/missing';

const filled = (values: number[], method: 'zero' | 'constant' | 'linear') => [
  ...fillMissing(Float64Array.from(values), method),
];

describe('missing values', () => {
  it('missing values: zero, the last one held, or a line between neighbours', () => {
    expect(filled([1, NaN, NaN, 4], 'zero')).toEqual([1, 0, 0, 4]);
    expect(filled([1, NaN, NaN, 4], 'constant')).toEqual([1, 1, 1, 4]);
    expect(filled([1, NaN, NaN, 4], 'linear')).toEqual([1, 2, 3, 4]);
  });

  it('missing values: a gap at the beginning has the first value, one at the end the last', () => {
    expect(filled([NaN, 2, NaN], 'constant')).toEqual([2, 2, 2]);
    expect(filled([NaN, 2, NaN], 'linear')).toEqual([2, 2, 2]);
    expect(filled([NaN, NaN], 'linear')).toEqual([0, 0]);
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
