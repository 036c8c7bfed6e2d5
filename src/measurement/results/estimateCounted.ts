import { atFloat, atInt, atUint } from '../../core/at';
import type { MergedTree } from './mergedTree';

/**
 * Gives the visits that were not timed what the processor counted in those of the same call path and thread that were: until then it belongs to their callers, and more than
 * these have is not given.
 * @param tree with visits as `[location * callPathCount + callPath]`
 * @param amounts exclusive, as `[callPath * locationCount + location]`; default: the counter is not there
 * @param sampled regions with visits that were not timed
 */
export function estimateCounted(
  { callPaths, locationCount, visits, timedVisits }: Omit<MergedTree, 'estimatedSeconds'>,
  amounts: Float64Array | undefined,
  sampled: ReadonlySet<number>,
): void {
  if (amounts === undefined || timedVisits === undefined) return;
  // Callees first: what a caller has without them is its own.
  for (let path = callPaths.count - 1; path > 0; path--) {
    const above = atInt(callPaths.parent, path);
    if (above < 0 || !sampled.has(atUint(callPaths.region, path))) continue;
    for (let location = 0; location < locationCount; location++) {
      const timed = atFloat(timedVisits, location * callPaths.count + path);
      const untimed = atFloat(visits, location * callPaths.count + path) - timed;
      const [own, caller] = [path * locationCount + location, above * locationCount + location];
      const wanted = timed > 0 ? (atFloat(amounts, own) * untimed) / timed : 0;
      const given = Math.floor(Math.min(wanted, atFloat(amounts, caller))); // events are whole
      amounts[own] = atFloat(amounts, own) + given;
      amounts[caller] = atFloat(amounts, caller) - given;
    }
  }
}
