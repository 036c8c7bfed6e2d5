import { atFloat } from './at';

/** Sum of values[from … to], both inclusive and clamped to the array. */
export function sumOf(values: Float64Array, from = 0, to = values.length - 1): number {
  const last = Math.min(values.length - 1, to);
  let sum = 0;
  for (let i = Math.max(0, from); i <= last; i++) sum += atFloat(values, i);
  return sum;
}

/** Adds values to the sums at the same positions. */
export function addTo(sums: Float64Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) sums[i] = atFloat(sums, i) + atFloat(values, i);
}

/** The largest sum of a column of a table with `width` columns, row after row; at least 0. */
export function largestColumn(cells: Float64Array, width: number): number {
  const sums = new Float64Array(width);
  for (let row = 0; row < cells.length; row += width) addTo(sums, cells.subarray(row, row + width));
  return Math.max(0, ...sums);
}
