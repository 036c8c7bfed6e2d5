import { describe, expect, it } from 'vitest';
import type { Factor } from '../../../../src/core/modeling/formula';
import { fraction } from '../../../../src/core/modeling/fraction';
import { growthClass } from '../../../../src/core/modeling/growthClass';

const factor = (parameter: number, exponent: number, logExponent = 0): Factor => ({
  parameter,
  exponent: fraction(exponent),
  logExponent: fraction(logExponent),
});
const formula = (...terms: readonly (readonly Factor[])[]) => ({
  constant: 1,
  terms: terms.map((factors) => ({ coefficient: 2, factors })),
});
const text = (...terms: readonly (readonly Factor[])[]): string =>
  growthClass({ formula: formula(...terms) }, ['p', 'n']).text;
const order = (...terms: readonly (readonly Factor[])[]): number =>
  growthClass({ formula: formula(...terms) }, ['p', 'n']).order;

describe('the growth of a formula', () => {
  it('is that of the terms that outgrow the others', () => {
    expect(text()).toBe('constant');
    expect(text([factor(0, 1)], [factor(0, 2)], [factor(0, 1, 1)])).toBe('p²');
    expect(text([factor(0, 1)], [factor(1, 2)])).toBe('n² + p');
    expect(text([factor(0, 1)], [factor(0, 1), factor(1, 1)])).toBe('p · n');
    expect(text([factor(0, 1)], [factor(0, 1)])).toBe('p');
    expect(text([factor(0, 0, 2)], [factor(0, 0, 1)])).toBe('log₂² p');
  });

  it('has an order: logarithms below powers', () => {
    const orders = [
      order(),
      order([factor(0, 0, 1)]),
      order([factor(0, 1)]),
      order([factor(0, 1, 1)]),
      order([factor(0, 1), factor(1, 1)]),
    ];
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    expect(new Set(orders).size).toBe(5);
  });

  it('is that of large values where the behaviour changes, and of terms that are there', () => {
    const segments = [
      { to: 4, formula: formula([factor(0, 3)]) },
      { from: 8, formula: formula([factor(0, 1)]) },
    ];
    expect(growthClass({ formula: formula([factor(0, 3)]), segments }, ['p']).text).toBe('p');
    const none = { constant: 1, terms: [{ coefficient: 0, factors: [factor(0, 1)] }] };
    expect(growthClass({ formula: none }, ['p']).text).toBe('constant');
  });
});
