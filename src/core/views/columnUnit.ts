/** The values that decide the unit of a column of times, once for all of its rows. */

/** The largest value without its sign; 0 where there is none. */
export function largestOf(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Number.isFinite(value) ? Math.abs(value) : 0);
  return largest;
}

/** The median of what is not 0, for columns over many orders of magnitude, where most rows would be nothing beside the largest. */
export function typicalOf(values: Iterable<number>): number {
  const sizes = Float64Array.from(values, Math.abs).filter((size) => size > 0 && Number.isFinite(size));
  sizes.sort();
  return sizes[sizes.length >> 1] ?? 0;
}
