import { at, atFloat } from '../at';
import { sumOf } from '../sums';

/**
 * Least squares by singular values, as LAPACK's `gelsd` with a relative cut-off: singular values up to `cutoff` times the largest count as 0,
 * and of all solutions the shortest is taken. One-sided Jacobi rotations (Demmel and Veselić, SIAM J. Matrix Anal. 13, 1992) find small singular
 * values of columns with very different lengths accurately, which decides here what is cut off.
 */
export interface Solution {
  readonly coefficients: Float64Array;
  /** The number of singular values above the cut-off. */
  readonly rank: number;
}

/** The distance between 1 and the next number. */
export const epsilon = Number.EPSILON;
const sweeps = 30;

/**
 * The shortest x with the least |A·x − y|².
 * @param columns of A, each as long as y
 */
export function leastSquares(
  columns: readonly Float64Array[],
  y: Float64Array,
  cutoff = epsilon * Math.max(columns.length, y.length),
): Solution {
  const count = columns.length;
  const rotated = columns.map((column) => Float64Array.from(column));
  const rotation = columns.map((_, i) => Float64Array.from(columns, (__, k) => (i === k ? 1 : 0)));
  orthogonalise(rotated, rotation);
  const lengths = rotated.map((column) => Math.sqrt(dot(column, column)));
  const limit = cutoff * Math.max(0, ...lengths);
  const coefficients = new Float64Array(count);
  let rank = 0;
  rotated.forEach((column, i) => {
    const length = at(lengths, i);
    if (!(length > limit)) return;
    rank += 1;
    const share = dot(column, y) / length / length;
    const direction = at(rotation, i);
    for (let k = 0; k < count; k++)
      coefficients[k] = atFloat(coefficients, k) + share * atFloat(direction, k);
  });
  return { coefficients, rank };
}

/** Rotates pairs of columns until all are orthogonal, and the rows of `rotation` with them. */
function orthogonalise(columns: readonly Float64Array[], rotation: readonly Float64Array[]): void {
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let turned = false;
    for (let i = 0; i < columns.length; i++)
      for (let k = i + 1; k < columns.length; k++) {
        const [first, second] = [at(columns, i), at(columns, k)];
        const [a, b, c] = [dot(first, first), dot(second, second), dot(first, second)];
        if (Math.abs(c) <= epsilon * Math.sqrt(a) * Math.sqrt(b)) continue;
        turned = true;
        const zeta = (b - a) / (2 * c);
        const tangent = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const cosine = 1 / Math.hypot(1, tangent);
        rotate(first, second, cosine, cosine * tangent);
        rotate(at(rotation, i), at(rotation, k), cosine, cosine * tangent);
      }
    if (!turned) return;
  }
}

function rotate(first: Float64Array, second: Float64Array, cosine: number, sine: number): void {
  for (let i = 0; i < first.length; i++) {
    const [u, v] = [atFloat(first, i), atFloat(second, i)];
    first[i] = cosine * u - sine * v;
    second[i] = sine * u + cosine * v;
  }
}

/** A line c0 + c1·g, written into `coefficients`. */
export class LineFit {
  constant = 0;
  coefficient = 0;
  readonly #ones: Float64Array;
  readonly #shape: Float64Array;

  constructor(readonly length: number) {
    this.#ones = new Float64Array(length);
    this.#shape = new Float64Array(length);
  }

  /**
   * `leastSquares` for the columns 1 and g, without the point at `omitted` (−1: with all points). What models of one parameter are made from: some
   * hundred fits each, and therefore without allocations.
   */
  fit(g: Float64Array, y: Float64Array, omitted: number): void {
    const [ones, shape] = [this.#ones, this.#shape];
    for (let i = 0; i < y.length; i++) {
      ones[i] = i === omitted ? 0 : 1;
      shape[i] = i === omitted ? 0 : atFloat(g, i);
    }
    // The rotation so far as [1 0; 0 1].
    let [cc, cs, sc, ss] = [1, 0, 0, 1];
    let a = omitted < 0 ? y.length : y.length - 1;
    let b = dot(shape, shape);
    let c = sumOf(shape);
    for (let sweep = 0; sweep < sweeps && Math.abs(c) > epsilon * Math.sqrt(a) * Math.sqrt(b); sweep++) {
      const zeta = (b - a) / (2 * c);
      const tangent = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
      const cosine = 1 / Math.sqrt(1 + tangent * tangent);
      const sine = cosine * tangent;
      rotate(ones, shape, cosine, sine);
      [cc, cs, sc, ss] = [
        cosine * cc - sine * sc,
        cosine * cs - sine * ss,
        sine * cc + cosine * sc,
        sine * cs + cosine * ss,
      ];
      a = dot(ones, ones);
      b = dot(shape, shape);
      c = dot(ones, shape);
    }
    const rows = omitted < 0 ? y.length : y.length - 1;
    const limit = epsilon * Math.max(2, rows) * Math.sqrt(Math.max(a, b));
    const first = Math.sqrt(a) > limit ? dot(ones, y) / a : 0;
    const second = Math.sqrt(b) > limit ? dot(shape, y) / b : 0;
    this.constant = first * cc + second * sc;
    this.coefficient = first * cs + second * ss;
  }
}

export function dot(first: Float64Array, second: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < first.length; i++) sum += atFloat(first, i) * atFloat(second, i);
  return sum;
}
