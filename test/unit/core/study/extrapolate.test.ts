import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extrapolated } from '../../../../src/core/study/extrapolate';

describe('extrapolated values of a parameter', () => {
  it('are the published ones', () => {
    expect(extrapolated([100, 500, 1000, 2000, 5000], 'linear')).toBe(6225);
    expect(extrapolated([8, 16, 32, 64, 128], 'linear')).toBe(158);
    expect(extrapolated([8, 16, 32, 64, 128], 'geometric')).toBe(256);
    expect(extrapolated([8, 16, 32, 64, 128], 1000)).toBe(1000);
  });

  it('do not depend on the order of the values or on repeated ones', () => {
    expect(extrapolated([128, 8, 64, 8, 16, 32], 'linear')).toBe(158);
    expect(extrapolated([128, 8, 64, 8, 16, 32], 'geometric')).toBe(256);
  });

  it('are the value of a parameter that has only one, and linear where there is no ratio', () => {
    expect(extrapolated([7, 7], 'linear')).toBe(7);
    expect(extrapolated([7], 'geometric')).toBe(7);
    expect(extrapolated([0, 2, 4], 'geometric')).toBe(6);
    expect(extrapolated([0.5, 1], 'linear')).toBe(1.5);
    expect(() => extrapolated([], 'linear')).toThrow(RangeError);
  });

  it('lie beyond the largest value, by no more than the range or its ratio', () => {
    const values = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 2 });
    fc.assert(
      fc.property(values, (given) => {
        const [least, most] = [Math.min(...given), Math.max(...given)];
        const linear = extrapolated(given, 'linear');
        expect(linear).toBeGreaterThan(most);
        expect(linear).toBeLessThanOrEqual(2 * most - least + 0.5);
        const geometric = extrapolated(given, 'geometric');
        expect(geometric).toBeGreaterThanOrEqual(most);
        expect(geometric).toBeLessThanOrEqual((most * most) / least + 0.5);
      }),
    );
  });
});
