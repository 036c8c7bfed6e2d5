import { at, atInt, atUint } from '../at';
import { formatSeconds } from '../format';
import { isParallelRuntime, type Activity } from '../functions/activities';
import type { EfficiencyOfFunction } from '../functions/functionRow';
import type { Base } from '../functions/base';
import type { MeasuredTimes } from '../functions/measuredRun';
import type { Profile } from '../profile/profile';
import { outermostOfRegion } from '../profile/regions';
import { exclusivePerLocation } from '../profile/values';
import { workGroups } from '../profile/workGroups';
import { addTo, columnSums, pick, sumOf } from '../sums';
import { countsAs } from './countsAs';
import { efficiencyOf, type Efficiency, type SpentTimes } from './efficiency';
import { mpiWaitingMetrics } from './mpiWaiting';
import { seenWaiting, type SeenWaiting } from './seenWaiting';

/** One run with one region per function; a context of `core/problems` is one. */
export interface EfficiencyInput {
  readonly profile: Profile;
  readonly activities: readonly Activity[];
  /** Exclusive computing seconds per call path and location, without the cost of recording. */
  readonly cells: Float64Array;
  /** The same with waiting. */
  readonly elapsed: MeasuredTimes;
  /** Position of the phase's region, if there is one. */
  readonly phase?: number;
}

export interface Efficiencies {
  readonly run: Efficiency;
  /** Of the phase, which is a function too. */
  readonly phase?: { readonly region: number; readonly efficiency: Efficiency };
  /** By region, of functions with their callees; the regions of MPI, of the thread library and of the measurement have none. */
  readonly functions: ReadonlyMap<number, Efficiency>;
  /** Of the shares of `run`; those of a function refer to its own `runSeconds` in the same run. */
  readonly base: Base;
  /** Sentences: what the profile does not show. */
  readonly notes: readonly string[];
}

/** Why efficiencies cannot be told: one sentence. */
export interface NoEfficiency {
  readonly missing: string;
}

/** What rows of functions have of it. */
export function ofFunction(efficiency: Efficiency): EfficiencyOfFunction {
  const { parallel, loadBalance, communication, runSeconds, processes, slowestRanks } = efficiency;
  const own = { parallel, loadBalance, communication, runSeconds };
  return processes < 2 ? own : { ...own, slowestRanks };
}

/** What the locations of a run, and in each of its functions, spent their time for: all that efficiencies are made of. */
export interface Spent {
  readonly run: SpentTimes;
  /** Seconds of MPI’s start and end per location, which are in no other times. */
  readonly start: Float64Array;
  /** By region, with callees, one after the other: of many functions and locations there is much. */
  readonly functions: () => Iterable<readonly [number, SpentTimes]>;
}

export function spentIn(input: EfficiencyInput): Spent {
  const { profile, activities } = input;
  const cells = spentTimes(input);
  return {
    run: sumOfPaths(cells, profile.locations.length),
    start: startOf(input),
    functions: function* () {
      for (const [region, times] of timesPerRegion(profile, cells))
        if (!isParallelRuntime(activities[region]) && activities[region] !== 'artificial')
          yield [region, times] as const;
    },
  };
}

/**
 * POP metrics of the run and of each function, from one profile.
 * @param chosen positions of the locations that take part; default: all
 */
export function efficiencies(
  input: EfficiencyInput,
  spent?: Spent,
  chosen?: Uint32Array,
): Efficiencies | NoEfficiency {
  const { profile, elapsed, activities } = input;
  const locations =
    chosen === undefined
      ? profile.locations
      : Array.from(chosen, (location) => at(profile.locations, location));
  const seen = seenWaiting({ ...profile, locations }, activities);
  const missing = missingWaiting(seen);
  if (missing !== undefined) return { missing };
  const groups = workGroups(locations);
  const times = spent ?? spentIn(input);
  const of = (all: SpentTimes): SpentTimes =>
    chosen === undefined ? all : eachColumn(all, (values) => pick(values, chosen));
  const run = efficiencyOf(groups, of(times.run), true);
  if (run === undefined) return { missing: 'Nothing computes in this profile.' };
  const functions = new Map<number, Efficiency>();
  for (const [region, own] of times.functions()) {
    const efficiency = efficiencyOf(groups, of(own), false);
    if (efficiency !== undefined) functions.set(region, efficiency);
  }
  return {
    run,
    ...phaseOf(functions, input.phase),
    functions,
    base: { run: elapsed.base.run, clock: 'wall', seconds: run.runSeconds, leftOut: [] },
    notes: notesOf(input, seen, sumOf(chosen === undefined ? times.start : pick(times.start, chosen))),
  };
}

function phaseOf(
  functions: Efficiencies['functions'],
  region: number | undefined,
): Pick<Efficiencies, 'phase'> {
  const efficiency = region === undefined ? undefined : functions.get(region);
  return region === undefined || efficiency === undefined ? {} : { phase: { region, efficiency } };
}

function missingWaiting({ processes, hasThreads, mpi, threads }: SeenWaiting): string | undefined {
  if (processes < 2 && !hasThreads) return 'The run has one process with one thread: nothing is parallel.';
  if (!mpi)
    return 'The profile has several processes and no MPI function, so that waiting in MPI cannot be told from computation.';
  if (processes < 2 && !threads)
    return 'The profile shows neither barriers nor blocked time, so that threads that wait cannot be told from threads that compute.';
  return undefined;
}

/** Where it is a part of the run that matters, `elapsed` is without it. */
function startOf({ profile, activities, elapsed }: EfficiencyInput): Float64Array {
  const width = profile.locations.length;
  const start = new Float64Array(width);
  for (const { what, seconds } of elapsed.parts.leftOut)
    if (what === 'MPI start and end') addTo(start, seconds);
  profile.callPaths.region.forEach((region, path) => {
    if (activities[region] === 'start-up')
      addTo(start, elapsed.cells.subarray(path * width, (path + 1) * width));
  });
  return start;
}

function notesOf({ profile }: EfficiencyInput, seen: SeenWaiting, start: number): readonly string[] {
  return [
    ...(start > 0
      ? [`${formatSeconds(start)} of MPI’s start and end, of all processes together, are left out.`]
      : []),
    ...(seen.processes > 1 && mpiWaitingMetrics(profile.metrics).length === 0
      ? [
          'Serialisation and transfer cannot be told apart: the profile has no metrics of waiting in MPI (such as mpi_latesender).',
        ]
      : []),
    ...(seen.threads && seen.activeWaiting
      ? []
      : [
          seen.threads
            ? 'Threads that wait actively count as computing: the profile has no barriers.'
            : 'Threads that wait for each other count as computing: the profile shows neither barriers nor blocked time.',
        ]),
  ];
}

/** Exclusive seconds per call path and location. */
function spentTimes({ profile, activities, cells, elapsed }: EfficiencyInput): SpentTimes {
  const width = profile.locations.length;
  const { region, count } = profile.callPaths;
  const only = (values: Float64Array, isWanted: (activity: Activity) => boolean): Float64Array => {
    const wanted = activities.map(isWanted);
    const result = new Float64Array(values.length);
    for (let path = 0; path < count; path++)
      if (wanted[atUint(region, path)] === true)
        result.set(values.subarray(path * width, (path + 1) * width), path * width);
    return result;
  };
  const waits = mpiWaitingMetrics(profile.metrics).map((name) => exclusivePerLocation(profile, name));
  const waiting = new Float64Array(cells.length);
  for (const values of waits) addTo(waiting, values);
  return {
    computing: only(cells, countsAs.computing),
    elapsed: only(elapsed.cells, countsAs.elapsed),
    mpi: only(elapsed.cells, countsAs.mpi),
    ...(waits.length === 0 ? {} : { mpiWaiting: only(waiting, countsAs.mpi) }),
  };
}

/** Applies something to each of the columns that there are. */
function eachColumn(times: SpentTimes, make: (cells: Float64Array) => Float64Array): SpentTimes {
  const { computing, elapsed, mpi, mpiWaiting } = times;
  return {
    computing: make(computing),
    elapsed: make(elapsed),
    mpi: make(mpi),
    ...(mpiWaiting === undefined ? {} : { mpiWaiting: make(mpiWaiting) }),
  };
}

function sumOfPaths(times: SpentTimes, width: number): SpentTimes {
  return eachColumn(times, (cells) => columnSums(cells, width));
}

/** With callees; the outermost of recursive calls counts. */
function* timesPerRegion(profile: Profile, spent: SpentTimes): Generator<readonly [number, SpentTimes]> {
  const width = profile.locations.length;
  const { count, parent, region } = profile.callPaths;
  const inclusive = eachColumn(spent, (cells) => {
    const sums = cells.slice();
    for (let path = count - 1; path >= 0; path--) {
      const above = atInt(parent, path);
      if (above < 0) continue;
      addTo(
        sums.subarray(above * width, (above + 1) * width),
        sums.subarray(path * width, (path + 1) * width),
      );
    }
    return sums;
  });
  const outermost = outermostOfRegion(profile);
  const paths = profile.regions.map((): number[] => []);
  region.forEach((own, path) => {
    if (outermost[path] === 1) at(paths, own).push(path);
  });
  for (const [own, rows] of paths.entries())
    if (rows.length > 0)
      yield [
        own,
        eachColumn(inclusive, (cells) => {
          const sums = new Float64Array(width);
          for (const row of rows) addTo(sums, cells.subarray(row * width, (row + 1) * width));
          return sums;
        }),
      ];
}
