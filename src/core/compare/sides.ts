import { at, atFloat, atInt, atUint } from '../at';
import { getOrMake } from '../getOrMake';
import { activityOf, isParallelRuntime } from '../functions/activities';
import { openmpConstruct } from '../names/openmpConstruct';
import { present } from '../present';
import { placeOf, type RegionPlace } from '../profile/place';
import type { Experiment } from '../profile/experiment';
import type { Region } from '../profile/profile';
import { matchFunctions, type FunctionMatch, type KnownFunction } from './matchFunctions';
import { withoutFolded } from './withoutFolded';
import { timeMetric, type ComparedMetric, type ComparedRun } from './run';

/** Repetitions of one build on one machine with one input. */
export interface Side {
  readonly name: string;
  /** At least one, all of one metric. */
  readonly runs: readonly ComparedRun[];
  /** Whether the measurement was to record a function; undefined: it does not say. */
  readonly isRecorded?: (function_: Pick<KnownFunction, 'key' | 'name' | 'file'>) => boolean | undefined;
  /** How the runs were measured, as far as that is known. */
  readonly measured?: readonly MeasuredHow[];
}

export type MeasuredHow = Pick<
  Experiment,
  'buildId' | 'host' | 'command' | 'startedAt' | 'wallSeconds' | 'cpuSeconds'
>;

/** A call path of either side. Arrays have an element for each run: those of the first side, then those of the second. */
export interface ComparedPath {
  /** Position among the paths; −1 at a root. Parents come before their children. */
  readonly parent: number;
  /** Position among the functions. */
  readonly function: number;
  readonly visits: Float64Array;
  /** Exclusive computing seconds. */
  readonly seconds: Float64Array;
  /** Exclusive values of the compared metric; of the time, `seconds` itself. */
  readonly values: Float64Array;
  /** By how much the values may be wrong (`ComparedRun`). */
  readonly doubts: Float64Array;
  readonly instructions?: Float64Array;
}

export interface ComparedFunction {
  readonly key: string;
  /** For sentences. */
  readonly name: string;
  /** What it was called on the first side, where it was renamed, and its key there, where it is another one. */
  readonly formerName?: string;
  readonly formerKey?: string;
  /** On the second side, where it has it. */
  readonly place: RegionPlace;
  /** It communicates or waits for others: its time is theirs and the machine's. */
  readonly isWaiting: boolean;
}

/** What the values are of: all processes together, or the mean process where the sides have other numbers of them. */
export type ComparedPer = 'all' | 'process';

/** Two sides as one tree. */
export interface ComparedSides {
  readonly names: readonly [string, string];
  /** Number of runs of each side. */
  readonly runs: readonly [number, number];
  /** Number of processes of each side. */
  readonly processes: readonly [number, number];
  readonly per: ComparedPer;
  readonly metric: ComparedMetric;
  readonly functions: readonly ComparedFunction[];
  readonly paths: readonly ComparedPath[];
  /** Names of functions that only the first, and only the second measurement was to record. What they did is in what calls them, on both sides. */
  readonly recordedOnce: readonly [readonly string[], readonly string[]];
  /** Whether both sides say what they were to record: without that, a function of one side may have been left out of the other measurement. */
  readonly knowsRecorded: boolean;
  /** All runs are those of one build with one command: calls that have other callers than before were recorded otherwise, and not made otherwise. */
  readonly isSameProgram: boolean;
  /** One was measured wholly before the other, or it is not known: meanwhile, the machine may have changed. */
  readonly isOneAfterOther: boolean;
  /** By how much wall times ÷ processor times of the runs of the sides differ, as a logarithm; absent: not known. */
  readonly load?: number;
}

/**
 * Puts the call trees of all runs of two sides on top of each other; functions correspond by `matchFunctions`.
 * @param per default: the mean process where the sides have other numbers of processes
 */
export function compareSides(first: Side, second: Side, per?: ComparedPer): ComparedSides {
  const known = [functionsOf(first), functionsOf(second)] as const;
  const { match, once } = matchRecorded([first, second], known);
  const processes = [processesOf(first), processesOf(second)] as const;
  const basis = per ?? (processes[0] === processes[1] ? 'all' : 'process');
  const all = [...first.runs, ...second.runs];
  const { metric } = at(all, 0);
  const tree = new Merging(all.length, basis, {
    isOther: metric.name !== timeMetric.name,
    hasInstructions: all.every(({ instructions }) => instructions !== undefined),
  });
  [first, second].forEach((side, number) => {
    const folded = new Set(once[number]?.map(({ key }) => key));
    side.runs.forEach((run, index) => {
      tree.add(run, number * first.runs.length + index, number === 0 ? undefined : match, folded);
    });
  });
  const names = (list: readonly KnownFunction[]): readonly string[] => list.map(({ name }) => name).sort();
  return {
    names: [first.name, second.name],
    runs: [first.runs.length, second.runs.length],
    processes,
    per: basis,
    metric,
    functions: tree.functions,
    paths: tree.paths,
    recordedOnce: [names(once[0]), names(once[1])],
    knowsRecorded: first.isRecorded !== undefined && second.isRecorded !== undefined,
    isSameProgram: isSameProgram(first, second),
    isOneAfterOther: isOneAfterOther(first, second),
    ...present({ load: loadDifference(first, second) }),
  };
}

/** Which functions correspond, and which only one measurement was to record: nothing is known by these, for they are in their callers on both sides. */
function matchRecorded(
  [first, second]: readonly [Side, Side],
  known: readonly [readonly Seen[], readonly Seen[]],
): { readonly match: FunctionMatch; readonly once: readonly [readonly Seen[], readonly Seen[]] } {
  const isSame = isSameProgram(first, second);
  const match = matchFunctions(...known, isSame);
  const matched = new Set(match.values());
  const once = [
    onlyRecordedBy(
      first,
      second,
      known[0].filter(({ key }) => !matched.has(key)),
    ),
    onlyRecordedBy(
      second,
      first,
      known[1].filter(({ key }) => !match.has(key)),
    ),
  ] as const;
  const [a, b] = [0, 1].map((side) =>
    withoutFolded(at(known, side), new Set(at(once, side).map(({ key }) => key))),
  );
  const isWhole = once.every(({ length }) => length === 0) || a === undefined || b === undefined;
  return { match: isWhole ? match : matchFunctions(a, b, isSame), once };
}

function isSameProgram({ measured: a = [] }: Side, { measured: b = [] }: Side): boolean {
  const programs = [...a, ...b].map(({ buildId, command }) => JSON.stringify([buildId, command]));
  return a.length > 0 && b.length > 0 && new Set(programs).size === 1;
}

function isOneAfterOther({ measured: a }: Side, { measured: b }: Side): boolean {
  if (a === undefined || b === undefined) return true;
  const isBefore = (early: readonly MeasuredHow[], late: readonly MeasuredHow[]): boolean =>
    early.every((one) => late.every((other) => one.startedAt < other.startedAt));
  return isBefore(a, b) || isBefore(b, a);
}

/** More threads wait more. */
function loadDifference(first: Side, second: Side): number | undefined {
  if (new Set([...first.runs, ...second.runs].map(({ locations }) => locations)).size > 1) return undefined;
  const [a, b] = [first, second].map(({ measured = [] }) => {
    const logs = measured.map(
      ({ wallSeconds, cpuSeconds = NaN }) => Math.log(wallSeconds) - Math.log(cpuSeconds),
    );
    return logs.reduce((sum, value) => sum + value, 0) / logs.length;
  });
  const load = (b ?? NaN) - (a ?? NaN);
  return Number.isFinite(load) ? load : undefined;
}

function processesOf({ runs }: Side): number {
  return at(runs, 0).processes;
}

/** Of a function without a counterpart, the other measurement may have had one that it was not to record. */
function onlyRecordedBy(own: Side, other: Side, unmatched: readonly Seen[]): readonly Seen[] {
  return unmatched.filter(
    (seen) =>
      ['compiler', 'user'].includes(seen.paradigm) &&
      own.isRecorded?.(seen) === true &&
      other.isRecorded?.(seen) === false,
  );
}

interface Seen extends KnownFunction {
  readonly paradigm: string;
}

function functionsOf({ runs }: Side): readonly Seen[] {
  const known = new Map<string, Seen & { callees: Set<string>; callers: Set<string> }>();
  for (const { callPaths, regions, keys } of runs)
    callPaths.region.forEach((region, path) => {
      const key = at(keys, region);
      const own = getOrMake(known, key, () => seen(key, at(regions, region)));
      const above = atInt(callPaths.parent, path);
      if (above < 0) return;
      const caller = at(keys, atUint(callPaths.region, above));
      own.callers.add(caller);
      // Callers come first.
      known.get(caller)?.callees.add(key);
    });
  return [...known.values()];
}

function seen(
  key: string,
  { name, mangledName, file, firstLine: line, paradigm }: Region,
): Seen & { callees: Set<string>; callers: Set<string> } {
  return {
    ...{ key, name, paradigm, callees: new Set<string>(), callers: new Set<string>() },
    ...(mangledName === undefined ? {} : { mangledName }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

/** Whether its time is that of others and of the machine. */
export function isWaiting(region: Region): boolean {
  return isParallelRuntime(activityOf(region));
}

function isSamePlace(a: RegionPlace, b: RegionPlace): boolean {
  return a.file === b.file && a.line === b.line;
}

class Merging {
  readonly paths: ComparedPath[] = [];
  readonly functions: {
    key: string;
    name: string;
    formerName?: string;
    formerKey?: string;
    place: RegionPlace;
    isWaiting: boolean;
  }[] = [];
  private readonly functionOf = new Map<string, number>();
  private readonly children = new Map<number, Map<number, number>>();

  constructor(
    private readonly runs: number,
    private readonly per: ComparedPer,
    private readonly columns: { readonly isOther: boolean; readonly hasInstructions: boolean },
  ) {}

  /**
   * @param match of a run of the second side
   * @param folded keys of functions that are a part of what calls them
   */
  add(run: ComparedRun, index: number, match: FunctionMatch | undefined, folded: ReadonlySet<string>): void {
    const { callPaths, regions, keys, names } = run;
    const { parent, region, count } = callPaths;
    const merged = new Int32Array(count);
    for (let path = 0; path < count; path++) {
      const own = atUint(region, path);
      const key = at(keys, own);
      const above = atInt(parent, path);
      const into = above < 0 ? -1 : atInt(merged, above);
      const isFolded = into >= 0 && folded.has(key);
      const seen = { key, name: at(names, own), region: at(regions, own) };
      const node = isFolded ? into : this.child(into, this.functionOfRun(seen, match));
      merged[path] = node;
      this.addValues(run, path, { node, index, isFolded });
    }
  }

  private addValues(
    run: ComparedRun,
    path: number,
    { node, index, isFolded }: { readonly node: number; readonly index: number; readonly isFolded: boolean },
  ): void {
    const { visits, seconds, values, doubts, instructions } = at(this.paths, node);
    const share = this.per === 'process' ? run.processes : 1;
    const put = (into: Float64Array, from: Float64Array | undefined): void => {
      into[index] = atFloat(into, index) + (from === undefined ? 0 : atFloat(from, path) / share);
    };
    if (!isFolded) put(visits, run.visits);
    put(seconds, run.seconds);
    put(doubts, run.doubts);
    if (values !== seconds) put(values, run.values);
    if (instructions !== undefined) put(instructions, run.instructions);
  }

  private functionOfRun(
    { key, name, region }: { readonly key: string; readonly name: string; readonly region: Region },
    match: FunctionMatch | undefined,
  ): number {
    const place = placeOf(region);
    const common = match?.get(key) ?? (match === undefined ? key : `2:${key}`);
    const number = getOrMake(
      this.functionOf,
      common,
      () => this.functions.push({ key, name, place, isWaiting: isWaiting(region) }) - 1,
    );
    // The second side is how it is today.
    const own = at(this.functions, number);
    if (match !== undefined && !(own.key === key && isSamePlace(own.place, place))) {
      // The name of an OpenMP construct is its line.
      if (own.name !== name && openmpConstruct(name) === undefined) own.formerName ??= own.name;
      if (own.key !== key) own.formerKey ??= own.key;
      Object.assign(own, { key, name, place });
    }
    return number;
  }

  private child(parent: number, function_: number): number {
    const siblings = getOrMake(this.children, parent, () => new Map<number, number>());
    return getOrMake(siblings, function_, () => this.paths.push(this.newPath(parent, function_)) - 1);
  }

  private newPath(parent: number, function_: number): ComparedPath {
    const column = (): Float64Array => new Float64Array(this.runs);
    const { isOther, hasInstructions } = this.columns;
    const seconds = column();
    return {
      ...{ parent, function: function_, visits: column(), seconds, values: isOther ? column() : seconds },
      doubts: column(),
      ...(hasInstructions ? { instructions: column() } : {}),
    };
  }
}
