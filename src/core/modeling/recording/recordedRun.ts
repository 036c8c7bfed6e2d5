import { at, atFloat, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { PairCosts } from '../../cost/pairCost';
import { recordingCost } from '../../cost/regionCost';
import type { DecisionClock, RunTime } from '../../cost/runTime';
import { clockOf, exclusiveComputing } from '../../profile/computingTime';
import type { Profile, Region } from '../../profile/profile';
import { exclusivePerLocation, hasVisits } from '../../profile/values';

/** A sum over the locations that a clock counts: all of them, those of the slowest rank, or the busiest one. */
type ByClock = Readonly<Record<DecisionClock, number>>;

/** What one run shows of the cost of recording. */
export interface RecordedRun {
  /** A value of each parameter. */
  readonly point: readonly number[];
  /** Of the whole run, with the recording. */
  readonly time: RunTime;
  /** Calibrated in this run. */
  readonly costs: PairCosts;
  readonly functions: ReadonlyMap<string, RecordedFunction>;
  /** Computing time of the recorded functions without callees, with the recording; absent where the profile cannot tell it from waiting. */
  readonly recordedSeconds?: ByClock;
}

interface RecordedFunction {
  readonly region: Region;
  readonly visits: ByClock;
}

/**
 * @param keyOf key of a region's function; default: its name
 * @returns undefined for a profile that does not count visits
 */
export function recordedRun(
  profile: Profile,
  facts: Pick<RecordedRun, 'point' | 'time' | 'costs'>,
  keyOf: (region: Region, position: number) => string = ({ name }) => name,
): RecordedRun | undefined {
  if (!hasVisits(profile)) return undefined;
  const rank = facts.time.slowestRank?.rank;
  const functions = new Map<string, RecordedFunction>();
  const visits = rowsByRegion(profile, exclusivePerLocation(profile, 'visits', 'as-stored'));
  for (const [position, row] of visits) {
    const region = at(profile.regions, position);
    if (recordingCost(region, facts.costs) === 0) continue;
    const key = keyOf(region, position);
    const counts = byClock(row, profile, rank);
    const before = functions.get(key)?.visits;
    functions.set(key, { region, visits: before === undefined ? counts : added(before, counts) });
  }
  if (clockOf(profile) === 'wall') return { ...facts, functions };
  const seconds = new Float64Array(profile.locations.length);
  for (const [position, row] of rowsByRegion(profile, exclusiveComputing(profile)))
    if (recordingCost(at(profile.regions, position), facts.costs) > 0) addTo(seconds, row);
  return { ...facts, functions, recordedSeconds: byClock(seconds, profile, rank) };
}

/** Sums over the call paths of each region, by location. */
function rowsByRegion(
  { callPaths, locations }: Profile,
  values: Float64Array,
): ReadonlyMap<number, Float64Array> {
  const rows = new Map<number, Float64Array>();
  const width = locations.length;
  for (let path = 0; path < callPaths.count; path++) {
    const row = getOrMake(rows, atUint(callPaths.region, path), () => new Float64Array(width));
    addTo(row, values.subarray(path * width, (path + 1) * width));
  }
  return rows;
}

function addTo(sums: Float64Array, row: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = atFloat(sums, i) + atFloat(row, i);
}

function byClock(row: Float64Array, { locations }: Profile, rank: number | undefined): ByClock {
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  return {
    cpu: sum(row),
    rank: sum(row.filter((_, i) => at(locations, i).rank === rank)),
    wall: row.reduce((most, value) => Math.max(most, value), 0),
  };
}

function added(one: ByClock, other: ByClock): ByClock {
  return { cpu: one.cpu + other.cpu, rank: one.rank + other.rank, wall: one.wall + other.wall };
}

/** Calibrated cost of all recorded visits of a run, seconds by a clock. */
export function recordingSeconds(
  { functions }: Pick<RecordedRun, 'functions'>,
  costs: PairCosts,
  clock: DecisionClock,
): number {
  let seconds = 0;
  for (const { region, visits } of functions.values())
    seconds += visits[clock] * recordingCost(region, costs);
  return seconds;
}
