/** Formulas in which the same parameters matter: sums of some of their products. */
export interface SearchForm {
  /** Positions of the parameters that matter. */
  readonly parameters: readonly number[];
  /** Products that sums are made of, as positions in `parameters`; the first one, of nothing, is the constant. */
  readonly monomials: readonly (readonly number[])[];
  /** Positions in `monomials`, for each sum. */
  readonly sums: readonly (readonly number[])[];
  /** Logarithm of the probability of each sum before anything is measured, apart from the growths. */
  readonly logPrior: number;
}

/** The most terms of a sum, without the constant. */
const mostTerms = 3;
const made = new Map<number, readonly SearchForm[]>();

/** The largest number of monomials of a form. */
export function mostMonomials(parameters: number): number {
  return 2 ** parameters;
}

/** The forms for a number of parameters: how many matter, which ones and how they are combined is equally probable each. */
export function formsOf(parameters: number): readonly SearchForm[] {
  const known = made.get(parameters);
  if (known !== undefined) return known;
  const sets = subsets(parameters);
  const forms = sets.map((set): SearchForm => {
    const alike = sets.filter(({ length }) => length === set.length).length;
    const monomials = subsets(set.length);
    const sums = set.length === 0 ? [[0]] : sumsOf(monomials, set.length);
    return { parameters: set, monomials, sums, logPrior: -Math.log((parameters + 1) * alike * sums.length) };
  });
  made.set(parameters, forms);
  return forms;
}

/** Sums of up to three products that contain all parameters, with and without a constant. */
function sumsOf(
  monomials: readonly (readonly number[])[],
  parameters: number,
): readonly (readonly number[])[] {
  const products = monomials.map((_, i) => i).slice(1);
  const sums = combinations(products, mostTerms).filter(
    (sum) => new Set(sum.flatMap((product) => monomials[product] ?? [])).size === parameters,
  );
  return sums.flatMap((sum) => [[0, ...sum], sum]);
}

/** Subsets of 0 … count − 1. */
function subsets(count: number): (readonly number[])[] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (__, i) => i).filter((i) => ((bits >> i) & 1) === 1),
  );
}

/** Choices of one to `most` items, in order. */
function combinations(items: readonly number[], most: number): readonly (readonly number[])[] {
  if (most === 0) return [];
  return items.flatMap((item, i) => [
    [item],
    ...combinations(items.slice(i + 1), most - 1).map((others) => [item, ...others]),
  ]);
}
