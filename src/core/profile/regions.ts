import { atFloat, atUint } from '../at';
import { metricNamed } from './metrics';
import type { CallPaths, Combine, Profile } from './profile';
import { subtreeEnds } from './tree';
import { exclusive, inclusive } from './values';

/** The call tree, and how many regions there are. */
export interface TreeOfRegions {
  readonly callPaths: Pick<CallPaths, 'count' | 'parent' | 'region'>;
  readonly regions: { readonly length: number };
}

/** A flat profile: values per region (position in `Profile.regions`), combined over call paths and locations. */
export interface FlatProfile {
  /** Inclusive value of the metric; recursive calls are not counted twice. */
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** Zeros when the profile does not count visits. */
  readonly visits: Float64Array;
}

/**
 * Sums a metric over the call paths of each region. Recursion: a call path below another one of the same region is part of
 * that one's inclusive value already and adds nothing. Only for metrics that add up; minima and maxima combine accordingly.
 */
export function flatProfile(profile: Profile, metric = 'time'): FlatProfile {
  const { count } = profile.callPaths;
  const { combine } = metricNamed(profile, metric);
  const visits = profile.metrics.some((one) => one.name === 'visits' && one.stored !== 'derived')
    ? exclusive(profile, 'visits')
    : new Float64Array(count);
  const columns = { inclusive: inclusive(profile, metric), exclusive: exclusive(profile, metric), visits };
  return flatColumns(profile, columns, combine);
}

/** Flat columns of values per call path; `visits` are exclusive. */
export function flatColumns(profile: TreeOfRegions, columns: FlatProfile, combine: Combine): FlatProfile {
  const { count, region } = profile.callPaths;
  const executed = (path: number): boolean => combine === 'sum' || atFloat(columns.visits, path) > 0;
  const result = {
    inclusive: new Float64Array(profile.regions.length),
    exclusive: new Float64Array(profile.regions.length),
    visits: new Float64Array(profile.regions.length),
  };
  const seen = new Uint8Array(profile.regions.length);
  const merge = (into: Float64Array, at: number, value: number): void => {
    const old = atFloat(into, at);
    if (combine === 'sum') into[at] = old + value;
    else if (seen[at] === 0) into[at] = value;
    else into[at] = combine === 'minimum' ? Math.min(old, value) : Math.max(old, value);
  };
  const outermost = outermostOfRegion(profile);
  for (let i = 0; i < count; i++) {
    const at = atUint(region, i);
    result.visits[at] = atFloat(result.visits, at) + atFloat(columns.visits, i);
    if (!executed(i)) continue;
    merge(result.exclusive, at, atFloat(columns.exclusive, i));
    if (outermost[i] === 1) merge(result.inclusive, at, atFloat(columns.inclusive, i));
    seen[at] = 1;
  }
  return result;
}

/** 1 for call paths with no other one of the same region above them. */
export function outermostOfRegion(profile: TreeOfRegions): Uint8Array {
  const { count, region } = profile.callPaths;
  const ends = subtreeEnds(profile.callPaths);
  const result = new Uint8Array(count);
  // End of the subtree of the outermost call path of each region that we are inside of.
  const insideUntil = new Uint32Array(profile.regions.length);
  for (let i = 0; i < count; i++) {
    const at = atUint(region, i);
    if (i < atUint(insideUntil, at)) continue;
    insideUntil[at] = atUint(ends, i);
    result[i] = 1;
  }
  return result;
}
