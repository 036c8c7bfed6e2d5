import { at } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import { timedOneIn } from '../profile/metrics';
import { oneRegionPerFunction } from '../functions/functionRegions';
import { exclusiveDoubt, inclusiveDoubt } from '../functions/doubt';
import { computationSpreads, type ComputationSpread } from '../functions/computationSpread';
import { present } from '../present';
import { programTime, type CostOfRegion, type ProgramTime } from '../functions/programTime';
import { computingByRank } from '../functions/slowestRank';
import type { Profile } from '../profile/profile';
import { scaledCost, type PairCosts, type SiteKind } from '../cost/pairCost';
import { regionKeys } from '../callgraph/regionKeys';
import { perRegion, type RegionTimes, type RunTimes } from '../functions/regionTimes';
import type { CostBase } from '../cost/runTime';

/**
 * The results of all measured runs so far, per function key. It only gets sharper: visits are the largest of all runs, times those of the
 * run that disturbed them least, or the smallest of several such runs (noise only adds to times, and exclusive time shrinks as more callees
 * are recorded). So decisions made from it move in one direction and cannot oscillate.
 */
export interface Knowledge {
  /** Number of measured runs. */
  readonly runs: number;
  readonly functions: ReadonlyMap<string, FunctionKnowledge>;
  /** Computing time of all locations together, corrected: the base of the functions' times. Seconds. */
  readonly runSeconds: number;
  /** The run time, too, comes from a run that recorded so much that it may be far off. */
  readonly disturbed?: true;
  /** Cost of recording in the last run, relative to `calibration`: less than 1 where the calibrated cost would be more than the run's overhead. Absent: 1. */
  readonly costFactor?: number;
}

export interface FunctionKnowledge {
  /** Visits of the busiest location; 0: it was selected and never executed. */
  readonly visits: number;
  /** Visits of the busiest rank with all its threads; absent: those of the busiest location. */
  readonly rankVisits?: number;
  /** Visits of all locations: their recording adds to the CPU time of the run. */
  readonly allVisits: number;
  /** Computing time over all locations, without the cost of measuring. */
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  /** Correction of the inclusive seconds for the cost of measuring; absent: none. */
  readonly takenSeconds?: number;
  /** Possible error of the times (`doubtOf`): the larger one of both. */
  readonly doubtSeconds?: number;
  /** No run has timed all of its own visits: most were only counted. */
  readonly counted?: true;
  /** The times come from a run that recorded so much that they may be far off: those of any later run replace them. */
  readonly disturbed?: true;
  /** Number of runs that recorded it. */
  readonly timesMeasured: number;
  /** How its computation with callees is spread over ranks and threads in the last run that recorded it; absent where there is one. */
  readonly spread?: ComputationSpread;
  /** Share (0…1) of the exclusive time by nearest recorded caller. */
  readonly callers: ReadonlyMap<string, number>;
}

export const noKnowledge: Knowledge = { runs: 0, functions: new Map(), runSeconds: Infinity };

/**
 * Adds one measured run. `selected` are the keys of the recorded functions: those without a region in the profile were not executed.
 * `sites` has the kind of site per key; without it every region counts as a patchable entry. `base`, a run with nothing recorded, shows
 * how wrong the times may still be.
 */
export function accumulateKnowledge(
  previous: Knowledge | undefined,
  measured: Profile,
  graph: CallGraph,
  calibration: PairCosts,
  selected: Iterable<string>,
  sites?: ReadonlyMap<string, SiteKind>,
  base?: CostBase,
): Knowledge {
  const before = previous ?? noKnowledge;
  const { profile, keys } = oneRegionPerFunction(measured, regionKeys(measured, graph));
  const recorded = new Set(selected);
  const corrected = correctedTimes(
    profile,
    (region) => {
      const key = at(keys, region);
      return recorded.has(key) ? calibration[sites?.get(key) ?? 'entry'] : undefined;
    },
    base?.clock,
  );
  const { times, costFactor } = corrected;
  const functions = new Map(before.functions);
  for (const [key, now] of byKey(corrected, unexplainedSeconds(times, base), profile, keys)) {
    functions.set(key, sharper(before.functions.get(key), now));
  }
  for (const key of recorded) {
    if (!functions.has(key)) functions.set(key, notExecuted());
  }
  const runSeconds = Math.min(
    before.disturbed === true ? Infinity : before.runSeconds,
    times.totalSeconds > 0 ? times.totalSeconds : Infinity,
  );
  return { runs: before.runs + 1, functions, runSeconds, costFactor };
}

/** The same knowledge with times that those of any later run replace. Visits stay: they do not depend on the selection. */
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

/** The seconds that correspond to a baseline's: the CPU time of all locations, or the time of the slowest rank or location. */
function secondsOf(times: RunTimes, clock: CostBase['clock']): number {
  const { rootSeconds, slowestRankSeconds } = times;
  if (clock === 'rank' && slowestRankSeconds !== undefined) return slowestRankSeconds;
  return clock === 'cpu'
    ? rootSeconds.reduce((sum, seconds) => sum + seconds, 0)
    : Math.max(-Infinity, ...rootSeconds);
}

/** Difference between the corrected run and one with nothing recorded. */
export function unexplainedSeconds(times: RunTimes, base: CostBase | undefined): number {
  return base === undefined ? 0 : Math.max(0, secondsOf(times, base.clock) - base.seconds);
}

interface CorrectedTimes {
  readonly times: RunTimes;
  readonly costFactor: number;
  /** By region. */
  readonly spreads: Spreads;
}

/** Times without the cost of measuring; where that would be nearly all of the run, the cost is scaled down to a possible one. */
function correctedTimes(
  profile: Profile,
  pairCost: CostOfRegion,
  clock: CostBase['clock'] = 'wall',
): CorrectedTimes {
  const time = programTime(profile, pairCost);
  const times = perRegion(profile, time);
  const whole = programTime(profile, () => undefined);
  const raw = secondsOf(perRegion(profile, whole), clock);
  const least = leastOwnShare * raw;
  const left = (clock === 'rank' ? leftOfRanks(profile, whole, time) : undefined) ?? secondsOf(times, clock);
  if (left >= least) return { times, costFactor: 1, spreads: spreadsOf(profile, time) };
  const costFactor = Math.max(0, (raw - least) / (raw - left));
  const scaled = programTime(profile, (region) => {
    const cost = pairCost(region);
    return cost === undefined ? undefined : scaledCost(cost, costFactor);
  });
  return { times: perRegion(profile, scaled), costFactor, spreads: spreadsOf(profile, scaled) };
}

/**
 * Computing time of the rank that has most left, below 0 when more is taken off than there is: the times of functions, which are never
 * negative, do not show by how much.
 */
function leftOfRanks(profile: Profile, whole: ProgramTime, corrected: ProgramTime): number | undefined {
  const computing = computingByRank(profile, whole.exclusive);
  if (computing === undefined) return undefined;
  const left = new Map(computing);
  profile.locations.forEach(({ rank }, location) => {
    const taken = at(whole.rootSeconds, location) - at(corrected.rootSeconds, location);
    left.set(rank, (left.get(rank) ?? 0) - taken);
  });
  return Math.max(...left.values());
}

type Spreads = ReturnType<typeof computationSpreads>;
const noSpreads: Spreads = new Map();

function spreadsOf(profile: Profile, { exclusive }: ProgramTime): Spreads {
  return profile.locations.length > 1 ? computationSpreads(profile, exclusive) : noSpreads;
}

interface Measured {
  readonly visits: number;
  readonly rankVisits: number;
  readonly allVisits: number;
  readonly inclusiveSeconds: number;
  readonly exclusiveSeconds: number;
  readonly takenSeconds: number;
  readonly doubtSeconds: number;
  readonly counted: boolean;
  readonly spread: ComputationSpread | undefined;
  readonly callers: ReadonlyMap<string, number>;
}

function byKey(
  run: CorrectedTimes,
  unexplained: number,
  profile: Profile,
  keys: readonly string[],
): ReadonlyMap<string, Measured> {
  const result = new Map<string, Measured>();
  const whole = { ...run.times, unexplainedSeconds: unexplained };
  run.times.regions.forEach((times, index) => {
    if (times.visits <= 0) return;
    const { inclusiveSeconds, exclusiveSeconds, takenSeconds } = times;
    result.set(at(keys, index), {
      visits: times.busiestVisits,
      rankVisits: times.busiestRankVisits,
      allVisits: times.visits,
      inclusiveSeconds,
      exclusiveSeconds,
      takenSeconds,
      doubtSeconds: Math.max(inclusiveDoubt(times, whole), exclusiveDoubt(times, whole)),
      counted: timedOneIn(profile.regions[index]) !== undefined,
      spread: run.spreads.get(index),
      callers: callerShares(times, keys),
    });
  });
  return result;
}

/** Shares by key of the caller, without the function's calls of itself. */
function callerShares(times: RegionTimes, keys: readonly string[]): ReadonlyMap<string, number> {
  const callers = new Map<string, number>();
  let sum = 0;
  for (const [caller, seconds] of times.callers) {
    callers.set(at(keys, caller), seconds);
    sum += seconds;
  }
  return sum > 0 ? new Map([...callers].map(([k, seconds]) => [k, seconds / sum])) : callers;
}

/** Doubts this near to each other are no reason to prefer one run. */
const comparable = 2;
/** A doubt below this part of the time is as good as none. */
const noDoubt = 0.02;

/** The times of the run with the least doubt; of runs with comparable doubts the smaller ones. Disturbed ones never stay. */
function sharper(before: FunctionKnowledge | undefined, now: Measured): FunctionKnowledge {
  const executed =
    before !== undefined && before.visits > 0 && before.disturbed !== true ? before : undefined;
  const times = surest(executed, now);
  const least = (which: 'inclusiveSeconds' | 'exclusiveSeconds' | 'takenSeconds' | 'doubtSeconds'): number =>
    Math.min(...times.map((run) => run[which] ?? Infinity));
  return {
    visits: Math.max(before?.visits ?? 0, now.visits),
    rankVisits: Math.max(before?.rankVisits ?? 0, now.rankVisits),
    allVisits: Math.max(before?.allVisits ?? 0, now.allVisits),
    inclusiveSeconds: least('inclusiveSeconds'),
    exclusiveSeconds: least('exclusiveSeconds'),
    takenSeconds: least('takenSeconds'),
    doubtSeconds: least('doubtSeconds'),
    ...stillCounted(executed, now),
    ...present({ spread: now.spread }),
    timesMeasured: (before?.timesMeasured ?? 0) + 1,
    callers: now.callers,
  };
}

function surest(
  before: FunctionKnowledge | undefined,
  now: Measured,
): readonly Pick<
  FunctionKnowledge,
  'inclusiveSeconds' | 'exclusiveSeconds' | 'takenSeconds' | 'doubtSeconds'
>[] {
  if (before === undefined) return [now];
  const floor = noDoubt * Math.min(before.inclusiveSeconds, now.inclusiveSeconds);
  const [old, fresh] = [Math.max(floor, before.doubtSeconds ?? 0), Math.max(floor, now.doubtSeconds)];
  if (comparable * fresh < old) return [now];
  return comparable * old < fresh ? [before] : [before, now];
}

function stillCounted(
  before: FunctionKnowledge | undefined,
  now: Measured,
): Pick<FunctionKnowledge, 'counted'> {
  return now.counted && (before === undefined || before.counted === true) ? { counted: true } : {};
}

function notExecuted(): FunctionKnowledge {
  return {
    visits: 0,
    allVisits: 0,
    inclusiveSeconds: 0,
    exclusiveSeconds: 0,
    timesMeasured: 1,
    callers: new Map(),
  };
}
