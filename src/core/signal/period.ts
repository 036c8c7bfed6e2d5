/**
 * The period of a signal by autocorrelation (specification of performance dynamics, §14 "structure extraction"): the highest local
 * maximum stands for a period if nothing beside its multiples comes near it, and twice the period is a maximum as well.
 */
import { atFloat } from '../at';
import { fastAtLeast, planFft, type Fft } from '../transforms/fft';
import type { Pattern } from './signal';

export interface Period {
  /** In samples. */
  readonly period: number;
  /** Autocorrelation at the period, 0…1. */
  readonly strength: number;
  /** First sample of a repetition: peaks are near `phase` + n · `period`. */
  readonly phase: number;
}

/** How far the period has to stand out from other maxima. */
const leastLead = 1.1;
/** Weaker repetition is chance; that of noise has a standard deviation of 1/√length. */
const leastStrength = 0.3;
const leastDeviations = 4;
/** Longer signals are cut: a period needs no more to be seen. */
const mostSamples = 1 << 20;

/** Period of the peaks of a signal of `length` samples, for instance of checkpoints. undefined with fewer than three peaks. */
export function findPeakPeriod(patterns: readonly Pattern[], length: number): Period | undefined {
  const peaks = patterns.filter(({ type, improvement }) => type === 'peak' && improvement === undefined);
  if (peaks.length < 3) return undefined;
  const train = new Float64Array(length);
  for (const { at = 0 } of peaks) {
    // A triangle forgives peaks that are early or late by one.
    train[at] = 1;
    if (at > 0) train[at - 1] = Math.max(atFloat(train, at - 1), 0.5);
    if (at + 1 < length) train[at + 1] = Math.max(atFloat(train, at + 1), 0.5);
  }
  return findPeriod(train);
}

/** Period of any signal; what is not finite counts as 0. undefined where it has none. */
export function findPeriod(values: Float64Array): Period | undefined {
  const signal = values.slice(0, mostSamples);
  const correlation = autocorrelation(signal);
  if (correlation === undefined) return undefined;
  const maxima = localMaxima(correlation);
  const highest = maxima.reduce((best, k) => Math.max(best, atFloat(correlation, k)), 0);
  // The first of several equally high maxima is the period.
  const period = maxima.find((k) => atFloat(correlation, k) >= highest / leastLead);
  if (period === undefined) return undefined;
  const strength = atFloat(correlation, period);
  const least = Math.max(leastStrength, leastDeviations / Math.sqrt(signal.length));
  if (strength < least || !maxima.some((k) => isMultiple(k, period, 2))) return undefined;
  const rival = maxima.some((k) => atFloat(correlation, k) * leastLead > strength && !isMultiple(k, period));
  return rival ? undefined : { period, strength: Math.min(1, strength), phase: phaseOf(signal, period) };
}

/** Near a multiple of the period: within a sample, or a tenth of the period. */
function isMultiple(k: number, period: number, multiple = Math.max(1, Math.round(k / period))): boolean {
  return Math.abs(k - multiple * period) <= Math.max(1, 0.1 * period);
}

/** Normalised to 1 at lag 0, unbiased, for lags below `lags`, which is half the length mostly; undefined for what does not change. */
export function autocorrelation(signal: Float64Array, lags = signal.length >> 1): Float64Array | undefined {
  const { length } = signal;
  if (length < 8) return undefined;
  let [largest, mean] = [0, 0];
  for (const value of signal) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return undefined;
  const fft = planOf(fastAtLeast(length + lags));
  const size = fft.length;
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  for (let n = 0; n < length; n++) {
    const value = atFloat(signal, n);
    re[n] = Number.isFinite(value) ? value / largest : 0;
    mean += atFloat(re, n) / length;
  }
  for (let n = 0; n < length; n++) re[n] = atFloat(re, n) - mean;
  fft.transform(re, im);
  for (let k = 0; k < size; k++) {
    re[k] = atFloat(re, k) ** 2 + atFloat(im, k) ** 2;
    im[k] = 0;
  }
  fft.transform(re, im);
  const power = atFloat(re, 0) / length;
  if (power / size < 1e-24) return undefined;
  const result = new Float64Array(lags);
  for (let k = 0; k < lags; k++) result[k] = atFloat(re, k) / (length - k) / power;
  return result;
}

/** Of the last length, which the next series mostly has as well; longer ones would take much memory. */
let lastPlan: Fft | undefined;
const longestKept = 1 << 13;

function planOf(size: number): Fft {
  const plan = lastPlan?.length === size ? lastPlan : planFft(size);
  if (size <= longestKept) lastPlan = plan;
  return plan;
}

/** Lags from 2 on that are higher than their neighbours. */
function localMaxima(correlation: Float64Array): number[] {
  const maxima: number[] = [];
  for (let k = 2; k + 1 < correlation.length; k++) {
    const here = atFloat(correlation, k);
    if (here > 0 && here > atFloat(correlation, k - 1) && here >= atFloat(correlation, k + 1)) maxima.push(k);
  }
  return maxima;
}

/** The position within the period where the sum over all repetitions is the largest. */
function phaseOf(signal: Float64Array, period: number): number {
  const sums = new Float64Array(period);
  signal.forEach(
    (value, n) => (sums[n % period] = atFloat(sums, n % period) + (Number.isFinite(value) ? value : 0)),
  );
  return sums.reduce((best, sum, n) => (sum > atFloat(sums, best) ? n : best), 0);
}
