import { at, atByte, atFloat, atUint } from '../at';
import { formatSeconds } from '../format';
import { isParallelRuntime, type Activity } from '../functions/activities';
import type { EfficiencyOfFunction } from '../functions/functionRow';
import type { Base } from '../functions/base';
import type { MeasuredTimes } from '../functions/measuredRun';
import type { Profile } from '../profile/profile';
import { outermostOfRegion } from '../profile/regions';
import { depths } from '../profile/tree';
import { isSummed } from '../profile/summed';
import { exclusiveCells } from '../profile/values';
import { workGroups } from '../profile/workGroups';
import { remembered } from '../remembered';
import { addTo, largestOf, pick, sumOf } from '../sums';
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

/** What each location spent in the run, and in each function with its callees. */
export interface Spent {
  readonly run: SpentTimes;
  readonly functions: readonly (readonly [region: number, SpentTimes])[];
}

/** For `efficiencies` of several choices of locations; megabytes where functions × locations are many. */
export function spentIn(input: EfficiencyInput): Spent {
  const all = allOf(input);
  const functions: [number, SpentTimes][] = [];
  const run = spentTimes(input, all, (region, times) => functions.push([region, pickTimes(times, all)]));
  return { run, functions };
}

function allOf({ profile }: EfficiencyInput): Uint32Array {
  return Uint32Array.from(profile.locations.keys());
}

/**
 * POP metrics of the run and of each function, from one profile.
 * @param chosen positions of the locations that take part; default: all
 * @param spent where it is known already
 */
export function efficiencies(
  input: EfficiencyInput,
  chosen: Uint32Array = allOf(input),
  spent?: Spent,
): Efficiencies | NoEfficiency {
  const { profile, elapsed, activities } = input;
  if (isSummed(profile))
    return {
      missing:
        'The profile has sums over many processes: which of them wait is not known before the run has ended.',
    };
  const locations = Array.from(chosen, (location) => at(profile.locations, location));
  const seen = seenWaiting({ ...profile, locations }, activities);
  const missing = missingWaiting(seen);
  if (missing !== undefined) return { missing };
  const groups = workGroups(locations);
  const found: [number, Efficiency][] = [];
  const visit = (region: number, own: SpentTimes): void => {
    const efficiency = efficiencyOf(groups, own, false);
    if (efficiency !== undefined) found.push([region, efficiency]);
  };
  for (const [region, own] of spent?.functions ?? []) visit(region, pickTimes(own, chosen));
  const times = spent === undefined ? spentTimes(input, chosen, visit) : pickTimes(spent.run, chosen);
  const run = efficiencyOf(groups, times, true);
  if (run === undefined) return { missing: 'Nothing computes in this profile.' };
  const functions = new Map(found.sort(([a], [b]) => a - b));
  return {
    run,
    ...phaseOf(functions, input.phase),
    functions,
    base: { run: elapsed.base.run, clock: 'wall', seconds: run.runSeconds, leftOut: [] },
    notes: notesOf(input, seen, sumOf(pick(startOf(input), chosen))),
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
    return 'The profile has several processes and no MPI function, so that waiting in MPI cannot be distinguished from computation.';
  if (processes < 2 && !threads)
    return 'The profile shows neither barriers nor blocked time, so that threads that wait cannot be distinguished from threads that compute.';
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
          'Serialisation and transfer cannot be separated: the profile has no metrics of waiting in MPI (such as mpi_latesender).',
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

function pickTimes({ computing, elapsed, mpi, mpiWaiting }: SpentTimes, chosen: Uint32Array): SpentTimes {
  return {
    computing: pick(computing, chosen),
    elapsed: pick(elapsed, chosen),
    mpi: pick(mpi, chosen),
    ...(mpiWaiting === undefined ? {} : { mpiWaiting: pick(mpiWaiting, chosen) }),
  };
}

/**
 * What the chosen locations spent in the run. What is known at one time are the call paths above one of them, and functions of which some call paths
 * are still to come: all call paths of thousands of locations would take hundreds of megabytes.
 * @param visit called with each function, and what was spent there with callees, which changes afterwards; the outermost of recursive calls counts
 */
function spentTimes(
  input: EfficiencyInput,
  chosen: Uint32Array,
  visit: (region: number, times: SpentTimes) => void,
): SpentTimes {
  const { profile, activities } = input;
  const { callPaths } = profile;
  const knowsWaiting = mpiWaitingMetrics(profile.metrics).length > 0;
  const size = (knowsWaiting ? 4 : 3) * chosen.length;
  const timesOf = (row: Float64Array): SpentTimes => {
    const column = (index: number): Float64Array =>
      row.subarray(index * chosen.length, (index + 1) * chosen.length);
    const times = { computing: column(0), elapsed: column(1), mpi: column(2) };
    return knowsWaiting ? { ...times, mpiWaiting: column(3) } : times;
  };
  const isFunction = activities.map((own) => !isParallelRuntime(own) && own !== 'artificial');
  const outermost = outermostOfRegion(profile);
  const toCome = new Uint32Array(profile.regions.length);
  callPaths.region.forEach((region, path) => {
    toCome[region] = atUint(toCome, region) + atByte(outermost, path);
  });
  const sums = new Map<number, Float64Array>();
  const addOwn = ownTimes(input, chosen);
  // A row for each depth, with the callees as far as these have come; before the roots the run.
  const depth = depths(callPaths);
  const open = new Float64Array((largestOf(depth, 0) + 2) * size);
  for (let path = callPaths.count - 1; path >= 0; path--) {
    const region = atUint(callPaths.region, path);
    const above = atUint(depth, path) * size;
    const row = open.subarray(above + size, above + 2 * size);
    addOwn(row, path);
    for (let i = 0; i < size; i++) open[above + i] = atFloat(open, above + i) + atFloat(row, i);
    if (outermost[path] === 1 && isFunction[region] === true) {
      const left = atUint(toCome, region) - 1;
      toCome[region] = left;
      const isOnly = left === 0 && !sums.has(region);
      const sum = isOnly ? row : remembered(sums, region, () => new Float64Array(size));
      if (!isOnly) addTo(sum, row);
      if (left === 0) {
        visit(region, timesOf(sum));
        sums.delete(region);
      }
    }
    row.fill(0);
  }
  return timesOf(open.subarray(0, size));
}

/** Adds what the chosen locations spent in a call path without its callees to the columns of `SpentTimes`, one after the other in a row. */
function ownTimes(
  { profile, activities, cells, elapsed }: EfficiencyInput,
  chosen: Uint32Array,
): (row: Float64Array, path: number) => void {
  const width = profile.locations.length;
  const waits = mpiWaitingMetrics(profile.metrics).map((name) => exclusiveCells(profile, name));
  return (row, path) => {
    const activity = at(activities, atUint(profile.callPaths.region, path));
    const add = (column: number, values: Float64Array): void => {
      const from = column * chosen.length;
      for (let i = 0; i < chosen.length; i++)
        row[from + i] = atFloat(row, from + i) + atFloat(values, path * width + atUint(chosen, i));
    };
    if (countsAs.computing(activity)) add(0, cells);
    if (countsAs.elapsed(activity)) add(1, elapsed.cells);
    if (!countsAs.mpi(activity)) return;
    add(2, elapsed.cells);
    for (const values of waits) add(3, values);
  };
}
