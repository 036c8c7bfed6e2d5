import { at, atFloat, atUint } from '../at';
import { recordingCost } from '../cost/regionCost';
import type { PairCosts } from '../cost/pairCost';
import type { DecisionClock, RunTime } from '../cost/runTime';
import { chargedVisits } from '../knowledge/recordingCost';
import type { Profile, Region } from '../profile/profile';
import { exclusivePerLocation, hasVisits } from '../profile/values';

/** What one run shows of the cost of recording. */
export interface RecordedRun {
  /** A value of each parameter. */
  readonly point: readonly number[];
  /** Of the whole run, with the recording. */
  readonly time: RunTime;
  /** Calibrated in this run. */
  readonly costs: PairCosts;
  readonly functions: ReadonlyMap<string, RecordedVisits>;
}

/** Visits of one function. */
interface RecordedVisits {
  readonly region: Region;
  /** Of the busiest thread, of the slowest rank, and of all threads and processes. */
  readonly visits: number;
  readonly rankVisits?: number;
  readonly allVisits: number;
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
  const { callPaths, locations, regions } = profile;
  const slowest = facts.time.slowestRank?.rank;
  const counts = exclusivePerLocation(profile, 'visits', 'as-stored');
  const width = locations.length;
  const byRegion = new Map<number, Float64Array>();
  for (let path = 0; path < callPaths.count; path++) {
    const region = atUint(callPaths.region, path);
    const row = byRegion.get(region) ?? new Float64Array(width);
    byRegion.set(region, row);
    for (let i = 0; i < width; i++) row[i] = atFloat(row, i) + atFloat(counts, path * width + i);
  }
  const functions = new Map<string, RecordedVisits>();
  for (const [position, row] of byRegion) {
    const region = at(regions, position);
    if (recordingCost(region, facts.costs) === 0) continue;
    const key = keyOf(region, position);
    const before = functions.get(key);
    const ofRank = row.filter((_, i) => at(locations, i).rank === slowest);
    functions.set(key, {
      region,
      visits: (before?.visits ?? 0) + row.reduce((most, count) => Math.max(most, count), 0),
      ...(slowest === undefined ? {} : { rankVisits: (before?.rankVisits ?? 0) + sum(ofRank) }),
      allVisits: (before?.allVisits ?? 0) + sum(row),
    });
  }
  return { ...facts, functions };
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Visits of a function in a run that are charged to a clock; 0 where it was not called. */
export function visitsIn({ functions }: RecordedRun, key: string, clock: DecisionClock): number {
  return chargedVisits(functions.get(key), clock);
}

/** Calibrated cost of all recorded visits of a run, seconds by a clock. */
export function recordingSeconds(
  { functions }: Pick<RecordedRun, 'functions'>,
  costs: PairCosts,
  clock: DecisionClock,
): number {
  let seconds = 0;
  for (const known of functions.values())
    seconds += chargedVisits(known, clock) * recordingCost(known.region, costs);
  return seconds;
}
