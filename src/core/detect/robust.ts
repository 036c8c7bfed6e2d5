import { at, atByte, atFloat } from '../at';

/** Quantile of sorted values, between neighbours linearly. */
export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const value = atFloat(sorted, low);
  return place === low ? value : value + (place - low) * (atFloat(sorted, low + 1) - value);
}

/** Quantile of the normal distribution to 5e-4 (Abramowitz and Stegun, 26.2.23). @param probability between 0 and 1, exclusive */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t * t;
  return above / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t) - t;
}

/** Values on each side of the middle of a running median, for a series of this length. */
export function medianReach(length: number): number {
  return Math.min(12, Math.max(2, Math.floor(length / 8)));
}

/** Running median of `reach` values on both sides; of fewer near the ends, but of three at least: a level that changes shortly before an end stays one. */
export function runningMedian(values: Float64Array, reach = medianReach(values.length)): Float64Array {
  const last = values.length - 1;
  const window: number[] = [];
  let [low, high] = [0, -1];
  const add = (value: number): void => void window.splice(placeIn(window, value), 0, value);
  return values.map((_, i) => {
    const own = Math.max(1, Math.min(reach, i, last - i));
    const from = Math.max(0, Math.min(i - own, last - 2 * own));
    const to = Math.min(last, Math.max(i + own, 2 * own));
    while (high < to) add(atFloat(values, ++high));
    while (low > from) add(atFloat(values, --low));
    while (low < from) window.splice(placeIn(window, atFloat(values, low++)), 1);
    while (high > to) window.splice(placeIn(window, atFloat(values, high--)), 1);
    const middle = window.length >> 1;
    return window.length % 2 === 1 ? at(window, middle) : (at(window, middle - 1) + at(window, middle)) / 2;
  });
}

/** Of the first one that is not smaller. */
function placeIn(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (at(sorted, middle) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Standard deviation of noise without memory by second differences, which a slope does not change. */
export function differenceScale(values: Float64Array): number {
  if (values.length < 3) return 0;
  const sizes = values
    .subarray(2)
    .map((value, i) => Math.abs(atFloat(values, i) - 2 * atFloat(values, i + 1) + value));
  return quantile(sizes.sort(), 0.5) / normalQuantile(0.75) / Math.sqrt(6);
}

/** At each position the running median of the values that are not flagged. */
export function medianOfOthers(values: Float64Array, flags: Uint8Array): Float64Array {
  const median = runningMedian(values.filter((_, i) => atByte(flags, i) === 0));
  let next = 0;
  return values.map((_, i) =>
    atFloat(median, Math.min(median.length - 1, atByte(flags, i) === 0 ? next++ : next)),
  );
}

/** Whether the values are counts or rounded, so that most of them are equal to others. */
export function isDiscrete(values: Float64Array): boolean {
  const most = Math.min(30, 0.3 * values.length);
  const different = new Set<number>();
  for (const value of values) if (different.add(value).size >= most) return false;
  return true;
}
