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
  const count = columns.length;
  const white = columns.map((column) => innovations(column, rho));
  const series = innovations(values, rho);
  const width = 2 * count + 1;
  const table = new Float64Array(count * width);
  const products = new Float64Array(count);
  white.forEach((column, i) => {
    const weighed = weights === undefined ? column : column.map((value, t) => value * atFloat(weights, t));
    for (let k = i; k < count; k++) {
      const product = productOf(weighed, at(white, k));
      table[i * width + k] = product;
      table[k * width + i] = product;
    }
    table[i * width + count + i] = 1;
    products[i] = productOf(weighed, series);
    table[i * width + 2 * count] = atFloat(products, i);
  });
  eliminate(table, count, width);
  const coefficients = new Float64Array(count);
  const inverse: Float64Array[] = [];
  let rss = series.reduce(
    (sum, value, t) => sum + value * value * (weights === undefined ? 1 : atFloat(weights, t)),
    0,
  );
  for (let i = 0; i < count; i++) {
    const coefficient = atFloat(table, i * width + 2 * count);
    coefficients[i] = coefficient;
    rss -= coefficient * atFloat(products, i);
    inverse.push(table.subarray(i * width + count, i * width + 2 * count));
  }
  return { coefficients, inverse, rss: Math.max(0, rss) };
}

function innovations(values: Float64Array, rho: number): Float64Array {
  const result = new Float64Array(values.length);
  result[0] = Math.sqrt(1 - rho * rho) * atFloat(values, 0);
  for (let t = 1; t < values.length; t++) result[t] = atFloat(values, t) - rho * atFloat(values, t - 1);
  return result;
}

function productOf(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < one.length; t++) sum += atFloat(one, t) * atFloat(other, t);
  return sum;
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
