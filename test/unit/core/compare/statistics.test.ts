import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digamma, moderated, priorOf, trigamma } from '../../../../src/core/compare/moderation';
import { logGamma, quantileOfT, tailOfT } from '../../../../src/core/compare/studentT';

describe('Student’s t', () => {
  // Two-sided critical values of usual tables.
  test.each([
    [12.706, 1, 0.05],
    [4.303, 2, 0.05],
    [2.306, 8, 0.05],
    [3.355, 8, 0.01],
    [2.845, 20, 0.01],
    [1.96, Infinity, 0.05],
    [3.291, Infinity, 0.001],
  ])('beyond %d with %d degrees of freedom has %d', (t, freedom, expected) => {
    expect(tailOfT(t, freedom) / expected).toBeCloseTo(1, 2);
    expect(tailOfT(-t, freedom)).toBe(tailOfT(t, freedom));
  });
  test('of one degree is Cauchy’s distribution, of two a root', () =>
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (t) => {
        expect(tailOfT(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 7);
        expect(tailOfT(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 7);
      }),
    ));
  test('is beyond a quantile with the probability of that', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 1e-9, max: 0.99, noNaN: true }),
        fc.oneof(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.constant(Infinity)),
        (probability, freedom) => {
          expect(tailOfT(quantileOfT(probability, freedom), freedom) / probability).toBeCloseTo(1, 6);
        },
      ),
    ));
  test('of nothing certain is certain, and of no number nothing', () => {
    expect(tailOfT(0, 5)).toBe(1);
    expect(tailOfT(NaN, 5)).toBe(1);
    expect(tailOfT(Infinity, 5)).toBe(0);
  });
  test('gamma of whole numbers is a factorial', () => {
    let factorial = 1;
    for (let n = 1; n < 20; n++) {
      expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 10);
      factorial *= n;
    }
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
  });
  test('digamma and trigamma are its derivatives', () => {
    expect(digamma(1)).toBeCloseTo(-0.5772156649015329, 10);
    expect(trigamma(1)).toBeCloseTo(Math.PI ** 2 / 6, 9);
    for (const x of [0.5, 2, 7.5, 40])
      expect((logGamma(x + 1e-4) - logGamma(x - 1e-4)) / 2e-4).toBeCloseTo(digamma(x), 5);
  });
});

describe('variances of many functions', () => {
  const variance = (random: () => number, freedom: number, true_: number): number => {
    let sum = 0;
    for (let i = 0; i < freedom; i++) {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      sum += normal * normal;
    }
    return (true_ * sum) / freedom;
  };
  const generator = (seed: number) => () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  test('that vary alike tell that of each', () => {
    const random = generator(7);
    const rows = Array.from({ length: 400 }, () => ({ variance: variance(random, 4, 9), freedom: 4 }));
    const prior = priorOf(rows);
    expect(prior.freedom).toBeGreaterThan(30);
    expect(prior.variance / 9).toBeCloseTo(1, 0);
    expect(moderated({ variance: 1, freedom: 4 }, prior).variance).toBeGreaterThan(5);
  });
  test('that differ by orders of magnitude tell little', () => {
    const random = generator(11);
    const rows = Array.from({ length: 400 }, (_, i) => ({
      variance: variance(random, 4, 10 ** (i % 5)),
      freedom: 4,
    }));
    const prior = priorOf(rows);
    expect(prior.freedom).toBeLessThan(2);
    expect(moderated({ variance: 1e4, freedom: 4 }, prior).variance).toBeGreaterThan(5e3);
  });
  test('of one repetition are unknown', () => {
    expect(priorOf([{ variance: 0, freedom: 0 }])).toEqual({ variance: 0, freedom: 0 });
    expect(moderated({ variance: 0, freedom: 0 }, priorOf([]))).toEqual({ variance: 0, freedom: 0 });
  });
});
