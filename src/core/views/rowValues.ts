import { atFloat } from '../at';
import { getOrMake } from '../getOrMake';
import type { CallPaths, Combine } from '../profile/profile';
import { depths } from '../profile/tree';
import { addTo } from '../sums';
import { combined, type Extent } from './rankRows';
import type { LocationValues } from './locationValues';

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
  { combine, at, alone }: ValuesAtLocations,
  extent: Extent,
  callPaths: ArrayLike<number>,
  width: number,
): Float64Array {
  const row = new Float64Array(width);
  for (let i = 0; i < callPaths.length; i++) {
    const callPath = callPaths[i] ?? 0;
    const values = alone?.extent === extent ? alone.at(callPath) : at(callPath)?.[extent];
    if (values === undefined) continue;
    for (let l = 0; l < width; l++) row[l] = combined(combine, atFloat(row, l), atFloat(values, l));
  }
  return row;
}

/**
 * Values of each call path at each location, from the last call path to the first. Where the metric adds up, no subtree is added up twice, so
 * that deep trees take no longer. The array is used again: copy what is kept.
 */
export function* valuesOfAll(
  metric: ValuesAtLocations,
  extent: Extent,
  callPaths: Pick<CallPaths, 'count' | 'parent'>,
  width: number,
): Generator<readonly [callPath: number, values: Float64Array]> {
  const { alone } = metric;
  const depth = depths(callPaths);
  /** By depth: sums over the children that were visited of the call path that comes next at the depth above. */
  const sums = new Map<number, Float64Array>();
  const sumsAt = (level: number): Float64Array => getOrMake(sums, level, () => new Float64Array(width));
  for (let path = callPaths.count - 1; path >= 0; path--) {
    if (alone === undefined || alone.extent === extent) {
      yield [path, rowValues(metric, extent, [path], width)];
      continue;
    }
    const level = depth[path] ?? 0;
    const below = sumsAt(level + 1);
    const own = alone.at(path);
    const other = extent === 'inclusive' ? own.slice() : own.map((value, l) => value - atFloat(below, l));
    if (extent === 'inclusive') addTo(other, below);
    addTo(sumsAt(level), extent === 'inclusive' ? other : own);
    below.fill(0);
    yield [path, other];
  }
}
