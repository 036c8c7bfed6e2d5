import { at, atFloat } from '../at';

/** Generalised least squares of a few columns under first-order autoregressive noise. */
export interface ColumnsFit {
  readonly coefficients: Float64Array;
  /** Times the variance of the innovations, the covariance of the coefficients; by row. */
  readonly inverse: readonly Float64Array[];
  /** Squared innovations that are left. */
  readonly rss: number;
}

export function fitColumns(
  values: Float64Array,
  columns: readonly Float64Array[],
  rho: number,
  weights?: Float64Array,
): ColumnsFit {
  return new Columns(values, columns, weights).fit(rho);
}

/**
 * Columns and a series, for fits with any autocorrelation: a product of two whitened ones is, with w₀ = 1 − ρ², w₀·x₀y₀ + Σ xₜyₜ − ρ·Σ (xₜyₜ₋₁ + xₜ₋₁yₜ) + ρ²·Σ xₜ₋₁yₜ₋₁.
 */
export class Columns {
  readonly #count: number;
  /** By pair of columns, the series being the last one: the four sums. */
  readonly #first: Float64Array;
  readonly #now: Float64Array;
  readonly #across: Float64Array;
  readonly #before: Float64Array;

  constructor(values: Float64Array, columns: readonly Float64Array[], weights?: Float64Array) {
    const all = [...columns, values];
    const size = all.length;
    this.#count = columns.length;
    const table = (): Float64Array => new Float64Array(size * size);
    [this.#first, this.#now, this.#across, this.#before] = [table(), table(), table(), table()];
    for (let i = 0; i < size; i++)
      for (let k = i; k < size; k++) {
        const [x, y] = [at(all, i), at(all, k)];
        let [now, across, before] = [0, 0, 0];
        for (let t = 1; t < values.length; t++) {
          const weight = weights === undefined ? 1 : atFloat(weights, t);
          const [own, last] = [atFloat(x, t) * weight, atFloat(x, t - 1) * weight];
          now += own * atFloat(y, t);
          across += own * atFloat(y, t - 1) + last * atFloat(y, t);
          before += last * atFloat(y, t - 1);
        }
        const weight = weights === undefined ? 1 : atFloat(weights, 0);
        const place = i * size + k;
        this.#first[place] = weight * atFloat(x, 0) * atFloat(y, 0);
        [this.#now[place], this.#across[place], this.#before[place]] = [now, across, before];
      }
  }

  fit(rho: number): ColumnsFit {
    return solved(this.#count, (i, k) => this.#product(i, k, rho));
  }

  #product(one: number, other: number, rho: number): number {
    const place = Math.min(one, other) * (this.#count + 1) + Math.max(one, other);
    return (
      (1 - rho * rho) * atFloat(this.#first, place) +
      atFloat(this.#now, place) -
      rho * atFloat(this.#across, place) +
      rho * rho * atFloat(this.#before, place)
    );
  }
}

/**
 * Least squares by the products of columns with each other and with the series.
 * @param product of two of them; `count` stands for the series
 */
export function solved(count: number, product: (i: number, k: number) => number): ColumnsFit {
  const width = 2 * count + 1;
  const table = new Float64Array(count * width);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < count; k++) table[i * width + k] = product(i, k);
    table[i * width + count + i] = 1;
    table[i * width + 2 * count] = product(i, count);
  }
  eliminate(table, count, width);
  const coefficients = new Float64Array(count);
  const inverse: Float64Array[] = [];
  let rss = product(count, count);
  for (let i = 0; i < count; i++) {
    const coefficient = atFloat(table, i * width + 2 * count);
    coefficients[i] = coefficient;
    rss -= coefficient * product(i, count);
    inverse.push(table.subarray(i * width + count, i * width + 2 * count));
  }
  return { coefficients, inverse, rss: Math.max(0, rss) };
}

/** What the columns leave of the last one, by the products of all; the products are lost. */
export function leftOf(products: Float64Array, size: number): number {
  for (let i = 0; i < size - 1; i++) {
    const pivot = atFloat(products, i * size + i);
    if (!(pivot > 0)) continue;
    for (let row = i + 1; row < size; row++) {
      const factor = atFloat(products, i * size + row) / pivot;
      if (factor === 0) continue;
      for (let k = row; k < size; k++)
        products[row * size + k] =
          atFloat(products, row * size + k) - factor * atFloat(products, i * size + k);
    }
  }
  return Math.max(0, atFloat(products, size * size - 1));
}

/** Gauss and Jordan, of a matrix that is positive definite, by row; a column that depends on those before it gets nothing. */
function eliminate(table: Float64Array, count: number, width: number): void {
  const sizes = Float64Array.from({ length: count }, (_, i) => atFloat(table, i * width + i));
  for (let i = 0; i < count; i++) {
    const own = i * width;
    const pivot = atFloat(table, own + i);
    if (!(pivot > 1e-9 * atFloat(sizes, i))) {
      table.fill(0, own, own + width);
      continue;
    }
    for (let k = 0; k < width; k++) table[own + k] = atFloat(table, own + k) / pivot;
    for (let row = 0; row < count; row++) {
      const factor = atFloat(table, row * width + i);
      if (row === i || factor === 0) continue;
      for (let k = 0; k < width; k++)
        table[row * width + k] = atFloat(table, row * width + k) - factor * atFloat(table, own + k);
    }
  }
}
