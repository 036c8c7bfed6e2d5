/** A reduced fraction with a positive denominator: exponents are exact, so that equal growth is equal. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

export const zero: Fraction = { numerator: 0, denominator: 1 };

/** The reduced fraction. @throws RangeError when the denominator is 0 or one of both is no integer */
export function fraction(numerator: number, denominator = 1): Fraction {
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator) || denominator === 0)
    throw new RangeError(`${numerator}/${denominator} is not a fraction of integers.`);
  const sign = denominator < 0 ? -1 : 1;
  const divisor = greatestCommonDivisor(Math.abs(numerator), Math.abs(denominator));
  // `+ 0` makes 0 of −0.
  return { numerator: (sign * numerator) / divisor + 0, denominator: (sign * denominator) / divisor };
}

/** The fraction that a decimal number such as 0.75 means, or undefined when it has more than nine decimal places. */
export function fractionOf(value: number): Fraction | undefined {
  for (let digits = 0, scale = 1; digits <= 9; digits++, scale *= 10) {
    const numerator = Math.round(value * scale);
    if (numerator / scale === value && Number.isSafeInteger(numerator)) return fraction(numerator, scale);
  }
  return undefined;
}

/** A fraction from a text such as `3/2`, `-1` or `0.25`; undefined for anything else. */
export function parseFraction(text: string): Fraction | undefined {
  const parts = /^\s*([+-]?\d{1,15})\s*\/\s*(\d{1,15})\s*$/.exec(text);
  if (parts !== null) {
    const denominator = Number(parts[2]);
    return denominator === 0 ? undefined : fraction(Number(parts[1]), denominator);
  }
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text) ? fractionOf(Number(text)) : undefined;
}

/** The mediant (a + c) / (b + d) of a/b and c/d, which lies between them (Stern–Brocot tree). */
export function mediant(left: Fraction, right: Fraction): Fraction {
  return fraction(left.numerator + right.numerator, left.denominator + right.denominator);
}

export function numberOf({ numerator, denominator }: Fraction): number {
  return numerator / denominator;
}

export function equalFractions(one: Fraction, other: Fraction): boolean {
  return one.numerator === other.numerator && one.denominator === other.denominator;
}

/** Such as `3/2`, or `2` for integers. */
export function fractionText({ numerator, denominator }: Fraction): string {
  return denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
}

function greatestCommonDivisor(first: number, second: number): number {
  let [a, b] = [first, second];
  while (b !== 0) [a, b] = [b, a % b];
  return a === 0 ? 1 : a;
}
