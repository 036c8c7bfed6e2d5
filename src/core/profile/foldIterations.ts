import { at, atFloat, atInt, atUint } from '../at';
import type { CallPaths, Metric, Profile, Region } from './profile';
import { preOrder } from './tree';

/**
 * Whether a region is one pass of a dynamic region: `instance=1` is Score-P's name of the first, `iteration=0` the Cube library's, where
 * Score-P stores clusters of them.
 */
export function isIteration({ name }: Pick<Region, 'name'>): boolean {
  return /^(?:instance|iteration)=\d+$/.test(name);
}

/**
 * The same run without its iterations: Score-P gives each pass of a dynamic region a region of its own, `instance=1`, `instance=2`, …
 * (Score-P user manual, dynamic regions), and below each the call tree again. Their call paths become one, their visits those of the
 * dynamic region, minima and maxima those of all of them. Rates are left out. A profile without iterations is returned as it is.
 */
export function foldIterations(profile: Profile): Profile {
  const isInstance = profile.regions.map((region) => isIteration(region));
  if (!isInstance.includes(true)) return profile;
  const { merged, parent, region } = mergePaths(profile.callPaths, isInstance);
  const order = preOrder(parent);
  const position = new Uint32Array(order.length);
  order.forEach((old, place) => (position[old] = place));
  const target = merged.map((old) => atUint(position, old));
  const metrics = profile.metrics.map((metric) =>
    metric.dtype !== 'RATE' && (metric.combine === 'sum' || metric.stored === 'exclusive')
      ? metric
      : { ...metric, ghost: true },
  );
  const stored = new Map<string, Float64Array>();
  for (const metric of metrics) {
    const values = metric.ghost === true ? undefined : profile.stored.get(metric.name);
    if (values !== undefined)
      stored.set(
        metric.name,
        mergeValues(profile, values, { metric, target, count: order.length, isInstance }),
      );
  }
  const callPaths: CallPaths = {
    count: order.length,
    parent: Int32Array.from(order, (old) => {
      const above = at(parent, old);
      return above < 0 ? -1 : atUint(position, above);
    }),
    region: Uint32Array.from(order, (old) => at(region, old)),
    fileId: Uint32Array.from(order.keys()),
  };
  const { attributes, regions, system, locations } = profile;
  return { attributes, metrics, regions, callPaths, system, locations, stored };
}

interface MergedPaths {
  /** New call path of each old one; an instance's is that of its parent. */
  readonly merged: Uint32Array;
  readonly parent: readonly number[];
  readonly region: readonly number[];
}

function mergePaths(callPaths: CallPaths, isInstance: readonly boolean[]): MergedPaths {
  const merged = new Uint32Array(callPaths.count);
  const parent: number[] = [];
  const region: number[] = [];
  const known = new Map<string, number>();
  for (let path = 0; path < callPaths.count; path++) {
    const above = atInt(callPaths.parent, path);
    const newAbove = above < 0 ? -1 : atUint(merged, above);
    const own = atUint(callPaths.region, path);
    if (isInstance[own] === true && newAbove >= 0) {
      merged[path] = newAbove;
      continue;
    }
    const key = `${newAbove}:${own}`;
    const there = known.get(key);
    merged[path] = there ?? parent.length;
    if (there !== undefined) continue;
    known.set(key, parent.length);
    parent.push(newAbove);
    region.push(own);
  }
  return { merged, parent, region };
}

function mergeValues(
  { callPaths, locations, stored }: Profile,
  values: Float64Array,
  into: {
    readonly metric: Metric;
    readonly target: Uint32Array;
    readonly count: number;
    readonly isInstance: readonly boolean[];
  },
): Float64Array {
  const width = locations.length;
  const result = new Float64Array(into.count * width);
  const isKnown = new Uint8Array(result.length);
  const visits = stored.get('visits');
  const merge = (cell: number, value: number, isVisited: boolean): void => {
    const before = atFloat(result, cell);
    if (into.metric.combine === 'sum') result[cell] = before + value;
    // Where nothing was visited, a minimum or maximum of 0 says nothing.
    if (into.metric.combine === 'sum' || !isVisited) return;
    const better = into.metric.combine === 'minimum' ? Math.min(before, value) : Math.max(before, value);
    result[cell] = isKnown[cell] === 1 ? better : value;
    isKnown[cell] = 1;
  };
  for (let path = 0; path < callPaths.count; path++) {
    const isFolded =
      into.isInstance[atUint(callPaths.region, path)] === true && atInt(callPaths.parent, path) >= 0;
    // The inclusive value of an instance is part of that of its dynamic region already.
    if (isFolded && into.metric.stored === 'inclusive') continue;
    const row = atUint(into.target, path) * width;
    for (let cell = path * width; cell < (path + 1) * width; cell++)
      merge(
        row + cell - path * width,
        atFloat(values, cell),
        visits === undefined || atFloat(visits, cell) > 0,
      );
  }
  return result;
}
