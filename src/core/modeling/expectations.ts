import { at } from '../at';
import { KymoError } from '../errors';
import type { Factor, Formula } from './formula';
import { fraction, numberOf, parseFraction, zero, type Fraction } from './fraction';

/** How a function is expected to grow, as an upper limit: `O(n log n)`, `n^2 * log(p)`, `sqrt(n) + p`, `1`. */
export interface Expectation {
  /** The text that the user wrote. */
  readonly text: string;
  /** A sum of products; the empty product is a constant. */
  readonly terms: readonly (readonly Factor[])[];
}

/**
 * Reads a growth. Products are written with `*`, `·` or a blank; logarithms as `log n`, `log2(n)`, `log^2(n)`; powers as `n^2`, `n^(3/2)`, `n²`, `n⁻¹` or `sqrt(n)`.
 * @throws KymoError `expectation-invalid`
 */
export function parseExpectation(text: string, parameters: readonly string[]): Expectation {
  const inner = /^\s*O\((.*)\)\s*$/s.exec(text)?.[1] ?? text;
  const reader = new Reader(inner, text, parameters);
  try {
    return { text, terms: reader.sum() };
  } catch (error) {
    // Exponents that are too large for a fraction.
    throw error instanceof RangeError ? reader.wrong() : error;
  }
}

/** Whether a formula grows faster than expected with one of the parameters, when that gets large. */
export function isWorse(
  { terms }: Pick<Formula, 'terms'>,
  expectation: Expectation,
  parameters: number,
): boolean {
  const actual = terms.filter(({ coefficient }) => coefficient > 0).map(({ factors }) => factors);
  return Array.from({ length: parameters }, (_, parameter) => parameter).some((parameter) => {
    const [is, expected] = [leading(actual, parameter), leading(expectation.terms, parameter)];
    return (
      is.exponent > expected.exponent ||
      (is.exponent === expected.exponent && is.logExponent > expected.logExponent)
    );
  });
}

interface Lead {
  readonly exponent: number;
  readonly logExponent: number;
}

/** The growth of the term that is the largest for large values of a parameter. */
function leading(terms: readonly (readonly Factor[])[], parameter: number): Lead {
  return terms
    .map((factors): Lead => {
      const factor = factors.find((one) => one.parameter === parameter);
      return factor === undefined
        ? { exponent: 0, logExponent: 0 }
        : { exponent: numberOf(factor.exponent), logExponent: numberOf(factor.logExponent) };
    })
    .reduce(
      (largest, one) =>
        (one.exponent - largest.exponent || one.logExponent - largest.logExponent) > 0 ? one : largest,
      {
        exponent: terms.length === 0 ? 0 : -Infinity,
        logExponent: 0,
      },
    );
}

/** Reads sums of products from left to right. */
class Reader {
  #position = 0;
  /** The longest first: `np` is one name where `n` and `p` are others. */
  readonly #names: readonly string[];

  constructor(
    private readonly text: string,
    private readonly whole: string,
    private readonly parameters: readonly string[],
  ) {
    this.#names = [...parameters].sort((a, b) => b.length - a.length);
  }

  sum(): readonly (readonly Factor[])[] {
    const terms = [this.#product()];
    while (this.#takes(/^\+/)) terms.push(this.#product());
    if (this.#rest() !== '') throw this.wrong();
    return terms;
  }

  #product(): readonly Factor[] {
    const powers = this.parameters.map(() => ({ exponent: zero, logExponent: zero }));
    let found = false;
    for (;;) {
      this.#takes(/^[*·]/);
      if (this.#takes(/^(log2|log₂|log|ln|lg)(?![a-z0-9])/i)) this.#logarithm(powers);
      else if (this.#takes(/^(sqrt|√)/i)) this.#root(powers);
      else if (!this.#takes(/^\d+(\.\d+)?/)) {
        const parameter = this.#parameter();
        if (parameter < 0) break;
        const power = at(powers, parameter);
        power.exponent = sumOf(power.exponent, this.#power());
      }
      found = true;
    }
    if (!found) throw this.wrong();
    return powers.flatMap((power, parameter) =>
      power.exponent.numerator === 0 && power.logExponent.numerator === 0 ? [] : [{ parameter, ...power }],
    );
  }

  #logarithm(powers: readonly { logExponent: Fraction }[]): void {
    const before = this.#power();
    const power = at(powers, this.#argument());
    power.logExponent = sumOf(power.logExponent, before);
  }

  #root(powers: readonly { exponent: Fraction }[]): void {
    const power = at(powers, this.#argument());
    power.exponent = sumOf(power.exponent, fraction(1, 2));
  }

  /** A parameter, with or without parentheses. */
  #argument(): number {
    const open = this.#takes(/^\(/);
    const parameter = this.#parameter();
    if (parameter < 0 || (open && !this.#takes(/^\)/))) throw this.wrong();
    return parameter;
  }

  #parameter(): number {
    const rest = this.#rest();
    const name = this.#names.find((one) => one !== '' && rest.startsWith(one));
    if (name === undefined) return -1;
    this.#position = this.text.length - rest.length + name.length;
    return this.parameters.indexOf(name);
  }

  /** The exponent that follows, or 1. */
  #power(): Fraction {
    const raised = this.#match(/^⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/);
    if (raised !== undefined)
      return fraction(
        Number(raised.replaceAll(/./g, (sign) => '-0123456789'.charAt('⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)))),
      );
    if (!this.#takes(/^\^|^\*\*/)) return fraction(1);
    const text = this.#match(/^\(\s*-?[\d./\s]+\)|^-?\d+(\.\d+)?/);
    const exponent = text === undefined ? undefined : parseFraction(text.replaceAll(/[()]/g, ''));
    if (exponent === undefined) throw this.wrong();
    return exponent;
  }

  #takes(pattern: RegExp): boolean {
    return this.#match(pattern) !== undefined;
  }

  #match(pattern: RegExp): string | undefined {
    const rest = this.#rest();
    const [text] = pattern.exec(rest) ?? [];
    if (text !== undefined) this.#position = this.text.length - rest.length + text.length;
    return text;
  }

  #rest(): string {
    return this.text.slice(this.#position).trimStart();
  }

  wrong(): KymoError {
    const names = this.parameters.join(', ');
    const place = this.#rest() === '' ? 'its end' : `“${this.#rest().slice(0, 40)}”`;
    return new KymoError(
      'expectation-invalid',
      `“${this.whole}” is no growth: the parameters ${names} with powers and logarithms, such as O(${at(this.parameters, 0)} log ${at(this.parameters, 0)}), were expected at ${place}.`,
    );
  }
}

function sumOf(one: Fraction, other: Fraction): Fraction {
  return fraction(
    one.numerator * other.denominator + other.numerator * one.denominator,
    one.denominator * other.denominator,
  );
}
