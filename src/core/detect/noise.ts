/** What noise does to the evidence, taken out of a series: tails, skew, changes of its variance. `base` is what the series is without noise, as far as it is known. */
import { atByte, atFloat } from '../at';
import { differenceScale, isDiscrete, normalQuantile, quantile } from './robust';

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
  const relative = (i: number): number => (weights === undefined ? 1 : Math.sqrt(atFloat(weights, i)));
  const residuals = values.map((value, i) => (value - atFloat(base, i)) * relative(i));
  if (isSmooth(residuals)) return values;
  const sorted = residuals.slice().sort();
  const middle = quantile(sorted, 0.5);
  const scale = (quantile(sorted, 0.84) - quantile(sorted, 0.16)) / 2;
  const levels = farTogether(residuals, middle, 4 * scale);
  return values.map((value, i) => {
    if (atByte(levels, i) === 1) return value;
    const residual = atFloat(residuals, i);
    const rank = (placeIn(sorted, residual) + placeIn(sorted, residual, true)) / 2;
    return atFloat(base, i) + (middle + scale * normalQuantile(rank / length)) / relative(i);
  });
}

/** How many sorted values are smaller. @param orEqual than the value, or equal to it */
function placeIn(sorted: Float64Array, value: number, orEqual = false): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const own = atFloat(sorted, middle);
    if (own < value || (orEqual && own === value)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Differences of neighbours below this part of what they are without memory. */
const smoothness = 0.35;

/** Whether neighbours are so near each other that ranks say where a residual is and not how large noise is: `base` is something else than the series without noise. */
function isSmooth(residuals: Float64Array): boolean {
  const middle = quantile(residuals.slice().sort(), 0.5);
  const scale =
    quantile(residuals.map((value) => Math.abs(value - middle)).sort(), 0.5) / normalQuantile(0.75);
  return differenceScale(residuals) < smoothness * scale;
}

/** The series with residuals of 3.5 standard deviations of their side at most. */
export function withoutTails(values: Float64Array, base: Float64Array): Float64Array {
  const residuals = values.map((value, i) => value - atFloat(base, i));
  const sorted = residuals.slice().sort();
  const middle = quantile(sorted, 0.5);
  const [up, down] = [quantile(sorted, 0.84) - middle, middle - quantile(sorted, 0.16)];
  const levels = farTogether(residuals, middle, 4 * Math.min(up, down));
  return values.map((value, i) =>
    atByte(levels, i) === 1
      ? value
      : atFloat(base, i) + Math.min(middle + 3.5 * up, Math.max(middle - 3.5 * down, atFloat(residuals, i))),
  );
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
  const sizes = values.map((value, i) => Math.abs(value - atFloat(base, i)));
  const far = 5 * quantile(sizes.slice().sort(), 0.68);
  const sums = new Float64Array(length + 1);
  for (let i = 0; i < length; i++) sums[i + 1] = atFloat(sums, i) + Math.min(atFloat(sizes, i), far) ** 2;
  const variance = atFloat(sums, length) / length;
  if (!(variance > 0) || gainOfTwoVariances(sums) < varianceGain) return undefined;
  const reach = Math.max(10, Math.round(length / 12));
  return values.map((_, i) => {
    const [from, to] = [Math.max(0, i - reach), Math.min(length, i + reach + 1)];
    const own = (atFloat(sums, to) - atFloat(sums, from)) / (to - from);
    return variance / Math.max(own, 0.02 * variance);
  });
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
  const innovations = values.slice(1).map((value, i) => value - rho * atFloat(values, i));
  const middle = quantile(innovations.slice().sort(), 0.5);
  // Without memory, differences of neighbours do not see the levels; with it, innovations are near zero on all levels.
  const sizes =
    rho > 0.5
      ? innovations.map((value) => Math.abs(value - middle))
      : innovations.slice(1).map((value, i) => Math.abs(value - atFloat(innovations, i)) / Math.SQRT2);
  return (quantile(sizes.sort(), 0.5) / normalQuantile(0.75)) ** 2;
}

/** Means of so many values each; what is left over at the end is in none. */
export function means(values: Float64Array, width: number): Float64Array {
  if (width === 1) return values;
  const result = new Float64Array(Math.floor(values.length / width));
  for (let i = 0; i < result.length * width; i++) {
    const block = Math.floor(i / width);
    result[block] = atFloat(result, block) + atFloat(values, i) / width;
  }
  return result;
}
