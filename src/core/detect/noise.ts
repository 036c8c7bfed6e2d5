/** What noise does to the evidence, taken out of a series: tails, skew, changes of its variance. `base` is what the series is without noise, as far as it is known. */
import { atByte, atFloat, atInt } from '../at';
import { remembered } from '../remembered';
import {
  ascending,
  difference,
  differenceScale,
  isDiscrete,
  normalQuantile,
  quantile,
  quantileInPlace,
} from './robust';

/** Values in a row that are far away on the same side: fewer are outliers, so many are a level. */
export const levelLength = 4;

/**
 * The series with normal noise of the same scale: each residual becomes the normal score of its rank (van der Waerden, 1952), so that tails and skew are gone and the
 * order stays. Of counts and rounded values nothing is changed.
 */
export function withNormalNoise(values: Float64Array, base: Float64Array): Float64Array {
  const { length } = values;
  if (length < 20 || isDiscrete(values)) return values;
  const weights = noiseWeights(values, base);
  const residuals = difference(values, base);
  if (weights !== undefined)
    for (let i = 0; i < length; i++) residuals[i] = atFloat(residuals, i) * Math.sqrt(atFloat(weights, i));
  const order = ascending(residuals);
  const sorted = new Float64Array(length);
  for (let i = 0; i < length; i++) sorted[i] = atFloat(residuals, atInt(order, i));
  const middle = quantile(sorted, 0.5);
  if (isSmooth(residuals, middle)) return values;
  const scale = (quantile(sorted, 0.84) - quantile(sorted, 0.16)) / 2;
  const levels = farTogether(residuals, middle, 4 * scale);
  const scores = normalScores(length);
  const result = values.slice();
  for (let from = 0, to = 1; from < length; from = to++) {
    while (to < length && atFloat(sorted, to) === atFloat(sorted, from)) to++;
    const score = middle + scale * atFloat(scores, from + to);
    for (let rank = from; rank < to; rank++) {
      const i = atInt(order, rank);
      if (atByte(levels, i) === 1) continue;
      result[i] = atFloat(base, i) + (weights === undefined ? score : score / Math.sqrt(atFloat(weights, i)));
    }
  }
  return result;
}

/** Of the last lengths, which the next series mostly have as well. */
const knownScores = new Map<number, Float64Array>();
const mostKnown = 8;

/** By twice the mean rank of equal values. */
function normalScores(length: number): Float64Array {
  if (knownScores.size > mostKnown) knownScores.clear();
  return remembered(knownScores, length, () =>
    Float64Array.from({ length: 2 * length }, (_, i) => normalQuantile(i / 2 / length)),
  );
}

/** Differences of neighbours below this part of what they are without memory. */
const smoothness = 0.35;

/** Whether neighbours are so near each other that ranks say where a residual is and not how large noise is: `base` is something else than the series without noise. */
function isSmooth(residuals: Float64Array, middle: number): boolean {
  const sizes = residuals.slice();
  for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(atFloat(sizes, i) - middle);
  const scale = quantileInPlace(sizes, 0.5) / normalQuantile(0.75);
  return differenceScale(residuals) < smoothness * scale;
}

/** The series with residuals of 3.5 standard deviations of their side at most. */
export function withoutTails(values: Float64Array, base: Float64Array): Float64Array {
  const residuals = difference(values, base);
  const any = residuals.slice();
  const middle = quantileInPlace(any, 0.5);
  const [up, down] = [quantileInPlace(any, 0.84) - middle, middle - quantileInPlace(any, 0.16)];
  const levels = farTogether(residuals, middle, 4 * Math.min(up, down));
  const [least, most] = [middle - 3.5 * down, middle + 3.5 * up];
  const result = values.slice();
  for (let i = 0; i < values.length; i++)
    if (atByte(levels, i) === 0)
      result[i] = atFloat(base, i) + Math.min(most, Math.max(least, atFloat(residuals, i)));
  return result;
}

/** Flags positions that are further than this from the middle together with their neighbours. */
function farTogether(residuals: Float64Array, middle: number, far: number): Uint8Array {
  const flags = new Uint8Array(residuals.length);
  const sideOf = (i: number): number => {
    const off = atFloat(residuals, i) - middle;
    return Math.abs(off) > far ? Math.sign(off) : 0;
  };
  let from = 0;
  while (from < residuals.length) {
    const side = sideOf(from);
    let to = from + 1;
    while (to < residuals.length && sideOf(to) === side) to++;
    if (side !== 0 && to - from >= levelLength) flags.fill(1, from, to);
    from = to;
  }
  return flags;
}

/** Twice the log-likelihood that a change of the variance has to gain: false in few of a hundred series of constant variance. */
const varianceGain = 20;
const fewestWeighed = 40;

/** Of each value 1 / the variance of its noise, in units of the mean variance; undefined where the variance is constant as far as can be seen. */
export function noiseWeights(values: Float64Array, base: Float64Array): Float64Array | undefined {
  const { length } = values;
  if (length < fewestWeighed) return undefined;
  const sizes = difference(values, base);
  for (let i = 0; i < length; i++) sizes[i] = Math.abs(atFloat(sizes, i));
  const far = 5 * quantileInPlace(sizes.slice(), 0.68);
  const sums = new Float64Array(length + 1);
  for (let i = 0; i < length; i++) sums[i + 1] = atFloat(sums, i) + Math.min(atFloat(sizes, i), far) ** 2;
  const variance = atFloat(sums, length) / length;
  if (!(variance > 0) || gainOfTwoVariances(sums) < varianceGain) return undefined;
  const reach = Math.max(10, Math.round(length / 12));
  for (let i = 0; i < length; i++) {
    const [from, to] = [Math.max(0, i - reach), Math.min(length, i + reach + 1)];
    const own = (atFloat(sums, to) - atFloat(sums, from)) / (to - from);
    sizes[i] = variance / Math.max(own, 0.02 * variance);
  }
  return sizes;
}

/** Of the best place in between. @param sums of squares in front of each position */
function gainOfTwoVariances(sums: Float64Array): number {
  const length = sums.length - 1;
  const all = atFloat(sums, length);
  const least = (1e-6 * all) / length;
  const side = Math.max(15, Math.round(length / 12));
  let gain = 0;
  for (let i = side; i <= length - side; i++) {
    const before = Math.max(atFloat(sums, i) / i, least);
    const after = Math.max((all - atFloat(sums, i)) / (length - i), least);
    const own = length * Math.log(all / length) - i * Math.log(before) - (length - i) * Math.log(after);
    gain = Math.max(gain, own);
  }
  return gain;
}

/** Variance of the innovations by their median, which jumps do not change. */
export function innovationVariance(values: Float64Array, rho: number): number {
  const innovations = new Float64Array(values.length - 1);
  for (let i = 0; i < innovations.length; i++)
    innovations[i] = atFloat(values, i + 1) - rho * atFloat(values, i);
  // Without memory, differences of neighbours do not see the levels; with it, innovations are near zero on all levels.
  const hasMemory = rho > 0.5;
  const middle = hasMemory ? quantileInPlace(innovations.slice(), 0.5) : 0;
  const sizes = hasMemory ? innovations.slice() : difference(innovations.subarray(1), innovations);
  const unit = hasMemory ? 1 : Math.SQRT2;
  for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(atFloat(sizes, i) - middle) / unit;
  return (quantileInPlace(sizes, 0.5) / normalQuantile(0.75)) ** 2;
}

/** Autocorrelation of what is left of a series; none where neighbours are more different than others. */
export function memoryOf(values: Float64Array, base: Float64Array): number {
  const residuals = difference(values, base);
  let [products, squares] = [0, 1e-300];
  for (let i = 0; i < residuals.length; i++) {
    squares += atFloat(residuals, i) ** 2;
    if (i > 0) products += atFloat(residuals, i) * atFloat(residuals, i - 1);
  }
  return Math.max(0, products / squares);
}

/** Means of so many values each; what is left over at the end is in none. */
export function means(values: Float64Array, width: number): Float64Array {
  if (width === 1) return values;
  const result = new Float64Array(Math.floor(values.length / width));
  for (let block = 0, i = 0; block < result.length; block++) {
    let sum = 0;
    for (const end = i + width; i < end; i++) sum += atFloat(values, i) / width;
    result[block] = sum;
  }
  return result;
}
