import { at, atFloat, atInt, atUint } from '../../at';
import { activityOf, isParallelRuntime } from '../../functions/activities';
import type { Profile } from '../../profile/profile';
import { exclusiveCells, hasVisits, inclusiveCells } from '../../profile/values';
import { usualArtificial } from '../attributes/artificial';
import { pathsOfAttributes } from '../attributes/profileContext';
import type { FunctionPair, ProcessContext } from '../context';
import { percentile } from '../percentiles';

/** Times and visits of the attributes of a context; columns have one value for each process. */
export interface ProcessTimes {
  /** Exclusive seconds of everything. */
  readonly totals: Float64Array;
  /** The same outside of MPI and of the thread library, where processes wait for each other. */
  readonly computing: Float64Array;
  readonly hasVisits: boolean;
  visitsOf(attribute: number): Float64Array;
  exclusiveOf(attribute: number): Float64Array;
  /** `exclusiveOf` of all attributes. */
  exclusiveRows(): readonly Float64Array[];
  /** Inclusive seconds of the calls of some attributes; those below another one of them are part of it. */
  inclusiveOf(attributes: readonly number[]): Float64Array;
  /** The same of one process. */
  inclusiveAt(attributes: readonly number[], process: number): number;
  /** The fewest callers above a call. */
  depthOf(attribute: number): number;
}

/** By call path and process, what times of any context of a profile are made of: made once for several contexts. */
export interface ProfileValues {
  /** Seconds. */
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
  /** Undefined where visits are not counted. */
  readonly visits: Float64Array | undefined;
}

/** @throws KymoError `unknown-metric` when the profile has no times */
export function profileValues(profile: Profile): ProfileValues {
  return {
    exclusive: exclusiveCells(profile, 'time'),
    inclusive: inclusiveCells(profile, 'time'),
    visits: hasVisits(profile) ? exclusiveCells(profile, 'visits', 'as-stored') : undefined,
  };
}

/**
 * @param context made from this profile, or what `comparableWithin` made of that
 * @param artificial names of functions, as they were given for the context
 * @throws KymoError `unknown-metric` when the profile has no times
 */
export function profileTimes(
  profile: Profile,
  { kind, attributes }: ProcessContext,
  artificial: readonly string[] = usualArtificial,
  { exclusive, inclusive, visits }: ProfileValues = profileValues(profile),
): ProcessTimes {
  const own = pathsOfAttributes(profile, kind, new Set(artificial));
  const known = new Map(own.attributes.map((pair, attribute) => [keyOf(pair), at(own.paths, attribute)]));
  const pathsOf = attributes.map((pair) => known.get(keyOf(pair)) ?? []);
  const width = profile.locations.length;
  const depth = depthsWithout(profile, new Set(artificial));
  const outermost = (chosen: readonly number[]): readonly number[] =>
    outermostOf(
      profile.callPaths.parent,
      chosen.flatMap((attribute) => at(pathsOf, attribute)),
    );
  const rows = (values: Float64Array, paths: Iterable<number>): Float64Array => {
    const sums = new Float64Array(width);
    for (const path of paths)
      for (let process = 0; process < width; process++)
        sums[process] = atFloat(sums, process) + atFloat(values, path * width + process);
    return sums;
  };
  return {
    totals: rows(exclusive, Array(profile.callPaths.count).keys()),
    computing: rows(exclusive, computingPaths(profile)),
    hasVisits: visits !== undefined,
    visitsOf: (attribute) =>
      visits === undefined ? new Float64Array(width) : rows(visits, at(pathsOf, attribute)),
    exclusiveOf: (attribute) => rows(exclusive, at(pathsOf, attribute)),
    exclusiveRows: () => pathsOf.map((paths) => rows(exclusive, paths)),
    inclusiveOf: (chosen) => rows(inclusive, outermost(chosen)),
    inclusiveAt: (chosen, process) =>
      outermost(chosen).reduce((sum, path) => sum + atFloat(inclusive, path * width + process), 0),
    depthOf: (attribute) =>
      at(pathsOf, attribute).reduce((least, path) => Math.min(least, atUint(depth, path)), Infinity),
  };
}

function computingPaths({ callPaths, regions }: Profile): readonly number[] {
  const waits = regions.map((region) => isParallelRuntime(activityOf(region)));
  return Array.from(callPaths.region.keys()).filter((path) => !at(waits, atUint(callPaths.region, path)));
}

/** Callers above each call path, artificial ones not counted. */
function depthsWithout(
  { callPaths: { count, parent, region }, regions }: Profile,
  artificial: ReadonlySet<string>,
): Uint32Array {
  const result = new Uint32Array(count);
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    if (above < 0) continue;
    const { name } = at(regions, atUint(region, above));
    result[path] = atUint(result, above) + (artificial.has(name) ? 0 : 1);
  }
  return result;
}

/** Times of processes of several runs, in the order of the runs; their attributes have the numbers of one context. */
export function joinTimes(parts: readonly ProcessTimes[]): ProcessTimes {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const joined = (values: (part: ProcessTimes) => Float64Array): Float64Array => {
    const columns = parts.map(values);
    const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
    let next = 0;
    for (const column of columns) {
      all.set(column, next);
      next += column.length;
    }
    return all;
  };
  return {
    totals: joined(({ totals }) => totals),
    computing: joined(({ computing }) => computing),
    hasVisits: parts.every(({ hasVisits: counts }) => counts),
    visitsOf: (attribute) => joined((part) => part.visitsOf(attribute)),
    exclusiveOf: (attribute) => joined((part) => part.exclusiveOf(attribute)),
    exclusiveRows: () => {
      const rows = parts.map((part) => part.exclusiveRows());
      return (rows[0] ?? []).map((_, attribute) =>
        joined((part) => at(at(rows, parts.indexOf(part)), attribute)),
      );
    },
    inclusiveOf: (attributes) => joined((part) => part.inclusiveOf(attributes)),
    inclusiveAt: (attributes, process) => {
      let own = process;
      for (const part of parts) {
        const { length } = part.totals;
        if (own < length) return part.inclusiveAt(attributes, own);
        own -= length;
      }
      return 0;
    },
    depthOf: (attribute) => Math.min(...parts.map((part) => part.depthOf(attribute))),
  };
}

function keyOf({ caller, callee }: FunctionPair): string {
  return caller === undefined ? `0${callee}` : `1${caller}\0${callee}`;
}

/** The call paths that are not below another one of them. */
function outermostOf(parent: Int32Array, paths: readonly number[]): readonly number[] {
  const chosen = new Set(paths);
  return paths.filter((path) => {
    for (let above = atInt(parent, path); above >= 0; above = atInt(parent, above))
      if (chosen.has(above)) return false;
    return true;
  });
}

/**
 * The process with the median of the total times (nearest rank), the first one of those with equal times.
 * @param members at least one process
 */
export function medianProcess({ totals }: Pick<ProcessTimes, 'totals'>, members: readonly number[]): number {
  const median = percentile(Float64Array.from(members, (process) => atFloat(totals, process)).sort(), 50);
  return at(
    members.filter((process) => atFloat(totals, process) === median),
    0,
  );
}
