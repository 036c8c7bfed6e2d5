import { clockOf, inclusiveComputing, type Clock } from '../profile/computingTime';
import { standardMetrics, timedVisitsMetric } from '../profile/metrics';
import type { Profile } from '../profile/profile';
import { isTaskTree, tasksWithinProgram } from '../profile/taskTrees';
import { depths } from '../profile/tree';
import { exclusiveCells, inclusivePerLocation } from '../profile/values';
import { largestOf } from '../sums';
import { atFloat, atInt, atUint } from '../at';
import type { PairCost } from '../cost/pairCost';

/** What recording a region's visits costs; undefined for regions that are not recorded through patch points (MPI, OpenMP, the root). */
export type CostOfRegion = (region: number) => PairCost | undefined;

/**
 * The program's own time in each cell (`[callPath * locations + location]`): without waiting where the profile has it, and without the
 * cost of recording. By construction no value is negative, and an inclusive value is the exclusive ones below it added up, with the
 * time of OpenMP tasks that ran meanwhile.
 */
export interface ProgramTime {
  /** `cpu`: without waiting; `wall`: with waiting, because it is unknown in the profile or requested. */
  readonly clock: Clock;
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
  /** By call path, of all locations together: cost of recording that the measured inclusive time contains, seconds. */
  readonly taken: Float64Array;
  /** Uncertainty of the estimated time of untimed visits of the call path itself. */
  readonly estimateDoubt: Float64Array;
  /** Timed visits below the call path, at any depth. */
  readonly childEvents: Float64Array;
  /** Per location: time of the roots less all costs; below 0 when more is taken off than there is. */
  readonly rootSeconds: Float64Array;
  /** Per location: waiting, and the cost of recording, that the measured time contains and `inclusive` does not. */
  readonly waiting: Float64Array;
  readonly recording: Float64Array;
}

/**
 * What a call path's inclusive time contains of the measurement: the inside part of its own visits, and whole pairs for every recorded
 * visit below it (docs/formats.md, "child events"). A calibrated pair is not the cost of every pair, and times of sampled functions are
 * estimates, so that callees may come out with more than their caller has. The caller's time is the surer one, for it was measured as a
 * whole: its callees are then reduced in proportion until they fit.
 */
export function programTime(
  profile: Profile,
  costOf: CostOfRegion,
  clock: Clock = clockOf(profile),
): ProgramTime {
  // One column of cells, which each step changes: those of thousands of locations and call paths take dozens of megabytes.
  const inclusive = clock === 'cpu' ? inclusiveComputing(profile) : inclusivePerLocation(profile, 'time');
  const wantedSeconds = sumOfRoots(profile, inclusive);
  const measuredSeconds =
    clock === 'cpu' ? sumOfRoots(profile, inclusivePerLocation(profile, 'time')) : wantedSeconds;
  const { taken, estimateDoubt, childEvents } = takeOffRecording(profile, costOf, inclusive);
  const rootSeconds = sumOfRoots(profile, inclusive);
  const exclusive = fitted(profile, inclusive);
  const waiting = differences(measuredSeconds, wantedSeconds);
  const recording = differences(wantedSeconds, sumOfRoots(profile, inclusive));
  // The tasks' functions have this time.
  const width = profile.locations.length;
  for (const path of tasksWithinProgram(profile)) exclusive.fill(0, path * width, (path + 1) * width);
  return {
    clock,
    exclusive,
    inclusive,
    taken,
    estimateDoubt,
    childEvents,
    rootSeconds,
    waiting,
    recording,
  };
}

/** The profile as it would be if recording had cost nothing: its times are those of the program, with waiting. */
export function withoutRecording(profile: Profile, costOf: CostOfRegion): Profile {
  const { time } = standardMetrics;
  const { exclusive } = programTime(profile, costOf, 'wall');
  return {
    ...profile,
    metrics: profile.metrics.map((metric) =>
      metric.name === time.name ? { ...time, stored: 'exclusive' } : metric,
    ),
    stored: new Map([...profile.stored, [time.name, exclusive]]),
  };
}

/** Per location; the program's time contains that of tasks. */
function sumOfRoots(profile: Profile, cells: Float64Array): Float64Array {
  const width = profile.locations.length;
  const roots = new Float64Array(width);
  profile.callPaths.parent.forEach((above, path) => {
    if (above >= 0 || isTaskTree(profile, path)) return;
    for (let l = 0; l < width; l++) roots[l] = atFloat(roots, l) + atFloat(cells, path * width + l);
  });
  return roots;
}

function differences(from: Float64Array, less: Float64Array): Float64Array {
  return from.map((seconds, at) => seconds - atFloat(less, at));
}

/** Bottom up and in place: without the cost of recording in each inclusive time. */
function takeOffRecording(
  profile: Profile,
  costOf: CostOfRegion,
  inclusive: Float64Array,
): Pick<ProgramTime, 'taken' | 'estimateDoubt' | 'childEvents'> {
  const width = profile.locations.length;
  const { callPaths } = profile;
  const costs = profile.regions.map((_, index) => costOf(index));
  const { visits, timed } = countsOf(profile);
  const column = (): Float64Array => new Float64Array(callPaths.count);
  const result = { taken: column(), estimateDoubt: column(), childEvents: column() };
  const depth = depths(callPaths);
  // A row of locations for each depth, with the callees as far as these have come.
  const pairsAt = new Float64Array((largestOf(depth, 0) + 2) * width);
  const eventsAt = new Float64Array(pairsAt.length);
  for (let path = callPaths.count - 1; path >= 0; path--) {
    const cost = costs[atUint(callPaths.region, path)];
    const above = atUint(depth, path) * width;
    const below = above + width;
    let [taken, estimateDoubt, childEvents] = [0, 0, 0];
    for (let location = 0; location < width; location++) {
      const here = path * width + location;
      const { pairs, inside, doubt } = costsOf(cost, atFloat(visits, here), atFloat(timed, here));
      const pairsBelow = atFloat(pairsAt, below + location);
      const eventsBelow = atFloat(eventsAt, below + location);
      inclusive[here] = atFloat(inclusive, here) - (pairsBelow + inside);
      taken += pairsBelow + inside;
      estimateDoubt += doubt;
      childEvents += eventsBelow;
      const up = above + location;
      pairsAt[up] = atFloat(pairsAt, up) + pairsBelow + pairs;
      eventsAt[up] = atFloat(eventsAt, up) + eventsBelow + atFloat(timed, here);
    }
    result.taken[path] = taken;
    result.estimateDoubt[path] = estimateDoubt;
    result.childEvents[path] = childEvents;
    pairsAt.fill(0, below, below + width);
    eventsAt.fill(0, below, below + width);
  }
  return result;
}

/**
 * Makes inclusive times fit in place, from the roots down: none is negative, and callees together have at most what their caller has.
 * Returns the exclusive time of each call path.
 */
function fitted(profile: Profile, inclusive: Float64Array): Float64Array {
  const width = profile.locations.length;
  const { parent, count } = profile.callPaths;
  const exclusive = new Float64Array(inclusive.length);
  // Until the end, the sum of the callees.
  const callees = exclusive;
  for (let path = count - 1; path >= 0; path--) {
    const above = atInt(parent, path);
    for (let location = 0; location < width; location++) {
      const here = path * width + location;
      inclusive[here] = Math.max(0, atFloat(inclusive, here));
      if (above >= 0)
        callees[above * width + location] =
          atFloat(callees, above * width + location) + atFloat(inclusive, here);
    }
  }
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    if (above < 0) continue;
    for (let location = 0; location < width; location++) {
      const here = path * width + location;
      const up = above * width + location;
      // Here the caller's time is final, and those of its callees are still unscaled.
      if (atFloat(callees, up) > atFloat(inclusive, up))
        inclusive[here] = (atFloat(inclusive, here) * atFloat(inclusive, up)) / atFloat(callees, up);
    }
  }
  for (let cell = 0; cell < inclusive.length; cell++)
    exclusive[cell] = Math.max(0, atFloat(inclusive, cell) - atFloat(callees, cell));
  return exclusive;
}

/** All visits, and those that were timed, both to be read only: the estimated time of the others has no cost of recording in it. */
export function countsOf(profile: Profile): { readonly visits: Float64Array; readonly timed: Float64Array } {
  const visits = hasMetric(profile, 'visits')
    ? exclusiveCells(profile, 'visits')
    : new Float64Array(profile.callPaths.count * profile.locations.length);
  const timed = hasMetric(profile, timedVisitsMetric.name)
    ? exclusiveCells(profile, timedVisitsMetric.name)
    : visits;
  return { visits, timed };
}

/**
 * Half of what timing a visit takes lies inside the time that it shows; a visit now and then meets cold branches and caches, so that this half
 * differs by up to as much again, and stands for all that were not timed.
 */
const sampledDoubt = 0.5;

/** What `visits` of which `timed` were timed cost: in all, and inside the time that was measured; and how far the estimate of the others may be off. */
function costsOf(
  cost: PairCost | undefined,
  visits: number,
  timed: number,
): { readonly pairs: number; readonly inside: number; readonly doubt: number } {
  if (cost === undefined) return { pairs: 0, inside: 0, doubt: 0 };
  const { sampled } = cost;
  if (timed >= visits || sampled === undefined)
    return { pairs: timed * cost.pairSeconds, inside: timed * cost.insideSeconds, doubt: 0 };
  // The estimate used the calibration, before the run showed the actual cost of a pair; its excess belongs to the caller.
  const { insideSeconds, estimatedInsideSeconds = insideSeconds } = sampled;
  return {
    pairs: timed * sampled.pairSeconds + (visits - timed) * sampled.countedSeconds,
    inside: timed * insideSeconds + (visits - timed) * (insideSeconds - estimatedInsideSeconds),
    doubt: sampledDoubt * (visits - timed) * sampled.pairSeconds,
  };
}

function hasMetric(profile: Profile, name: string): boolean {
  return profile.metrics.some((metric) => metric.name === name && metric.stored !== 'derived');
}
