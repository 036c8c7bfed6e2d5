import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { isWorse, parseExpectation } from '../../../../src/core/modeling/expectations';
import { growthText } from '../../../../src/core/modeling/formulaText';
import { fraction } from '../../../../src/core/modeling/fraction';
import type { Factor, Term } from '../../../../src/core/modeling/formula';

const parameters = ['n', 'p'];
const read = (text: string) => growthText(parseExpectation(text, parameters).terms, parameters);

describe('an expected growth', () => {
  test.each([
    ['O(n log n)', 'n · log₂ n'],
    ['n*log2(n)', 'n · log₂ n'],
    ['O(n² · log² p)', 'n² · log₂² p'],
    ['n^(3/2) + p', 'n^(3/2) + p'],
    ['O(sqrt(n) * p)', 'n^(1/2) · p'],
    ['n^1.5', 'n^(3/2)'],
    ['n n', 'n²'],
    ['n**3', 'n³'],
    ['log^2(n) * n^-1', 'n⁻¹ · log₂² n'],
    ['2 n', 'n'],
  ])('is read from %s', (text, growth) => {
    expect(read(text)).toBe(growth);
  });

  // A gate takes the growth of its baseline's models as the limit, and those have any exponents.
  test('that models print is read as what it is', () => {
    const power = fc
      .tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 5 }))
      .map(([n, d]) => fraction(n, d));
    const factor = (parameter: number) =>
      fc
        .record({ parameter: fc.constant(parameter), exponent: power, logExponent: power })
        .filter(({ exponent, logExponent }) => exponent.numerator !== 0 || logExponent.numerator !== 0);
    const factors = fc
      .tuple(fc.option(factor(0)), fc.option(factor(1)))
      .map((both) => both.filter((one) => one !== null))
      .filter(({ length }) => length > 0);
    fc.assert(
      fc.property(fc.array(factors, { minLength: 1, maxLength: 4 }), (terms) => {
        expect(parseExpectation(growthText(terms, parameters), parameters).terms).toEqual(terms);
      }),
    );
  });

  test('of a constant has no factor', () => {
    expect(parseExpectation('O(1)', parameters).terms).toEqual([[]]);
  });

  test('may have names of parameters that contain each other', () => {
    expect(growthText(parseExpectation('np log n', ['n', 'np']).terms, ['n', 'np'])).toBe('log₂ n · np');
  });

  test.each([
    '',
    'O()',
    'x',
    'n^',
    'n^(',
    'n + ',
    'log',
    'log(n',
    'n^(1/0)',
    'O(n)) + 1',
    'n - p',
    'n⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹',
  ])('is refused with its place: “%s”', (text) => {
    expect(() => parseExpectation(text, parameters)).toThrow(KymoError);
    expect(() => parseExpectation(text, parameters)).toThrow(/is no growth/);
  });

  test('of any text is read, or refused with an error that says what was expected', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[np0-9^()*+ log]{0,30}$/)), (text) => {
        try {
          parseExpectation(text, parameters);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
    );
  });
});

describe('a formula is worse than expected', () => {
  const factor = (parameter: number, exponent: number, logExponent = 0): Factor => ({
    parameter,
    exponent: fraction(exponent),
    logExponent: fraction(logExponent),
  });
  const term = (...factors: readonly Factor[]): Term => ({ coefficient: 1, factors });
  const worse = (terms: readonly Term[], text: string) =>
    isWorse({ terms }, parseExpectation(text, parameters), 2);

  test('when its largest term grows faster with a parameter', () => {
    expect(worse([term(factor(0, 1, 1))], 'O(n)')).toBe(true);
    expect(worse([term(factor(0, 1)), term(factor(0, 2))], 'O(n log n)')).toBe(true);
    expect(worse([term(factor(1, 0, 1))], 'O(n)')).toBe(true);
    expect(worse([], 'O(n^-1)')).toBe(true);
  });

  test('not when it grows as much, or less', () => {
    expect(worse([term(factor(0, 1, 1))], 'O(n log n)')).toBe(false);
    expect(worse([term(factor(0, 1, 1))], 'O(n^2)')).toBe(false);
    expect(worse([term(factor(0, 1)), term(factor(1, 1))], 'n * p')).toBe(false);
    expect(worse([], 'O(1)')).toBe(false);
    expect(worse([{ coefficient: -1, factors: [factor(0, 3)] }], 'O(n)')).toBe(false);
  });
});
