import { findPeakPeriod } from '../../signal/period';
import type { Pattern } from '../../signal/signal';

/** Period of the peaks, iterations; undefined when there are too few, or none. */
export function periodOf(peaks: readonly Pattern[]): number | undefined {
  const [first] = peaks;
  const last = peaks.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // From half a gap before the first to half a gap after the last one: the shape of the train, wherever it is in the run.
  const gap = Math.ceil((last.to - first.from) / Math.max(1, peaks.length - 1));
  const start = Math.max(0, first.from - (gap >> 1));
  const shifted = peaks.map((peak) => ({ ...peak, at: (peak.at ?? peak.from) - start }));
  return findPeakPeriod(shifted, last.to - start + 1 + (gap >> 1))?.period;
}
