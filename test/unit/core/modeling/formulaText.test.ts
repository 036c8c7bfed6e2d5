import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Formula } from '../../../../src/core/modeling/formula';
import { formulaValue } from '../../../../src/core/modeling/formula';
import {
  fraction,
  fractionOf,
  fractionText,
  mediant,
  numberOf,
  parseFraction,
} from '../../../../src/core/modeling/fraction';
import {
  formulaText,
  growthText,
  readableFormula,
  segmentsText,
} from '../../../../src/core/modeling/formulaText';

const example: Formula = {
  constant: 1.37,
  terms: [
    { coefficient: 6.69, factors: [{ parameter: 1, exponent: fraction(0), logExponent: fraction(1) }] },
    {
      coefficient: 0.0438,
      factors: [
        { parameter: 0, exponent: fraction(3, 2), logExponent: fraction(2) },
        { parameter: 1, exponent: fraction(0), logExponent: fraction(1) },
      ],
    },
  ],
};

test('formulas are written as Extra-P prints them', () => {
  expect(formulaText(example, ['x', 'y'])).toBe(
    '1.37 + 6.69 * log2(y)^(1) + 0.0438 * x^(3/2) * log2(x)^(2) * log2(y)^(1)',
  );
  const falling = {
    constant: -0.88,
    terms: [
      { coefficient: -2, factors: [{ parameter: 0, exponent: fraction(1), logExponent: fraction(0) }] },
    ],
  };
  expect(formulaText(falling, ['x'], 'python')).toBe('-0.88-2*x**(1)');
  expect(formulaText({ constant: 0, terms: [] }, ['x'])).toBe('0');
  expect(
    formulaText(
      {
        constant: 0,
        terms: [{ ...falling.terms[0], coefficient: 1, factors: falling.terms[0]?.factors ?? [] }],
      },
      ['x'],
    ),
  ).toBe('x^(1)');
});

test('LaTeX has few digits, and powers of ten outside of a thousandth to a thousand', () => {
  const text = formulaText({ ...example, constant: 12345 }, ['x', 'y'], 'latex');
  expect(text).toBe(
    '$1.235\\times10^{4} + 6.690 \\cdot \\log_2{y} + 0.044 \\cdot x^{3/2} \\cdot \\log_2^{2}{x} \\cdot \\log_2{y}$',
  );
});

test('JavaScript expressions have the value of the formula', () => {
  const exponent = fc
    .tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: 1, max: 4 }))
    .map(([a, b]) => fraction(a, b));
  const factor = fc.record({
    parameter: fc.constantFrom(0, 1),
    exponent,
    logExponent: fc.integer({ min: 0, max: 2 }).map((power) => fraction(power)),
  });
  const coefficient = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const formula = fc.record({
    constant: coefficient,
    terms: fc.array(fc.record({ coefficient, factors: fc.array(factor, { minLength: 1, maxLength: 2 }) }), {
      maxLength: 3,
    }),
  });
  fc.assert(
    fc.property(
      formula,
      fc.double({ min: 1, max: 1e4, noNaN: true }),
      fc.double({ min: 1, max: 1e4, noNaN: true }),
      (made, p, n) => {
        const [value, expected] = [
          Number(runInNewContext(formulaText(made, ['p', 'n'], 'javascript'), { p, n })),
          formulaValue(made, [p, n]),
        ];
        expect(Math.abs(value - expected)).toBeLessThanOrEqual(
          1e-9 * Math.max(Math.abs(value), Math.abs(expected), 1),
        );
      },
    ),
  );
});

test('names of parameters cannot become code', () => {
  const formula = {
    constant: 1,
    terms: [{ coefficient: 2, factors: [{ parameter: 0, exponent: fraction(1), logExponent: fraction(0) }] }],
  };
  expect(formulaText(formula, ['x; alert(1)'], 'javascript')).toBe('1 + 2 * x__alert_1_');
  expect(formulaText(formula, ['2x'], 'python')).toBe('1+2*_2x**(1)');
});

test('readers see units, superscripts and products', () => {
  const seconds = (value: number) => `${value} s`;
  expect(readableFormula({ ...example, constant: 11.3 }, ['p', 'n'], seconds)).toBe(
    '11.3 s + 6.69 s · log₂ n + 0.0438 s · p^(3/2) · log₂² p · log₂ n',
  );
  expect(readableFormula({ constant: 0, terms: [] }, ['p'], seconds)).toBe('0 s');
  expect(readableFormula({ constant: 3, terms: [] }, ['p'], seconds)).toBe('3 s');
  expect(readableFormula({ ...example, constant: 0 }, ['p', 'n'], seconds)).toMatch(/^6\.69 s · log₂ n \+ /);
  expect(growthText([], ['p'])).toBe('constant');
  expect(growthText([[{ parameter: 0, exponent: fraction(-2), logExponent: fraction(0) }]], ['p'])).toBe(
    'p⁻²',
  );
});

test('segments state where they hold', () => {
  const segments = [
    { to: 64, formula: { constant: 1, terms: [] } },
    { from: 128, formula: { constant: 2, terms: [] } },
  ];
  expect(segmentsText(segments, ['p'])).toBe('1 for p<=64\n2 for p>=128');
  expect(segmentsText(segments, ['p'], 'python')).toBe('1 if p<=64 else 2 if p>=128 else float("nan")');
  expect(segmentsText(segments, ['p'], 'javascript')).toBe('p<=64 ? 1 : p>=128 ? 2 : NaN');
});

test('fractions are reduced, exact, and read from decimals and quotients', () => {
  expect(fractionText(fraction(-6, -4))).toBe('3/2');
  expect(fractionText(fraction(0, -5))).toBe('0');
  expect(fractionOf(0.9)).toEqual({ numerator: 9, denominator: 10 });
  expect(fractionOf(Math.PI)).toBeUndefined();
  expect(parseFraction(' 7/4 ')).toEqual({ numerator: 7, denominator: 4 });
  for (const text of ['1/0', 'x', '', '1/2/3', 'Infinity']) expect(parseFraction(text)).toBeUndefined();
  expect(() => fraction(1, 0)).toThrow(RangeError);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 1, max: 999 }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 1, max: 999 }),
      (a, b, c, d) => {
        const [left, right] = [fraction(a, b), fraction(c, d)];
        const between = numberOf(mediant(left, right));
        expect(between).toBeGreaterThanOrEqual(Math.min(numberOf(left), numberOf(right)));
        expect(between).toBeLessThanOrEqual(Math.max(numberOf(left), numberOf(right)));
        expect(parseFraction(fractionText(left))).toEqual(left);
      },
    ),
  );
});
