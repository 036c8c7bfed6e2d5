import type { Factor, Formula, Segment } from './formula';
import { growthText } from './formulaText';
import { numberOf } from './fraction';

/** How a model grows when its parameters get large. */
export interface GrowthClass {
  /** The terms that outgrow the others: `n² · log₂ p`, `n + p`; “constant” without terms. */
  readonly text: string;
  /** Orders classes: the larger, the faster the growth with the parameter that matters most. */
  readonly order: number;
}

/** The growth of a formula, or of the last one where the behaviour changes. */
export function growthClass(
  { formula, segments }: { readonly formula: Formula; readonly segments?: readonly Segment[] },
  parameters: readonly string[],
): GrowthClass {
  const { terms } = segments?.at(-1)?.formula ?? formula;
  const all = terms.filter(({ coefficient }) => coefficient !== 0).map(({ factors }) => factors);
  const leading = all.filter(
    (factors, position) =>
      !all.some((other, place) => place !== position && outgrows(other, factors, place < position)),
  );
  const sorted = leading
    .map((factors) => ({ factors, text: growthText([factors], parameters), order: orderOf(factors) }))
    .sort((a, b) => b.order - a.order || (a.text < b.text ? -1 : 1));
  return {
    text: growthText(
      sorted.map(({ factors }) => factors),
      parameters,
    ),
    order: sorted[0]?.order ?? 0,
  };
}

/** Whether a product is at least as large in each parameter; of equal ones the first. */
function outgrows(one: readonly Factor[], other: readonly Factor[], isFirst: boolean): boolean {
  const parameters = new Set([...one, ...other].map(({ parameter }) => parameter));
  const differences = [...parameters].map((parameter) => powerOf(one, parameter) - powerOf(other, parameter));
  return (
    differences.every((difference) => difference >= 0) && (isFirst || differences.some((one) => one > 0))
  );
}

/** Logarithms grow less than any power. */
const ofLogarithm = 1e-3;

function powerOf(factors: readonly Factor[], parameter: number): number {
  return orderOf(factors.filter((one) => one.parameter === parameter));
}

function orderOf(factors: readonly Factor[]): number {
  return factors.reduce(
    (sum, { exponent, logExponent }) => sum + numberOf(exponent) + ofLogarithm * numberOf(logExponent),
    0,
  );
}
