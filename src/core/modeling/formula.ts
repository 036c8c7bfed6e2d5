import { at } from '../at';
import { equalFractions, numberOf, type Fraction } from './fraction';

/** x^exponent · log2(x)^logExponent of one parameter (performance model normal form, Calotoiu et al., SC 2013). */
export interface Factor {
  /** Position of the parameter in the measurements. */
  readonly parameter: number;
  readonly exponent: Fraction;
  readonly logExponent: Fraction;
}

/** A coefficient, in the unit of the metric, times factors of different parameters. */
export interface Term {
  readonly coefficient: number;
  readonly factors: readonly Factor[];
}

/** constant + Σ terms. */
export interface Formula {
  readonly constant: number;
  readonly terms: readonly Term[];
}

/** A formula for a part of the range of the only parameter: `from` ≤ x ≤ `to`; absent: unbounded. */
export interface Segment {
  readonly from?: number;
  readonly to?: number;
  readonly formula: Formula;
}

/** The value of a factor at a value of its parameter. */
export function factorValue({ exponent, logExponent }: Omit<Factor, 'parameter'>, value: number): number {
  const power = exponent.numerator === 0 ? 1 : value ** numberOf(exponent);
  return logExponent.numerator === 0 ? power : power * Math.log2(value) ** numberOf(logExponent);
}

/** The value of a term without its coefficient. */
export function termShape({ factors }: Pick<Term, 'factors'>, point: readonly number[]): number {
  return factors.reduce((product, factor) => product * factorValue(factor, at(point, factor.parameter)), 1);
}

/** The value of a formula at a point, in the unit of the metric. */
export function formulaValue({ constant, terms }: Formula, point: readonly number[]): number {
  return terms.reduce((sum, term) => sum + term.coefficient * termShape(term, point), constant);
}

/** The value of the segment that contains the point's first parameter; NaN between segments. */
export function segmentsValue(segments: readonly Segment[], point: readonly number[]): number {
  const value = at(point, 0);
  const segment = segments.find(({ from = -Infinity, to = Infinity }) => from <= value && value <= to);
  return segment === undefined ? NaN : formulaValue(segment.formula, point);
}

/** Whether two factors grow alike. */
export function equalFactors(one: Factor, other: Factor): boolean {
  return (
    one.parameter === other.parameter &&
    equalFractions(one.exponent, other.exponent) &&
    equalFractions(one.logExponent, other.logExponent)
  );
}
