/**
 * Noise of repeated runs and what may be claimed above it, made for few repetitions (three is the default).
 *
 * Estimator. The centre is the median: one disturbed run does not move it. The scale is the standard deviation of one run: below five
 * repetitions from the range with Tippett's factors d₂(n) (the median absolute deviation of three values ignores one of them), from five
 * on the median absolute deviation × 1.4826, which an outlier cannot inflate. The standard error of a median of n runs is
 * 1.2533 · s / √n. A difference is claimed when it exceeds Student's 95 % quantile times its standard error; the quantile pays for a
 * deviation that is known from so few runs. One run of each kind shows nothing of its noise: then none is reported, and decisions
 * allow for 3 % per run.
 */
export interface Noise {
  readonly medianSeconds: number;
  /** Standard deviation of a single run, seconds. */
  readonly deviationSeconds: number;
  /** Half of the 95 % confidence interval of the median, in percent of it. */
  readonly percent: number;
  readonly repetitions: number;
}

export interface OverheadEstimate {
  /** Median ÷ median of the baseline − 1, percent. May be negative. */
  readonly percent: number;
  /** Smallest overhead that can be distinguished from noise, percent. Undefined: no kind was run twice, so the noise is unknown. */
  readonly noisePercent: number | undefined;
  /** What decisions allow for: the noise, or an assumed one where it is unknown; percent. */
  readonly doubtPercent: number;
  /** True when `percent` exceeds the noise, or the assumed one. */
  readonly significant: boolean;
}

/** d₂(n) for n = 2, 3, 4: expected range of n standard normal values. */
const rangeFactor: Readonly<Record<number, number>> = { 2: 1.128, 3: 1.693, 4: 2.059 };
const medianEfficiency = 1.2533;
const assumedDeviation = 0.03;
/** Student's two-sided 95 % quantiles for 1 … 10 degrees of freedom. */
const quantiles = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];

/** What decisions allow for where nothing was run twice, percent. */
export const unknownNoisePercent = 100 * 2 * Math.hypot(assumedDeviation, assumedDeviation);

export function baselineNoise(seconds: readonly number[]): Noise {
  const medianSeconds = median(seconds);
  const deviationSeconds = deviation(seconds);
  return {
    medianSeconds,
    deviationSeconds,
    percent:
      (quantile(seconds.length - 1) * medianError(deviationSeconds, seconds.length) * 100) / medianSeconds,
    repetitions: seconds.length,
  };
}

/** The measured overhead with the noise of both sides. Runs are of the same executable, interleaved. */
export function overheadOf(measured: readonly number[], baseline: readonly number[]): OverheadEstimate {
  const base = median(baseline);
  const own = median(measured);
  const percent = (own / base - 1) * 100;
  // A single run is taken to be as noisy as those of the other kind.
  const [ownDeviation, baseDeviation] = [
    deviation(measured.length > 1 ? measured : baseline),
    deviation(baseline.length > 1 ? baseline : measured),
  ];
  const error = Math.hypot(
    medianError(baseDeviation, baseline.length),
    medianError(ownDeviation, measured.length),
  );
  const degrees = measured.length + baseline.length - 2;
  const doubtPercent = (quantile(degrees) * error * 100) / base;
  return {
    percent,
    noisePercent: degrees > 0 ? doubtPercent : undefined,
    doubtPercent,
    significant: percent > doubtPercent,
  };
}

/** The same for paired runs: their ratios are free of disturbances that hit both. */
export function overheadOfPairs(measured: readonly number[], baseline: readonly number[]): OverheadEstimate {
  const ratios = measured.map((seconds, at) => seconds / (baseline[at] ?? NaN));
  const { medianSeconds: ratio, percent: relative, repetitions } = baselineNoise(ratios);
  const percent = (ratio - 1) * 100;
  const doubtPercent = relative * ratio;
  return {
    percent,
    noisePercent: repetitions > 1 ? doubtPercent : undefined,
    doubtPercent,
    significant: percent > doubtPercent,
  };
}

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

function deviation(values: readonly number[]): number {
  if (values.length < 2) return assumedDeviation * median(values);
  const factor = rangeFactor[values.length];
  if (factor !== undefined) return (Math.max(...values) - Math.min(...values)) / factor;
  const centre = median(values);
  return 1.4826 * median(values.map((value) => Math.abs(value - centre)));
}

function quantile(degrees: number): number {
  // Without any repetition the deviation is an assumption and no estimate.
  return degrees < 1 ? 2 : (quantiles[degrees - 1] ?? 2);
}

function medianError(deviationSeconds: number, repetitions: number): number {
  // For one or two runs the median is the mean.
  return ((repetitions <= 2 ? 1 : medianEfficiency) * deviationSeconds) / Math.sqrt(repetitions);
}
