import { at, atFloat, atInt } from '../at';
import type { Profile } from '../profile/profile';
import { outermostOfRegion } from '../profile/regions';
import { addTo } from '../sums';
import { remembered } from '../remembered';
import { activityOf, isParallelRuntime } from './activities';

/** How the computation in a function and its callees is spread over ranks and threads; those that do nothing of it do not count. */
export interface ComputationSpread {
  /** Number of locations that compute in it. */
  readonly locations: number;
  readonly maximumSeconds: number;
  readonly meanSeconds: number;
  /** Standard deviation of the population. */
  readonly deviationSeconds: number;
}

/** By region. @param exclusive seconds per call path and location */
export function computationSpreads(
  profile: Profile,
  exclusive: Float64Array,
): ReadonlyMap<number, ComputationSpread> {
  const sums = computationPerLocation(profile, exclusive);
  return new Map([...sums].map(([own, seconds]) => [own, spreadOf(seconds)]));
}

/**
 * Seconds of computation per location in each region with its callees. Time in MPI, and waiting for threads, is no computation of the functions above it:
 * a rank that waits there is not slow.
 * @param exclusive seconds per call path and location
 */
export function computationPerLocation(
  profile: Profile,
  exclusive: Float64Array,
): ReadonlyMap<number, Float64Array> {
  const width = profile.locations.length;
  const { count, parent, region } = profile.callPaths;
  const waits = profile.regions.map((own) => isParallelRuntime(activityOf(own)));
  const inclusive = new Float64Array(count * width);
  const outermost = outermostOfRegion(profile);
  const sums = new Map<number, Float64Array>();
  for (let path = count - 1; path >= 0; path--) {
    const own = at(region, path);
    const row = inclusive.subarray(path * width, (path + 1) * width);
    // What is called back from MPI is the work of MPI's caller, and stays.
    if (!at(waits, own)) addTo(row, exclusive.subarray(path * width, (path + 1) * width));
    const above = atInt(parent, path);
    if (above >= 0) addTo(inclusive.subarray(above * width, (above + 1) * width), row);
    if (outermost[path] === 1)
      addTo(
        remembered(sums, own, () => new Float64Array(width)),
        row,
      );
  }
  return sums;
}

function spreadOf(seconds: Float64Array): ComputationSpread {
  const working = seconds.filter((value) => value > 0);
  const locations = working.length;
  const meanSeconds = locations === 0 ? 0 : working.reduce((sum, value) => sum + value, 0) / locations;
  let squares = 0;
  let maximumSeconds = 0;
  for (let i = 0; i < locations; i++) {
    squares += (atFloat(working, i) - meanSeconds) ** 2;
    maximumSeconds = Math.max(maximumSeconds, atFloat(working, i));
  }
  const deviationSeconds = locations === 0 ? 0 : Math.sqrt(squares / locations);
  return { locations, maximumSeconds, meanSeconds, deviationSeconds };
}
