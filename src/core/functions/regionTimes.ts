import { countsOf, programTime, type CostOfRegion, type ProgramTime } from './programTime';
import type { Profile } from '../profile/profile';
import { outermostOfRegion } from '../profile/regions';
import { ranksOf } from '../profile/workGroups';
import { atFloat, atInt, atUint } from '../at';
import { addTo, sumOf } from '../sums';
import { slowestRankSeconds } from './slowestRank';

/** What one region did in a run, in all locations together, without the cost of measuring it and its callees. */
export interface RegionTimes {
  visits: number;
  /** The time of the others is estimated from these. */
  timedVisits: number;
  /** Of the location that has most, and of the rank that has most with all its threads. */
  busiestVisits: number;
  busiestRankVisits: number;
  inclusiveSeconds: number;
  exclusiveSeconds: number;
  /** Cost of measuring that was subtracted from the inclusive seconds, and from the exclusive ones. */
  takenSeconds: number;
  ownTakenSeconds: number;
  /** Uncertainty of the time of untimed visits. */
  estimateDoubtSeconds: number;
  /** Visits that were timed within its inclusive time: its own, and those below, at any depth. */
  timedWithin: number;
  /** Nearest recorded callers (positions of regions) and the exclusive seconds spent when called from there. */
  readonly callers: Map<number, number>;
}

export interface RunTimes {
  readonly regions: readonly RegionTimes[];
  /** Exclusive seconds per call path, summed over locations. */
  readonly callPathSeconds: Float64Array;
  /** The same of the cost of measuring that was subtracted from them. */
  readonly callPathTakenSeconds: Float64Array;
  /** Per location: time less all costs of measuring; below 0 when more is taken off than there is. */
  readonly rootSeconds: Float64Array;
  /** Computing time of the rank that computes most; undefined where it is unknown (`slowestRank`). */
  readonly slowestRankSeconds: number | undefined;
  /** Time summed over locations: the exclusive times of all regions together. */
  readonly totalSeconds: number;
  /** What was taken off for the cost of measuring, summed over locations. */
  readonly takenSeconds: number;
}

/** Times per region of a run. `costOf` returns the cost of recording a visit of a region. */
export function regionTimes(profile: Profile, costOf: CostOfRegion): RunTimes {
  return perRegion(profile, programTime(profile, costOf));
}

/** The same of times that are there already. */
export function perRegion(profile: Profile, time: ProgramTime): RunTimes {
  const width = profile.locations.length;
  const { parent, region, count } = profile.callPaths;
  const { visits, timed } = countsOf(profile);
  const outermost = outermostOfRegion(profile);
  const regions = profile.regions.map(emptyTimes);
  const callPathSeconds = new Float64Array(count);
  const callPathTakenSeconds = new Float64Array(count);
  let totalSeconds = 0;
  for (let path = 0; path < count; path++) {
    const sum = (cells: Float64Array): number => sumOf(cells, path * width, (path + 1) * width - 1);
    const own = atUint(region, path);
    const times = regions[own];
    if (times === undefined) continue;
    const exclusive = sum(time.exclusive);
    callPathSeconds[path] = exclusive;
    totalSeconds += exclusive;
    times.visits += sum(visits);
    times.timedVisits += sum(timed);
    times.exclusiveSeconds += exclusive;
    times.estimateDoubtSeconds += atFloat(time.estimateDoubt, path);
    const taken = atFloat(time.taken, path);
    times.ownTakenSeconds += taken;
    callPathTakenSeconds[path] = taken;
    // Recursion: only the outermost instance contributes to the inclusive time.
    if (outermost[path] === 1) {
      times.inclusiveSeconds += sum(time.inclusive);
      times.takenSeconds += taken;
      times.timedWithin += sum(timed) + atFloat(time.childEvents, path);
    }
    const above = atInt(parent, path);
    const caller = above < 0 ? undefined : regions[atUint(region, above)];
    if (caller === undefined) continue;
    caller.ownTakenSeconds -= taken;
    callPathTakenSeconds[above] = atFloat(callPathTakenSeconds, above) - taken;
    addCaller(times, atUint(region, above), own, exclusive);
  }
  addBusiest(profile, visits, regions);
  return {
    regions,
    callPathSeconds,
    callPathTakenSeconds,
    totalSeconds,
    takenSeconds: Math.max(0, sumOf(time.recording)),
    rootSeconds: time.rootSeconds,
    slowestRankSeconds: slowestRankSeconds(profile, time.exclusive),
  };
}

function addCaller(times: RegionTimes, caller: number, own: number, seconds: number): void {
  if (caller !== own) times.callers.set(caller, (times.callers.get(caller) ?? 0) + seconds);
}

function addBusiest(profile: Profile, visits: Float64Array, regions: readonly RegionTimes[]): void {
  const width = profile.locations.length;
  const paths = regions.map((): number[] => []);
  profile.callPaths.region.forEach((own, path) => paths[own]?.push(path));
  const { ranks, positions } = ranksOf(profile.locations);
  const own = new Float64Array(width);
  const perRank = new Float64Array(ranks.length);
  regions.forEach((times, region) => {
    own.fill(0);
    for (const path of paths[region] ?? []) addTo(own, visits.subarray(path * width, (path + 1) * width));
    perRank.fill(0);
    for (let location = 0; location < width; location++) {
      const rank = atUint(positions, location);
      perRank[rank] = atFloat(perRank, rank) + atFloat(own, location);
    }
    times.busiestVisits = largest(own);
    times.busiestRankVisits = largest(perRank);
  });
}

function largest(counts: Float64Array): number {
  let most = 0;
  for (const count of counts) most = Math.max(most, count);
  return most;
}

function emptyTimes(): RegionTimes {
  return {
    visits: 0,
    timedVisits: 0,
    busiestVisits: 0,
    busiestRankVisits: 0,
    inclusiveSeconds: 0,
    exclusiveSeconds: 0,
    takenSeconds: 0,
    ownTakenSeconds: 0,
    estimateDoubtSeconds: 0,
    timedWithin: 0,
    callers: new Map(),
  };
}
