import type { Profile } from '../profile/profile';
import { timedVisitsMetric } from '../profile/metrics';
import { outermostOfRegion } from '../profile/regions';
import { exclusivePerLocation, inclusivePerLocation } from '../profile/values';
import { at } from './condense';
import type { PairCost } from './pairCost';

/** What one region did in a run, after the cost of measuring it and its callees was taken off. */
export interface RegionTimes {
  /** Over all locations. */
  visits: number;
  inclusiveSeconds: number;
  exclusiveSeconds: number;
  /** Largest of any one location: the busiest thread or process determines the run time. */
  busiestVisits: number;
  busiestInclusiveSeconds: number;
  busiestExclusiveSeconds: number;
  /** What was taken off the inclusive seconds of one location for the cost of measuring, at most. */
  busiestTakenSeconds: number;
  minimumVisitSeconds: number | undefined;
  /** Visits below it, at any depth. */
  childEvents: number;
  /** Nearest recorded callers (positions of regions) and the exclusive seconds spent when called from there. */
  readonly callers: Map<number, number>;
}

export interface RunTimes {
  readonly regions: readonly RegionTimes[];
  /** Corrected exclusive seconds per call path, summed over locations. */
  readonly callPathSeconds: Float64Array;
  /** Corrected time of the busiest location; below 0 when more is taken off than there is. */
  readonly runSeconds: number;
  /** Corrected time summed over locations. */
  readonly totalSeconds: number;
}

/**
 * Times per region without the measurement's own cost. What a call path's inclusive time contains of it: the inside part of its own
 * visits, and whole pairs for every recorded visit below it (docs/formats.md, "child events"). What is left at negative values,
 * because a calibrated pair is not the cost of every pair, counts as zero per region.
 *
 * `pairCost` tells the cost of a region's pair; undefined for regions that are not recorded through sites (MPI, OpenMP, the root).
 */
export function regionTimes(profile: Profile, pairCost: (region: number) => PairCost | undefined): RunTimes {
  const time = inclusivePerLocation(profile, 'time');
  const visits = hasMetric(profile, 'visits')
    ? exclusivePerLocation(profile, 'visits')
    : new Float64Array(time.length);
  const timed = hasMetric(profile, timedVisitsMetric.name)
    ? exclusivePerLocation(profile, timedVisitsMetric.name)
    : visits;
  const pure = withoutMeasurement(profile, time, { visits, timed }, pairCost);
  const outermost = outermostOfRegion(profile);
  const regions = profile.regions.map(emptyTimes);
  let runSeconds = -Infinity;
  let totalSeconds = 0;
  for (let location = 0; location < profile.locations.length; location++) {
    const run = addLocation(profile, { ...pure, visits, outermost }, location, regions);
    runSeconds = Math.max(runSeconds, run);
    totalSeconds += run;
  }
  if (hasMetric(profile, 'min_time')) addMinimum(profile, exclusivePerLocation(profile, 'min_time'), regions);
  for (const region of regions) {
    region.exclusiveSeconds = Math.max(0, region.exclusiveSeconds);
    region.inclusiveSeconds = Math.max(0, region.inclusiveSeconds);
  }
  const width = profile.locations.length;
  const callPathSeconds = new Float64Array(profile.callPaths.count);
  pure.exclusive.forEach((seconds, cell) => {
    const path = Math.floor(cell / width);
    callPathSeconds[path] = at(callPathSeconds, path) + seconds;
  });
  return { regions, callPathSeconds, runSeconds, totalSeconds };
}

interface PureTimes {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** What was taken off the inclusive time. */
  readonly taken: Float64Array;
  readonly below: Float64Array;
}

interface Counts {
  readonly visits: Float64Array;
  /** Of these, the ones that were timed; the estimated time of the others has no cost of measuring in it. */
  readonly timed: Float64Array;
}

/** What `visits` of which `timed` were timed cost: in all, and inside the time that was measured. */
function costsOf(
  cost: PairCost | undefined,
  visits: number,
  timed: number,
): { readonly pairs: number; readonly inside: number } {
  if (cost === undefined) return { pairs: 0, inside: 0 };
  const { sampled } = cost;
  if (timed >= visits || sampled === undefined)
    return { pairs: timed * cost.pairSeconds, inside: timed * cost.insideSeconds };
  return {
    pairs: timed * sampled.pairSeconds + (visits - timed) * sampled.countedSeconds,
    inside: timed * sampled.insideSeconds,
  };
}

function withoutMeasurement(
  profile: Profile,
  time: Float64Array,
  { visits, timed }: Counts,
  pairCost: (region: number) => PairCost | undefined,
): PureTimes {
  const width = profile.locations.length;
  const { parent, region, count } = profile.callPaths;
  const costs = profile.regions.map((_, index) => pairCost(index));
  const inclusive = Float64Array.from(time);
  const exclusive = new Float64Array(time.length);
  const taken = new Float64Array(time.length);
  const pairsBelow = new Float64Array(time.length);
  const below = new Float64Array(time.length);
  for (let path = count - 1; path >= 0; path--) {
    const cost = costs[at(region, path)];
    const above = at(parent, path);
    for (let location = 0; location < width; location++) {
      const here = path * width + location;
      const count = at(timed, here);
      const { pairs, inside } = costsOf(cost, at(visits, here), count);
      taken[here] = at(pairsBelow, here) + inside;
      const pure = at(inclusive, here) - at(taken, here);
      inclusive[here] = pure;
      exclusive[here] = at(exclusive, here) + pure;
      if (above < 0) continue;
      const up = above * width + location;
      exclusive[up] = at(exclusive, up) - pure;
      pairsBelow[up] = at(pairsBelow, up) + at(pairsBelow, here) + pairs;
      below[up] = at(below, up) + at(below, here) + (cost === undefined ? 0 : count);
    }
  }
  return { inclusive, exclusive, taken, below };
}

interface Columns extends PureTimes {
  readonly visits: Float64Array;
  /** Recursion: only the outermost instance contributes to the inclusive time. */
  readonly outermost: Uint8Array;
}

/** Adds one location to the regions; returns the time of its roots. */
function addLocation(
  profile: Profile,
  columns: Columns,
  location: number,
  regions: readonly RegionTimes[],
): number {
  const width = profile.locations.length;
  const { parent, region, count } = profile.callPaths;
  const here = regions.map(() => ({ visits: 0, inclusive: 0, exclusive: 0, taken: 0 }));
  let roots = 0;
  for (let path = 0; path < count; path++) {
    const above = at(parent, path);
    const own = at(region, path);
    const cell = path * width + location;
    const sum = here[own];
    const total = regions[own];
    if (sum === undefined || total === undefined) continue;
    if (columns.outermost[path] === 1) {
      sum.inclusive += at(columns.inclusive, cell);
      sum.taken += at(columns.taken, cell);
    }
    sum.visits += at(columns.visits, cell);
    sum.exclusive += at(columns.exclusive, cell);
    total.childEvents += at(columns.below, cell);
    if (above < 0) roots += at(columns.inclusive, cell);
    else addCaller(total, at(region, above), own, at(columns.exclusive, cell));
  }
  here.forEach((sum, index) => {
    const total = regions[index];
    if (total === undefined) return;
    total.visits += sum.visits;
    total.inclusiveSeconds += sum.inclusive;
    total.exclusiveSeconds += sum.exclusive;
    total.busiestVisits = Math.max(total.busiestVisits, sum.visits);
    total.busiestInclusiveSeconds = Math.max(total.busiestInclusiveSeconds, sum.inclusive);
    total.busiestExclusiveSeconds = Math.max(total.busiestExclusiveSeconds, sum.exclusive);
    total.busiestTakenSeconds = Math.max(total.busiestTakenSeconds, sum.taken);
  });
  return roots;
}

function addCaller(times: RegionTimes, caller: number, own: number, seconds: number): void {
  if (caller !== own) times.callers.set(caller, (times.callers.get(caller) ?? 0) + Math.max(0, seconds));
}

function addMinimum(profile: Profile, minimum: Float64Array, regions: readonly RegionTimes[]): void {
  const width = profile.locations.length;
  minimum.forEach((value, cell) => {
    const times = regions[at(profile.callPaths.region, Math.floor(cell / width))];
    if (times === undefined || !(value > 0)) return;
    times.minimumVisitSeconds = Math.min(times.minimumVisitSeconds ?? Infinity, value);
  });
}

function hasMetric(profile: Profile, name: string): boolean {
  return profile.metrics.some((metric) => metric.name === name && metric.stored !== 'derived');
}

function emptyTimes(): RegionTimes {
  return {
    visits: 0,
    inclusiveSeconds: 0,
    exclusiveSeconds: 0,
    busiestVisits: 0,
    busiestInclusiveSeconds: 0,
    busiestExclusiveSeconds: 0,
    busiestTakenSeconds: 0,
    minimumVisitSeconds: undefined,
    childEvents: 0,
    callers: new Map(),
  };
}
