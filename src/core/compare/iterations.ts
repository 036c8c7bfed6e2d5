import { atInt } from '../at';
import type { Metric, Profile } from '../profile/profile';
import { exclusiveCells } from '../profile/values';
import { iterationsIn } from '../series/profileIterations';

/** First and last one, from 1. */
export type IterationRange = readonly [first: number, last: number];

/** What a profile shows of some of its iterations: all else has no values. Undefined: the profile has no iterations. */
export function profileOfIterations(
  profile: Profile,
  [first, last]: IterationRange,
): { readonly profile: Profile; readonly iterations: number } | undefined {
  const found = iterationsIn(profile);
  if (found === undefined) return undefined;
  const isIn = chosenPaths(profile, found.iterationAt, first - 1, last - 1);
  const width = profile.locations.length;
  const metrics: Metric[] = [];
  const stored = new Map<string, Float64Array>();
  for (const metric of profile.metrics) {
    const { name, combine, stored: how, unsupported, dtype } = metric;
    // Minima, maxima and rates of some of the iterations are not known.
    if (combine !== 'sum' || how === 'derived' || unsupported === true || dtype === 'RATE') continue;
    metrics.push({ ...metric, stored: 'exclusive' });
    if (!profile.stored.has(name)) continue;
    const cells = exclusiveCells(profile, name).slice();
    isIn.forEach((is, path) => {
      if (is === 0) cells.fill(0, path * width, (path + 1) * width);
    });
    stored.set(name, cells);
  }
  const { attributes, regions, callPaths, system, locations } = profile;
  return {
    profile: { attributes, metrics, regions, callPaths, system, locations, stored },
    iterations: found.iterations,
  };
}

/** 1 for each call path in one of these iterations. */
function chosenPaths(
  { callPaths: { count, parent } }: Profile,
  iterationAt: Int32Array,
  first: number,
  last: number,
): Uint8Array {
  const iteration = new Int32Array(count).fill(-1);
  for (let path = 0; path < count; path++) {
    const own = atInt(iterationAt, path);
    const above = atInt(parent, path);
    iteration[path] = own >= 0 || above < 0 ? own : atInt(iteration, above);
  }
  return Uint8Array.from(iteration, (own) => (own >= first && own <= last ? 1 : 0));
}
