import { at, atFloat } from '../../at';
import { dot } from '../leastSquares';

/** Which coefficients may be negative; the first column is the constant. */
export type Negative = 'all' | 'terms' | 'none';

/** Columns whose independent part is a smaller share of their squares count as dependent. */
const dependent = 1e-12;

/**
 * Products of weighted columns, from which all sums of some of them are fitted: no fit touches the points again. One object serves many fits, because
 * some hundred of them make one model; results hold until the next call.
 */
export class Gram {
  /** Coefficients of the last fit, in the order of the chosen columns. */
  readonly coefficients: Float64Array;
  /** Weighted squares of what the last fit misses; inexact far below `ySquares`. */
  squares = 0;
  /** Logarithm of the determinant of the products of the chosen columns. */
  logDeterminant = 0;
  ySquares = 0;
  readonly #products: Float64Array;
  readonly #withY: Float64Array;
  readonly #lower: Float64Array;
  #weighted = new Float64Array(0);

  constructor(private readonly most: number) {
    this.coefficients = new Float64Array(most);
    this.#products = new Float64Array(most * most);
    this.#withY = new Float64Array(most);
    this.#lower = new Float64Array(most * most);
  }

  /** @param columns values at the points, of like size */
  load(columns: readonly Float64Array[], ys: Float64Array, weights: Float64Array): void {
    const count = columns.length;
    if (this.#weighted.length !== ys.length) this.#weighted = new Float64Array(ys.length);
    const weighted = this.#weighted;
    weight(ys, weights, weighted);
    this.ySquares = dot(weighted, ys);
    for (let i = 0; i < count; i++) {
      weight(at(columns, i), weights, weighted);
      this.#withY[i] = dot(weighted, ys);
      for (let k = 0; k <= i; k++) {
        const product = dot(weighted, at(columns, k));
        this.#products[i * this.most + k] = product;
        this.#products[k * this.most + i] = product;
      }
    }
  }

  /** Fits some columns, by Cholesky's decomposition. False: they are not independent, or a coefficient is negative that may not be. */
  fit(chosen: readonly number[], negative: Negative): boolean {
    if (!this.#decompose(chosen)) return false;
    const { coefficients } = this;
    const size = chosen.length;
    for (let i = 0; i < size; i++) coefficients[i] = atFloat(this.#withY, at(chosen, i));
    this.#solve(coefficients, size);
    let explained = 0;
    for (let i = 0; i < size; i++) {
      const coefficient = atFloat(coefficients, i);
      if (coefficient < 0 && (negative === 'none' || (negative === 'terms' && at(chosen, i) === 0)))
        return false;
      explained += coefficient * atFloat(this.#withY, at(chosen, i));
    }
    this.squares = Math.max(0, this.ySquares - explained);
    return true;
  }

  /** The inverse of the products of the columns of the last fit, row after row. */
  inverse(size: number): Float64Array {
    const inverse = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      const row = inverse.subarray(i * size, (i + 1) * size);
      row[i] = 1;
      this.#solve(row, size);
    }
    return inverse;
  }

  #decompose(chosen: readonly number[]): boolean {
    const lower = this.#lower;
    const size = chosen.length;
    this.logDeterminant = 0;
    for (let i = 0; i < size; i++) {
      const row = at(chosen, i) * this.most;
      for (let k = 0; k < i; k++) {
        let sum = atFloat(this.#products, row + at(chosen, k));
        for (let m = 0; m < k; m++) sum -= atFloat(lower, i * size + m) * atFloat(lower, k * size + m);
        lower[i * size + k] = sum / atFloat(lower, k * size + k);
      }
      const full = atFloat(this.#products, row + at(chosen, i));
      let rest = full;
      for (let m = 0; m < i; m++) rest -= atFloat(lower, i * size + m) ** 2;
      if (!(rest > full * dependent)) return false;
      lower[i * size + i] = Math.sqrt(rest);
      this.logDeterminant += Math.log(rest);
    }
    return true;
  }

  /** Solves L·Lᵀ·x = b in place. */
  #solve(b: Float64Array, size: number): void {
    const lower = this.#lower;
    for (let i = 0; i < size; i++) {
      let sum = atFloat(b, i);
      for (let k = 0; k < i; k++) sum -= atFloat(lower, i * size + k) * atFloat(b, k);
      b[i] = sum / atFloat(lower, i * size + i);
    }
    for (let i = size - 1; i >= 0; i--) {
      let sum = atFloat(b, i);
      for (let k = i + 1; k < size; k++) sum -= atFloat(lower, k * size + i) * atFloat(b, k);
      b[i] = sum / atFloat(lower, i * size + i);
    }
  }
}

function weight(column: Float64Array, weights: Float64Array, into: Float64Array): void {
  for (let i = 0; i < column.length; i++) into[i] = atFloat(column, i) * atFloat(weights, i);
}
