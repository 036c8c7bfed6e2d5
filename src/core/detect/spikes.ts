import { atByte, atFloat } from '../at';
import { levelLength } from './noise';
import { difference, differenceScale, isDiscrete, quantile } from './robust';

/** Of the largest value: clocks and printed numbers are rounded. */
const leastScale = 1e-6;
/** Standard deviations above the neighbourhood below which nothing is a spike, however far it is from the others. */
const leastHeight = 4;
const fewestValues = 6;

/**
 * Flags single values, and up to three in a row, that stand out above their neighbourhood: all above the lowest gap in the upper tail of the residuals from the
 * running median that an exponential tail with the spacings below it would not have (Rényi, 1953). So skewed noise has none, and one spike or fifty are found alike.
 * @param median running median of the values
 * @param alarm share of series that have a spike by chance
 */
export function findSpikes(values: Float64Array, median: Float64Array, alarm: number): Uint8Array {
  const { length } = values;
  const flags = new Uint8Array(length);
  if (length < fewestValues) return flags;
  const residuals = difference(values, median);
  // There, the median is that of values on one side, which a slope puts below.
  for (const [end, next, third] of [
    [0, 1, 2],
    [length - 1, length - 2, length - 3],
  ] as const) {
    const onLine = 2 * atFloat(values, next) - atFloat(values, third);
    residuals[end] = Math.min(atFloat(residuals, end), atFloat(values, end) - onLine);
  }
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const limit = limitOf(
    residuals.slice().sort(),
    Math.max(differenceScale(values), leastScale * largest),
    isDiscrete(values) && length >= 20,
    alarm,
  );
  let from = 0;
  while (from < length) {
    const isHigh = atFloat(residuals, from) >= limit;
    let to = from + 1;
    while (to < length && atFloat(residuals, to) >= limit === isHigh) to++;
    if (isHigh && to - from < levelLength) flags.fill(1, from, to);
    from = to;
  }
  return flags;
}

/**
 * The lowest residual above the gap; infinite without one.
 * @param noise scale of differences: on a slope, the median is mostly the value itself
 */
function limitOf(sorted: Float64Array, noise: number, hasFewLevels: boolean, alarm: number): number {
  const { length } = sorted;
  const middle = quantile(sorted, 0.5);
  const scale = Math.max(
    (quantile(sorted, 0.75) - middle) / 0.6745,
    (middle - quantile(sorted, 0.25)) / 0.6745 / 3,
    hasFewLevels ? Math.sqrt(sorted.reduce((sum, value) => sum + value * value, 0) / length) : 0,
    noise,
  );
  let sum = 0;
  const first = Math.floor(0.75 * length) + 1;
  for (let i = first; i < length; i++) {
    const gap = atFloat(sorted, i) - atFloat(sorted, i - 1);
    const spacing = (length - i) * gap;
    const count = i - first;
    const usual = Math.max(count > 2 ? sum / count : 0, 0.35 * scale);
    const isFar = atFloat(sorted, i) > leastHeight * scale && gap > 0.5 * scale;
    if (count >= 2 && isFar && spacing > usual * Math.log(length / alarm)) return atFloat(sorted, i);
    sum += spacing;
  }
  return Infinity;
}

/** Positions that are flagged. */
export function flagged(flags: Uint8Array): readonly number[] {
  const positions: number[] = [];
  for (let i = 0; i < flags.length; i++) if (atByte(flags, i) === 1) positions.push(i);
  return positions;
}
