import type { CallGraph } from '../callgraph/callGraph';
import { timedOneIn } from '../profile/metrics';
import { oneRegionPerFunction } from '../functions/functionRegions';
import { programTime, type CostOfRegion } from '../functions/programTime';
import type { Profile } from '../profile/profile';
import { scaledCost, type PairCosts, type SiteKind } from './pairCost';
import { regionKeys } from './regionKeys';
import { regionTimes, type RegionTimes, type RunTimes } from './regionTimes';

/**
 * What all measured runs so far have told, per function key. It only ever gets sharper: visits are the largest seen, times the
 * smallest (disturbance and noise only add to times, and exclusive time shrinks as more callees are recorded). So decisions made
 * from it move in one direction and cannot oscillate.
 */
export interface Knowledge {
  /** Measured runs that went into it. */
  readonly runs: number;
  readonly functions: ReadonlyMap<string, FunctionKnowledge>;
  /** Computing time of all locations together, corrected: what the times of the functions are parts of. Seconds. */
  readonly runSeconds: number;
  /** The run time, too, is of a run that recorded so much that it may be far off. */
  readonly disturbed?: true;
  /** What recording cost in the last run, relative to `calibration`: less than 1 where that would take off more than was added. Absent: 1. */
  readonly costFactor?: number;
}

export interface FunctionKnowledge {
  /** Of the busiest location; 0: it was selected and never executed. */
  readonly visits: number;
  /** Of all locations: what recording adds to the CPU time of the run. */
  readonly allVisits: number;
  /** Computing time over all locations, without the cost of measuring. */
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  /** What the cost of measuring took off the inclusive seconds in the same run; absent: nothing. */
  readonly takenSeconds?: number;
  /** Shortest visit, when the profile tells. */
  readonly minimumVisitSeconds?: number;
  /** The times depend on an estimate from a part of the visits, its own or of a callee; no run has timed them all. */
  readonly estimated?: true;
  /** No run has timed all of its own visits: most were only counted. */
  readonly counted?: true;
  /** The times are of a run that recorded so much that they may be far off: those of any later run replace them. */
  readonly disturbed?: true;
  /** Number of the run (from 0) that recorded it last. */
  readonly lastMeasured: number;
  /** Share (0…1) of the exclusive time by nearest recorded caller. */
  readonly callers: ReadonlyMap<string, number>;
}

export const noKnowledge: Knowledge = { runs: 0, functions: new Map(), runSeconds: Infinity };

/**
 * Adds one measured run. `selected` are the keys that were recorded in it: those without a region in the profile were not
 * executed. `sites` tells the kind of site per key; without it every region counts as a patchable entry. `baselineSeconds`, the run time
 * with nothing recorded, keeps a calibration that is too high for this program from taking off more than was added.
 */
export function accumulateKnowledge(
  previous: Knowledge | undefined,
  measured: Profile,
  graph: CallGraph,
  calibration: PairCosts,
  selected: Iterable<string>,
  sites?: ReadonlyMap<string, SiteKind>,
  baselineSeconds?: number,
): Knowledge {
  const before = previous ?? noKnowledge;
  const { profile, keys } = oneRegionPerFunction(measured, regionKeys(measured, graph));
  const recorded = new Set(selected);
  const { times, costFactor } = correctedTimes(
    profile,
    (region) => {
      const key = keys[region] ?? '';
      return recorded.has(key) ? calibration[sites?.get(key) ?? 'entry'] : undefined;
    },
    baselineSeconds,
  );
  const functions = new Map(before.functions);
  const run = before.runs;
  for (const [key, now] of byKey(times, profile, keys)) {
    functions.set(key, sharper(before.functions.get(key), now, run));
  }
  for (const key of recorded) {
    if (!functions.has(key)) functions.set(key, notExecuted(run));
  }
  const runSeconds = Math.min(
    before.disturbed === true ? Infinity : before.runSeconds,
    times.totalSeconds > 0 ? times.totalSeconds : Infinity,
  );
  return { runs: run + 1, functions, runSeconds, costFactor };
}

/** The same, with times that give way to those of any later run. Visits hold: they do not depend on what is recorded. */
export function disturbedKnowledge(knowledge: Knowledge): Knowledge {
  const { functions } = knowledge;
  return {
    ...knowledge,
    functions: new Map([...functions].map(([key, known]) => [key, { ...known, disturbed: true }])),
    disturbed: true,
  };
}

/** Even the most disturbed run did some work of its own. */
const leastOwnShare = 0.1;

/**
 * Times without the cost of measuring. Pairs overlap with other work in some programs, so that calibrated costs may add up to more than
 * the run was slowed down; then they are scaled to what really was added.
 */
function correctedTimes(
  profile: Profile,
  pairCost: CostOfRegion,
  baselineSeconds: number | undefined,
): { readonly times: RunTimes; readonly costFactor: number } {
  const times = regionTimes(profile, pairCost);
  const raw = Math.max(...programTime(profile, () => undefined).rootSeconds);
  const least =
    baselineSeconds !== undefined && raw > baselineSeconds ? baselineSeconds : leastOwnShare * raw;
  if (times.runSeconds >= least) return { times, costFactor: 1 };
  const costFactor = Math.max(0, (raw - least) / (raw - times.runSeconds));
  const scaled = regionTimes(profile, (region) => {
    const cost = pairCost(region);
    return cost === undefined ? undefined : scaledCost(cost, costFactor);
  });
  return { times: scaled, costFactor };
}

interface Measured {
  readonly visits: number;
  readonly allVisits: number;
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  readonly takenSeconds: number;
  readonly minimumVisitSeconds: number | undefined;
  readonly estimated: boolean;
  readonly counted: boolean;
  readonly callers: ReadonlyMap<string, number>;
}

function byKey(
  { regions }: RunTimes,
  profile: Profile,
  keys: readonly string[],
): ReadonlyMap<string, Measured> {
  const result = new Map<string, Measured>();
  const estimated = estimatedRegions(profile);
  regions.forEach((times, index) => {
    const key = keys[index] ?? '';
    if (times.visits <= 0) return;
    const { inclusiveSeconds, exclusiveSeconds, takenSeconds, minimumVisitSeconds } = times;
    result.set(key, {
      visits: times.busiestVisits,
      allVisits: times.visits,
      inclusiveSeconds,
      exclusiveSeconds,
      takenSeconds,
      minimumVisitSeconds,
      estimated: estimated.has(index),
      counted: timedOneIn(profile.regions[index]) !== undefined,
      callers: callerShares(times, keys),
    });
  });
  return result;
}

/** By key of the caller; a function's calls of itself tell nothing. */
function callerShares(times: RegionTimes, keys: readonly string[]): ReadonlyMap<string, number> {
  const callers = new Map<string, number>();
  let sum = 0;
  for (const [caller, seconds] of times.callers) {
    callers.set(keys[caller] ?? '', seconds);
    sum += seconds;
  }
  return sum > 0 ? new Map([...callers].map(([k, seconds]) => [k, seconds / sum])) : callers;
}

/** Regions of which not all visits were timed, and the callers that their time was taken from. */
function estimatedRegions({ regions, callPaths }: Profile): ReadonlySet<number> {
  const found = new Set<number>();
  callPaths.region.forEach((region, path) => {
    if (timedOneIn(regions[region]) === undefined) return;
    found.add(region);
    const caller = callPaths.region[callPaths.parent[path] ?? -1];
    if (caller !== undefined) found.add(caller);
  });
  return found;
}

/** Times of all visits are sharper than times that are estimated from some: an estimate never replaces them. Disturbed ones never stay. */
function sharper(before: FunctionKnowledge | undefined, now: Measured, run: number): FunctionKnowledge {
  const executed =
    before !== undefined && before.visits > 0 && before.disturbed !== true ? before : undefined;
  const minimum = Math.min(executed?.minimumVisitSeconds ?? Infinity, now.minimumVisitSeconds ?? Infinity);
  const exact = [executed, now].filter((times) => times !== undefined && times.estimated !== true);
  const times = exact.length > 0 ? exact : [executed, now];
  const least = (which: 'inclusiveSeconds' | 'exclusiveSeconds' | 'takenSeconds'): number =>
    Math.min(...times.map((one) => one?.[which] ?? Infinity));
  return {
    visits: Math.max(before?.visits ?? 0, now.visits),
    allVisits: Math.max(before?.allVisits ?? 0, now.allVisits),
    inclusiveSeconds: least('inclusiveSeconds'),
    exclusiveSeconds: least('exclusiveSeconds'),
    takenSeconds: least('takenSeconds'),
    ...(Number.isFinite(minimum) ? { minimumVisitSeconds: minimum } : {}),
    ...(exact.length > 0 ? {} : { estimated: true }),
    ...stillCounted(executed, now),
    lastMeasured: run,
    callers: now.callers,
  };
}

function stillCounted(
  before: FunctionKnowledge | undefined,
  now: Measured,
): Pick<FunctionKnowledge, 'counted'> {
  return now.counted && (before === undefined || before.counted === true) ? { counted: true } : {};
}

function notExecuted(run: number): FunctionKnowledge {
  return {
    visits: 0,
    allVisits: 0,
    inclusiveSeconds: 0,
    exclusiveSeconds: 0,
    lastMeasured: run,
    callers: new Map(),
  };
}
