import { atUint } from '../at';

/**
 * Cost of recording the visits of each call path, seconds.
 * @param visits per call path
 * @param region per call path
 * @param secondsOf cost of one visit of a region
 */
export function recordingOverhead(
  visits: Float64Array,
  region: Uint32Array,
  secondsOf: (region: number) => number,
): Float64Array {
  return visits.map((count, callPath) => count * secondsOf(atUint(region, callPath)));
}
