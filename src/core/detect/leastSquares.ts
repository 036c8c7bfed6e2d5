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
  const white = (series: Float64Array): Float64Array =>
    series.map((value, t) => {
      const own = t === 0 ? value * Math.sqrt(1 - rho * rho) : value - rho * atFloat(series, t - 1);
      return weights === undefined ? own : own * Math.sqrt(atFloat(weights, t));
    });
  const left = white(values);
  const made = columns.map(white);
  const count = made.length;
  const rows = made.map((column, i) =>
    Float64Array.from({ length: 2 * count + 1 }, (_, k) => {
      if (k < count) return product(column, at(made, k));
      return k < 2 * count ? Number(k - count === i) : product(column, left);
    }),
  );
  eliminate(rows);
  const coefficients = Float64Array.from(rows, (row) => atFloat(row, 2 * count));
  made.forEach((column, i) => {
    const factor = atFloat(coefficients, i);
    for (let t = 0; t < left.length; t++) left[t] = atFloat(left, t) - factor * atFloat(column, t);
  });
  return { coefficients, inverse: rows.map((row) => row.slice(count, 2 * count)), rss: product(left, left) };
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

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < a.length; t++) sum += atFloat(a, t) * atFloat(b, t);
  return sum;
}
