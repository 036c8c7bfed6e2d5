import { at } from '../at';
import type { Factor, Formula, Segment, Term } from './formula';
import { fractionText, numberOf, type Fraction } from './fraction';

/** How formulas are written: as Extra-P prints them, or as expressions of a language. */
export const formulaStyles = ['text', 'python', 'latex', 'javascript'] as const;
export type FormulaStyle = (typeof formulaStyles)[number];

/** How the parts of a formula are written. */
interface Notation {
  readonly number: (value: number) => string;
  readonly times: string;
  readonly plus: string;
  readonly power: (name: string, exponent: Fraction) => string;
  readonly logarithm: (name: string, exponent: Fraction) => string;
  /** A parameter as the language can name it. */
  readonly name: (name: string) => string;
}

const notations: Readonly<Record<FormulaStyle, Notation>> = {
  text: {
    number: String,
    times: ' * ',
    plus: ' + ',
    power: (name, exponent) => `${name}^(${fractionText(exponent)})`,
    logarithm: (name, exponent) => `log2(${name})^(${fractionText(exponent)})`,
    name: (name) => name,
  },
  python: {
    number: String,
    times: '*',
    plus: '+',
    power: (name, exponent) => `${name}**(${fractionText(exponent)})`,
    logarithm: (name, exponent) => `log2(${name})**(${fractionText(exponent)})`,
    name: identifier,
  },
  latex: {
    number: latexNumber,
    times: ' \\cdot ',
    plus: ' + ',
    power: (name, exponent) => `${name}${latexExponent(exponent)}`,
    logarithm: (name, exponent) => `\\log_2${latexExponent(exponent)}{${name}}`,
    name: latexName,
  },
  javascript: {
    number: String,
    times: ' * ',
    plus: ' + ',
    power: (name, exponent) => (numberOf(exponent) === 1 ? name : `${name} ** (${fractionText(exponent)})`),
    logarithm: (name, exponent) =>
      numberOf(exponent) === 1 ? `Math.log2(${name})` : `Math.log2(${name}) ** (${fractionText(exponent)})`,
    name: identifier,
  },
};

/** A formula as text; a constant of 0 is left out beside terms, and a coefficient of 1 beside factors. */
export function formulaText(
  { constant, terms }: Formula,
  parameters: readonly string[],
  style: FormulaStyle = 'text',
): string {
  const notation = notations[style];
  const parts = terms.map((term) => termText(term, parameters, notation));
  const all = constant !== 0 || parts.length === 0 ? [notation.number(constant), ...parts] : parts;
  const text = all.join(notation.plus);
  return style === 'latex' ? `$${text}$` : style === 'python' ? text.replaceAll('+-', '-') : text;
}

/** Formulas of parts of the range of the only parameter. */
export function segmentsText(
  segments: readonly Segment[],
  parameters: readonly string[],
  style: FormulaStyle = 'text',
): string {
  const name = notations[style].name(at(parameters, 0));
  const texts = segments.map(({ from, to, formula }) => {
    const condition = to === undefined ? `${name}>=${from ?? -Infinity}` : `${name}<=${to}`;
    return { text: formulaText(formula, parameters, style), condition };
  });
  switch (style) {
    case 'text':
    case 'latex':
      return texts.map(({ text, condition }) => `${text} for ${condition}`).join('\n');
    case 'python':
      return `${texts.map(({ text, condition }) => `${text} if ${condition} else `).join('')}float("nan")`;
    case 'javascript':
      return `${texts.map(({ text, condition }) => `${condition} ? ${text} : `).join('')}NaN`;
  }
}

function termText({ coefficient, factors }: Term, parameters: readonly string[], notation: Notation): string {
  const texts = factors.flatMap((factor) =>
    factorTexts(factor, notation.name(at(parameters, factor.parameter)), notation),
  );
  return (coefficient === 1 && texts.length > 0 ? texts : [notation.number(coefficient), ...texts]).join(
    notation.times,
  );
}

function factorTexts({ exponent, logExponent }: Factor, name: string, notation: Notation): readonly string[] {
  return [
    ...(exponent.numerator === 0 ? [] : [notation.power(name, exponent)]),
    ...(logExponent.numerator === 0 ? [] : [notation.logarithm(name, logExponent)]),
  ];
}

/** How a formula grows, for readers: `p · log₂ p`, `n²`, `n^(2/3) · p`; terms joined with “+”, and “constant” without terms. */
export function growthText(terms: readonly (readonly Factor[])[], parameters: readonly string[]): string {
  const texts = terms.map((factors) =>
    factors.map((factor) => readableFactor(factor, parameters)).join(' · '),
  );
  return texts.length === 0 ? 'constant' : texts.join(' + ');
}

/** A formula for readers: coefficients in the unit that `value` writes, such as `11.3 s + 0.42 s · p · log₂ p`. */
export function readableFormula(
  { constant, terms }: Formula,
  parameters: readonly string[],
  value: (value: number) => string,
): string {
  const parts = terms.map(
    ({ coefficient, factors }) => `${value(coefficient)} · ${growthText([factors], parameters)}`,
  );
  return (constant !== 0 || parts.length === 0 ? [value(constant), ...parts] : parts)
    .join(' + ')
    .replaceAll('+ -', '− ');
}

/** A model for readers; of several segments one formula after the other. */
export function readableModel(
  { formula, segments }: { readonly formula: Formula; readonly segments?: readonly Segment[] },
  parameters: readonly string[],
  value: (value: number) => string,
): string {
  const formulas = segments === undefined ? [formula] : segments.map((segment) => segment.formula);
  return formulas.map((one) => readableFormula(one, parameters, value)).join(', then ');
}

/** A model in one of the styles. */
export function modelText(
  { formula, segments }: { readonly formula: Formula; readonly segments?: readonly Segment[] },
  parameters: readonly string[],
  style: FormulaStyle = 'text',
): string {
  return segments === undefined
    ? formulaText(formula, parameters, style)
    : segmentsText(segments, parameters, style);
}

function readableFactor({ exponent, logExponent, parameter }: Factor, parameters: readonly string[]): string {
  const name = at(parameters, parameter);
  const parts = [
    ...(exponent.numerator === 0 ? [] : [`${name}${raised(exponent)}`]),
    ...(logExponent.numerator === 0 ? [] : [`log₂${raised(logExponent)} ${name}`]),
  ];
  return parts.join(' · ');
}

function raised(exponent: Fraction): string {
  if (exponent.denominator !== 1) return `^(${fractionText(exponent)})`;
  return exponent.numerator === 1 ? '' : Array.from(String(exponent.numerator), superscript).join('');
}

function superscript(character: string): string {
  return character === '-' ? '⁻' : at('⁰¹²³⁴⁵⁶⁷⁸⁹', Number(character));
}

/** Names of parameters come from files: nothing but a name may get into an expression. */
function identifier(name: string): string {
  const word = name.replaceAll(/\W/g, '_');
  return /^\d/.test(word) || word === '' ? `_${word}` : word;
}

function latexName(name: string): string {
  const escaped = name.replaceAll(
    /[\\{}$&#%_^~]/g,
    (character) => `\\${character === '\\' ? 'backslash' : character}{}`,
  );
  return name.length === 1 ? escaped : `\\mathrm{${escaped}}`;
}

function latexExponent(exponent: Fraction): string {
  return numberOf(exponent) === 1 ? '' : `^{${fractionText(exponent)}}`;
}

function latexNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-3 && size < 1e3)) return value.toFixed(3);
  const [digits = '0', exponent = '0'] = value.toExponential(3).split('e');
  return `${digits}\\times10^{${Number(exponent)}}`;
}
