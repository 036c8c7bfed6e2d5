import { atFloat, atUint } from './at';

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

/** The sums of the columns of a table with `width` columns, row after row. */
export function columnSums(cells: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let row = 0; row < cells.length; row += width) addTo(sums, cells.subarray(row, row + width));
  return sums;
}

/** The largest of these sums; at least 0. */
export function largestColumn(cells: Float64Array, width: number): number {
  return largestOf(columnSums(cells, width), 0);
}

/** `Math.max` of values that may be more than a function can have arguments; without any, the least. */
export function largestOf(values: Iterable<number>, least = -Infinity): number {
  let most = least;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Values at some positions. */
export function pick(values: Float64Array, positions: Uint32Array): Float64Array {
  // Several times as fast as `Float64Array.from` with a function.
  const picked = new Float64Array(positions.length);
  for (let i = 0; i < picked.length; i++) picked[i] = atFloat(values, atUint(positions, i));
  return picked;
}
