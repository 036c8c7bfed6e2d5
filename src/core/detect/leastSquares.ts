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
    const count = this.#count;
    const rows = Array.from({ length: count }, (_, i) =>
      Float64Array.from({ length: 2 * count + 1 }, (__, k) => {
        if (k < count) return this.#product(i, k, rho);
        return k < 2 * count ? Number(k - count === i) : this.#product(i, count, rho);
      }),
    );
    eliminate(rows);
    const coefficients = Float64Array.from(rows, (row) => atFloat(row, 2 * count));
    let rss = this.#product(count, count, rho);
    coefficients.forEach((coefficient, i) => {
      rss -= coefficient * this.#product(i, count, rho);
    });
    return { coefficients, inverse: rows.map((row) => row.slice(count, 2 * count)), rss: Math.max(0, rss) };
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

/** Gauss and Jordan, of a matrix that is positive definite; a column that depends on those before it gets nothing. */
function eliminate(rows: readonly Float64Array[]): void {
  const sizes = rows.map((row, i) => atFloat(row, i));
  rows.forEach((row, i) => {
    const pivot = atFloat(row, i);
    if (!(pivot > 1e-9 * at(sizes, i))) {
      row.fill(0);
      return;
    }
    for (let k = 0; k < row.length; k++) row[k] = atFloat(row, k) / pivot;
    for (const other of rows) {
      if (other === row) continue;
      const factor = atFloat(other, i);
      for (let k = 0; k < row.length; k++) other[k] = atFloat(other, k) - factor * atFloat(row, k);
    }
  });
}
