import { at, atFloat, atInt, atUint } from '../at';
import { getOrMake } from '../getOrMake';
import type { PropertyContext } from '../problems/context/propertyContext';
import { placeOf, type RegionPlace } from '../profile/place';
import { countsOf } from '../functions/programTime';
import { columnSums } from '../sums';
import { matchFunctions, type FunctionMatch, type KnownFunction } from './matchFunctions';

/** Repetitions of one build on one machine with one input. */
export interface Side {
  readonly name: string;
  /** At least one. */
  readonly runs: readonly PropertyContext[];
}

/** A call path of either side. Arrays have an element for each run: those of the first side, then those of the second. */
export interface ComparedPath {
  /** Position among the paths; −1 at a root. Parents come before their children. */
  readonly parent: number;
  /** Position among the functions. */
  readonly function: number;
  readonly visits: Float64Array;
  /** Exclusive computing seconds of all locations. */
  readonly seconds: Float64Array;
}

export interface ComparedFunction {
  readonly key: string;
  /** For sentences. */
  readonly name: string;
  /** What it was called on the first side, where it was renamed. */
  readonly formerName?: string;
  /** On the second side, where it has it. */
  readonly place: RegionPlace;
}

/** Two sides as one tree. */
export interface ComparedSides {
  readonly names: readonly [string, string];
  /** Number of runs of each side. */
  readonly runs: readonly [number, number];
  readonly functions: readonly ComparedFunction[];
  readonly paths: readonly ComparedPath[];
  /** Seconds that all functions of a run take together, by run. */
  readonly totals: Float64Array;
}

/** Puts the call trees of all runs of two sides on top of each other; functions correspond by `matchFunctions`. */
export function compareSides(first: Side, second: Side): ComparedSides {
  const match = matchFunctions(functionsOf(first), functionsOf(second));
  const count = first.runs.length + second.runs.length;
  const tree = new Merging(count);
  const totals = new Float64Array(count);
  [first, second].forEach((side, number) => {
    side.runs.forEach((context, index) => {
      const run = number * first.runs.length + index;
      totals[run] = context.times.totalSeconds;
      tree.add(context, run, number === 0 ? undefined : match);
    });
  });
  return {
    names: [first.name, second.name],
    runs: [first.runs.length, second.runs.length],
    functions: tree.functions,
    paths: tree.paths,
    totals,
  };
}

function functionsOf({ runs }: Side): readonly KnownFunction[] {
  const known = new Map<string, KnownFunction & { callees: Set<string>; callers: Set<string> }>();
  for (const { profile, keys } of runs) {
    const { callPaths, regions } = profile;
    callPaths.region.forEach((region, path) => {
      const { name, mangledName, file, firstLine: line } = at(regions, region);
      const key = at(keys, region);
      const own = getOrMake(known, key, () => ({
        ...{ key, name, callees: new Set<string>(), callers: new Set<string>() },
        ...(mangledName === undefined ? {} : { mangledName }),
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
      }));
      const above = atInt(callPaths.parent, path);
      if (above < 0) return;
      const caller = at(keys, atUint(callPaths.region, above));
      own.callers.add(caller);
      // Callers come first.
      known.get(caller)?.callees.add(key);
    });
  }
  return [...known.values()];
}

class Merging {
  readonly paths: ComparedPath[] = [];
  readonly functions: { key: string; name: string; formerName?: string; place: RegionPlace }[] = [];
  private readonly functionOf = new Map<string, number>();
  private readonly children = new Map<number, Map<number, number>>();

  constructor(private readonly runs: number) {}

  /** @param match of a run of the second side */
  add({ profile, keys, names, times }: PropertyContext, run: number, match: FunctionMatch | undefined): void {
    const { parent, region, count } = profile.callPaths;
    const width = profile.locations.length;
    const visits = countsOf(profile).visits;
    const merged = new Int32Array(count);
    for (let path = 0; path < count; path++) {
      const own = atUint(region, path);
      const key = at(keys, own);
      const number = this.functionNumber(match?.get(key) ?? (match === undefined ? key : `2:${key}`), () => ({
        key,
        name: at(names, own),
        place: placeOf(at(profile.regions, own)),
      }));
      // The second side is how it is today.
      if (match !== undefined) this.renew(number, key, at(names, own), placeOf(at(profile.regions, own)));
      const above = atInt(parent, path);
      const node = this.child(above < 0 ? -1 : atInt(merged, above), number);
      merged[path] = node;
      const { visits: counts, seconds } = at(this.paths, node);
      const [sum = 0] = columnSums(visits.subarray(path * width, (path + 1) * width), 1);
      counts[run] = atFloat(counts, run) + sum;
      seconds[run] = atFloat(seconds, run) + atFloat(times.callPathSeconds, path);
    }
  }

  private functionNumber(key: string, make: () => ComparedFunction): number {
    return getOrMake(this.functionOf, key, () => this.functions.push({ ...make() }) - 1);
  }

  private renew(number: number, key: string, name: string, place: RegionPlace): void {
    const own = at(this.functions, number);
    if (own.key === key && own.place.line === place.line) return;
    if (own.name !== name) own.formerName ??= own.name;
    Object.assign(own, { key, name, place });
  }

  private child(parent: number, function_: number): number {
    const siblings = getOrMake(this.children, parent, () => new Map<number, number>());
    return getOrMake(
      siblings,
      function_,
      () =>
        this.paths.push({
          parent,
          function: function_,
          visits: new Float64Array(this.runs),
          seconds: new Float64Array(this.runs),
        }) - 1,
    );
  }
}
