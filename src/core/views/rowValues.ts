import { at, atFloat, atUint } from '../at';
import { getOrMake } from '../getOrMake';
import type { CallPaths, Combine } from '../profile/profile';
import { depths, subtreeEnds } from '../profile/tree';
import { addTo } from '../sums';
import { combined, type Extent } from './ranks/rankRows';
import type { LocationValues } from './ranks/locationValues';

/** The values of a metric at each location. */
export interface ValuesAtLocations {
  readonly combine: Combine;
  /** Of a call path; undefined if there is none. */
  readonly at: (callPath: number) => LocationValues | undefined;
  /** Of an existing call path of a metric that adds up: only those of this extent, without a look at its subtree. */
  readonly alone?: { readonly extent: Extent; readonly at: (callPath: number) => Float64Array };
}

/** The value of a row at each location: those of its call paths, combined as the metric combines. @param width number of locations */
export function rowValues(
  { combine, at: valuesAt, alone }: ValuesAtLocations,
  extent: Extent,
  callPaths: Iterable<number>,
  width: number,
): Float64Array {
  const row = new Float64Array(width);
  for (const callPath of callPaths) {
    const values = alone?.extent === extent ? alone.at(callPath) : valuesAt(callPath)?.[extent];
    if (values === undefined) continue;
    for (let l = 0; l < width; l++) row[l] = combined(combine, atFloat(row, l), atFloat(values, l));
  }
  return row;
}

/** A call tree with what is known of it: depth of each call path, and one past the last call path of its subtree. */
export interface KnownTree {
  readonly depth: Uint32Array;
  readonly ends: Uint32Array;
}

export function knownTree(callPaths: Pick<CallPaths, 'count' | 'parent'>): KnownTree {
  return { depth: depths(callPaths), ends: subtreeEnds(callPaths) };
}

/**
 * Values of the call paths [first, end), which are whole subtrees, at each location: from the last call path to the first. Where the metric adds
 * up, nothing is added up twice, so that deep trees take no longer. The array is used again: copy what is kept.
 */
export function* valuesIn(
  metric: ValuesAtLocations,
  extent: Extent,
  { depth }: KnownTree,
  width: number,
  first: number,
  end: number,
): Generator<readonly [callPath: number, values: Float64Array]> {
  const { alone } = metric;
  if (alone === undefined || alone.extent === extent) {
    for (let path = end - 1; path >= first; path--)
      yield [path, alone?.at(path) ?? rowValues(metric, extent, [path], width)];
    return;
  }
  /** By depth: sums of the call paths that came so far and have the same parent, which comes next at the depth above. */
  const sums = new Map<number, Float64Array>();
  const sumsAt = (level: number): Float64Array => getOrMake(sums, level, () => new Float64Array(width));
  const difference = new Float64Array(width);
  for (let path = end - 1; path >= first; path--) {
    const level = atUint(depth, path);
    const below = sumsAt(level + 1);
    const siblings = sumsAt(level);
    const own = alone.at(path);
    if (extent === 'inclusive') {
      addTo(below, own);
      addTo(siblings, below);
      yield [path, below];
    } else {
      for (let l = 0; l < width; l++) difference[l] = atFloat(own, l) - atFloat(below, l);
      addTo(siblings, own);
      yield [path, difference];
    }
    below.fill(0);
  }
}

/** Values of rows at each location. Rows of a tree are computed together, because their subtrees are in each other; a step is a call path or a row. */
export function* valuesOfRows(
  metric: ValuesAtLocations,
  extent: Extent,
  rows: readonly Iterable<number>[],
  tree: KnownTree,
  width: number,
): Generator<undefined, readonly Float64Array[]> {
  if (metric.alone === undefined || metric.alone.extent === extent) {
    const values: Float64Array[] = [];
    for (const row of rows) {
      values.push(rowValues(metric, extent, row, width));
      yield;
    }
    return values;
  }
  const values = rows.map(() => new Float64Array(width));
  const rowsOf = new Map<number, Float64Array[]>();
  rows.forEach((paths, row) => {
    for (const path of paths) getOrMake(rowsOf, path, () => []).push(at(values, row));
  });
  let until = 0;
  for (const outer of Uint32Array.from(rowsOf.keys()).sort()) {
    if (outer < until) continue;
    until = atUint(tree.ends, outer);
    for (const [path, own] of valuesIn(metric, extent, tree, width, outer, until)) {
      for (const row of rowsOf.get(path) ?? []) addTo(row, own);
      yield;
    }
  }
  return values;
}
