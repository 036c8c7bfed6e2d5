import { at, atFloat } from '../at';
import { autocorrelation } from '../signal/period';

/** A part of a series that repeats. */
export interface Template {
  readonly period: number;
  /** By position modulo the period, relative to the mean of a period. */
  readonly phases: Float64Array;
}

interface Weighed extends Template {
  /** Twice the log-likelihood that it gains, less what its numbers and the choice of the period cost (Bayes' information criterion). */
  readonly gain: number;
}

const fewestValues = 12;
const longestPeriod = 256;
const fewestPeriods = 3;
/** What is gained by chance in fewer than one series of a hundred. */
const leastGain = 16;
/** Multiples of a period describe it as well. */
const almost = 0.8;

/** Of the sum of all values: residuals are differences of sums, which are rounded. */
const leastScale = 1e-12;

/** As many values show a period. */
const mostValues = 4096;

/** The repeating part with the most evidence, beside a drift that is removed by a moving mean of just one period; undefined: none. */
export function findTemplate(values: Float64Array): Template | undefined {
  if (values.length < fewestValues) return undefined;
  const period = periodOf(values.subarray(0, mostValues));
  if (period === undefined) return undefined;
  const whole = weighed(values, sumsOf(values), period, period);
  return whole !== undefined && whole.gain > leastGain ? whole : undefined;
}

function periodOf(values: Float64Array): number | undefined {
  const sums = sumsOf(values);
  const longest = Math.min(longestPeriod, Math.floor(values.length / (fewestPeriods + 1)));
  const found: Weighed[] = [];
  for (const period of candidates(values, sums, longest)) {
    const one = weighed(values, sums, period, longest);
    if (one !== undefined && one.gain > leastGain) found.push(one);
  }
  const best = found.reduce<Weighed | undefined>(
    (most, one) => (most === undefined || one.gain > most.gain ? one : most),
    undefined,
  );
  if (best === undefined) return undefined;
  return found.find(({ period, gain }) => best.period % period === 0 && gain > almost * best.gain)?.period;
}

/** Short periods, and those at which the series without its drift is more like itself than at their neighbours, and at least half as much as one that gains enough. */
function candidates(values: Float64Array, sums: Float64Array, longest: number): readonly number[] {
  const { length } = values;
  const drift = (i: number): number => {
    const [from, to] = [Math.max(0, i - longest), Math.min(length, i + longest + 1)];
    return (atFloat(sums, to) - atFloat(sums, from)) / (to - from);
  };
  const likeness = autocorrelation(
    values.map((value, i) => value - drift(i)),
    longest + 2,
  );
  if (likeness === undefined) return [];
  const leastOf = (period: number): number =>
    Math.max(1 / Math.sqrt(length), (leastGain + (period - 1) * Math.log(length / 2)) / length / 2);
  return Array.from({ length: Math.max(0, longest - 1) }, (_, i) => i + 2).filter((period) => {
    if (period <= alwaysTried) return true;
    const own = atFloat(likeness, period);
    return (
      own > leastOf(period) && own >= atFloat(likeness, period - 1) && own >= atFloat(likeness, period + 1)
    );
  });
}

const alwaysTried = 8;

function sumsOf(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = atFloat(sums, i) + atFloat(values, i);
  return sums;
}

function weighed(
  values: Float64Array,
  sums: Float64Array,
  period: number,
  longest: number,
): Weighed | undefined {
  const phases = new Float64Array(period);
  const half = period >> 1;
  const isEven = period % 2 === 0;
  const count = values.length - 2 * half;
  if (count < fewestPeriods * period) return undefined;
  let squares = 0;
  let phase = half;
  for (let i = half; i < values.length - half; i++) {
    const sum = atFloat(sums, i + half + 1) - atFloat(sums, i - half);
    // Of an even period, the two at the ends count half.
    const ends = isEven ? (atFloat(values, i - half) + atFloat(values, i + half)) / 2 : 0;
    const residual = atFloat(values, i) - (sum - ends) / period;
    phases[phase] = atFloat(phases, phase) + residual;
    squares += residual * residual;
    if (++phase === period) phase = 0;
  }
  if (!(squares > count * (leastScale * atFloat(sums, values.length)) ** 2)) return undefined;
  let explained = 0;
  for (let i = 0; i < period; i++) {
    phase = (half + i) % period;
    const own = Math.ceil((count - i) / period);
    explained += atFloat(phases, phase) ** 2 / own;
    phases[phase] = atFloat(phases, phase) / own;
  }
  const rest = Math.max(squares - explained, 1e-9 * squares);
  // What the moving mean leaves of the variance of noise; of what has this period it leaves all.
  const left = 1 - 1 / period - (isEven ? 1 / (2 * period * period) : 0);
  const gain =
    count * Math.log1p((left * explained) / rest) - (period - 1) * Math.log(count) - 2 * Math.log(longest);
  return { period, phases, gain };
}

/** Flags the phases that stand out above a gap, if there is one: these repeat as spikes, and the template is no wave. */
export function spikePhases({ phases, period }: Template): Uint8Array | undefined {
  const sorted = Array.from(phases).sort((a, b) => a - b);
  let gap = 0;
  let limit = Infinity;
  for (let i = Math.max(1, period >> 1); i < period; i++) {
    const own = at(sorted, i) - at(sorted, i - 1);
    if (own > gap) [gap, limit] = [own, at(sorted, i)];
  }
  const below = sorted.filter((value) => value < limit);
  const range = at(below, below.length - 1) - at(below, 0);
  if (gap <= 2 * range && period > 3) return undefined;
  return Uint8Array.from(phases, (value) => (value >= limit ? 1 : 0));
}
