/**
 * Orthonormal Haar transform of a signal of any length (specification of performance dynamics, §5.1–5.3, §5.5). An approximation carries
 * the number of samples behind it, an odd one out goes to the next level as it is: Parseval and the variance identity hold for every length.
 */
import { atFloat } from '../at';
import { EnergyStream, type Energies } from './energyStream';
import { medianInPlace } from './median';

/** One coefficient of the scaleogram. */
export interface HaarCell {
  /** Samples that the coefficient covers: 2^level. */
  readonly scale: number;
  /** Position among those of its scale, from 0. */
  readonly shift: number;
  /** Square of the coefficient. */
  readonly energy: number;
}

export interface HaarLevel {
  readonly scale: number;
  /** Signed details; `details[n]` is about samples n·scale … (n+1)·scale - 1. */
  readonly details: Float64Array;
}

/** Energies of the whole signal; values that are not finite count as 0. */
export function energies(values: Float64Array | readonly number[]): Energies {
  const stream = new EnergyStream();
  stream.push(values);
  return stream.energies();
}

/** Share of the energy that is change: c²/(1+c²) with c = standard deviation / mean. 0 for a signal that is zero. */
export function variability({ dynamic, total }: Energies): number {
  return total > 0 ? dynamic / total : 0;
}

/** All levels, finest first, and the last approximation, which is √N · mean. */
export function haarTransform(values: Float64Array): { levels: HaarLevel[]; approximation: number } {
  const levels: HaarLevel[] = [];
  let signal = values;
  let counts = new Float64Array(values.length).fill(1);
  for (let scale = 2; signal.length > 1; scale *= 2) {
    const pairs = signal.length >> 1;
    const length = (signal.length + 1) >> 1;
    const next = new Float64Array(length);
    const nextCounts = new Float64Array(length);
    const details = new Float64Array(pairs);
    for (let n = 0; n < pairs; n++) {
      const left = atFloat(signal, 2 * n);
      const right = atFloat(signal, 2 * n + 1);
      const leftCount = atFloat(counts, 2 * n);
      const rightCount = atFloat(counts, 2 * n + 1);
      const count = leftCount + rightCount;
      const a = Math.sqrt(leftCount / count);
      const b = Math.sqrt(rightCount / count);
      details[n] = b * left - a * right;
      next[n] = a * left + b * right;
      nextCounts[n] = count;
    }
    if (length > pairs) {
      next[pairs] = atFloat(signal, 2 * pairs);
      nextCounts[pairs] = atFloat(counts, 2 * pairs);
    }
    levels.push({ scale, details });
    signal = next;
    counts = nextCounts;
  }
  return { levels, approximation: signal[0] ?? 0 };
}

/** Energy by scale and shift, finest scale first. */
export function scaleogram(values: Float64Array): HaarCell[] {
  return haarTransform(values).levels.flatMap(({ scale, details }) =>
    Array.from(details, (detail, shift) => ({ scale, shift, energy: detail * detail })),
  );
}

/** Standard deviation of the noise, from the median of the finest details: robust against what is not noise (§5.5). */
export function noiseDeviation(values: Float64Array): number {
  const pairs = values.length >> 1;
  if (pairs === 0) return 0;
  const differences = new Float64Array(pairs);
  for (let n = 0; n < pairs; n++) {
    differences[n] = Math.abs(atFloat(values, 2 * n) - atFloat(values, 2 * n + 1)) * Math.SQRT1_2;
  }
  return medianInPlace(differences) / 0.6745;
}
