import type { CallGraph } from '../callgraph/callGraph';
import type { Profile } from '../profile/profile';
import type { PairCost, PairCosts, SiteKind } from './pairCost';
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
  /** Corrected run time of the busiest location, seconds. */
  readonly runSeconds: number;
}

export interface FunctionKnowledge {
  /** Of the busiest location; 0: it was selected and never executed. */
  readonly visits: number;
  /** Seconds of the busiest location, without the cost of measuring. */
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  /** Shortest visit, when the profile tells. */
  readonly minimumVisitSeconds?: number;
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
  profile: Profile,
  graph: CallGraph,
  calibration: PairCosts,
  selected: Iterable<string>,
  sites?: ReadonlyMap<string, SiteKind>,
  baselineSeconds?: number,
): Knowledge {
  const before = previous ?? noKnowledge;
  const keys = regionKeys(profile, graph);
  const recorded = new Set(selected);
  const times = correctedTimes(
    profile,
    (region) => {
      const key = keys[region] ?? '';
      return recorded.has(key) ? calibration[sites?.get(key) ?? 'entry'] : undefined;
    },
    baselineSeconds,
  );
  const functions = new Map(before.functions);
  const run = before.runs;
  for (const [key, measured] of byKey(times.regions, keys)) {
    functions.set(key, sharper(before.functions.get(key), measured, run));
  }
  for (const key of recorded) {
    if (!functions.has(key)) functions.set(key, notExecuted(run));
  }
  const runSeconds = times.runSeconds > 0 ? Math.min(before.runSeconds, times.runSeconds) : before.runSeconds;
  return { runs: run + 1, functions, runSeconds };
}

/** Even the most disturbed run did some work of its own. */
const leastOwnShare = 0.1;

/**
 * Times without the cost of measuring. Pairs overlap with other work in some programs, so that calibrated costs may add up to more than
 * the run was slowed down; then they are scaled to what really was added.
 */
function correctedTimes(
  profile: Profile,
  pairCost: (region: number) => PairCost | undefined,
  baselineSeconds: number | undefined,
): RunTimes {
  const times = regionTimes(profile, pairCost);
  const raw = regionTimes(profile, () => undefined).runSeconds;
  const least =
    baselineSeconds !== undefined && raw > baselineSeconds ? baselineSeconds : leastOwnShare * raw;
  if (times.runSeconds >= least) return times;
  const scale = Math.max(0, (raw - least) / (raw - times.runSeconds));
  return regionTimes(profile, (region) => {
    const cost = pairCost(region);
    if (cost === undefined) return undefined;
    return {
      pairSeconds: cost.pairSeconds * scale,
      insideSeconds: cost.insideSeconds * scale,
      outsideSeconds: cost.outsideSeconds * scale,
    };
  });
}

interface Measured {
  readonly visits: number;
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  readonly minimumVisitSeconds: number | undefined;
  readonly callers: ReadonlyMap<string, number>;
}

/** Several regions may be one function (clones of a template or an inline function in several units). */
function byKey(regions: readonly RegionTimes[], keys: readonly string[]): ReadonlyMap<string, Measured> {
  const result = new Map<string, Measured>();
  regions.forEach((times, index) => {
    const key = keys[index] ?? '';
    if (times.visits <= 0) return;
    const callers = new Map<string, number>();
    let sum = 0;
    for (const [caller, seconds] of times.callers) {
      const callerKey = keys[caller] ?? '';
      if (callerKey === key) continue;
      callers.set(callerKey, (callers.get(callerKey) ?? 0) + seconds);
      sum += seconds;
    }
    const other = result.get(key);
    result.set(key, {
      visits: times.busiestVisits + (other?.visits ?? 0),
      inclusiveSeconds: times.busiestInclusiveSeconds + (other?.inclusiveSeconds ?? 0),
      exclusiveSeconds: times.busiestExclusiveSeconds + (other?.exclusiveSeconds ?? 0),
      minimumVisitSeconds: times.minimumVisitSeconds,
      callers: sum > 0 ? new Map([...callers].map(([k, seconds]) => [k, seconds / sum])) : callers,
    });
  });
  return result;
}

function sharper(before: FunctionKnowledge | undefined, now: Measured, run: number): FunctionKnowledge {
  const executed = before !== undefined && before.visits > 0 ? before : undefined;
  const minimum = Math.min(executed?.minimumVisitSeconds ?? Infinity, now.minimumVisitSeconds ?? Infinity);
  return {
    visits: Math.max(executed?.visits ?? 0, now.visits),
    inclusiveSeconds: Math.min(executed?.inclusiveSeconds ?? Infinity, now.inclusiveSeconds),
    exclusiveSeconds: Math.min(executed?.exclusiveSeconds ?? Infinity, now.exclusiveSeconds),
    ...(Number.isFinite(minimum) ? { minimumVisitSeconds: minimum } : {}),
    lastMeasured: run,
    callers: now.callers,
  };
}

function notExecuted(run: number): FunctionKnowledge {
  return { visits: 0, inclusiveSeconds: 0, exclusiveSeconds: 0, lastMeasured: run, callers: new Map() };
}
