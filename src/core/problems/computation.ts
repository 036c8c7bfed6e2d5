import { atFloat } from '../at';
import { remembered } from '../remembered';
import { exclusiveComputing } from '../profile/computingTime';
import type { PropertyContext } from './context/propertyContext';
import type { WorkGroups } from '../profile/workGroups';

/** Exclusive seconds per location of each region that computes. */
export interface Computation {
  readonly all: ReadonlyMap<number, Float64Array>;
  /** Of these, what several threads of a rank do on the same call path. */
  readonly shared: ReadonlyMap<number, Float64Array>;
}

export function computation(
  { profile, activities }: PropertyContext,
  teams: WorkGroups['teams'],
): Computation {
  const width = profile.locations.length;
  const cells = exclusiveComputing(profile);
  const all = new Map<number, Float64Array>();
  const shared = new Map<number, Float64Array>();
  profile.callPaths.region.forEach((region, path) => {
    if (activities[region] !== 'computation') return;
    const values = cells.subarray(path * width, (path + 1) * width);
    add(all, region, values);
    if (teams.some((team) => isShared(values, team))) add(shared, region, values);
  });
  return { all, shared };
}

function isShared(values: Float64Array, { locations }: WorkGroups['teams'][number]): boolean {
  return locations.filter((location) => atFloat(values, location) > 0).length > 1;
}

function add(regions: Map<number, Float64Array>, region: number, values: Float64Array): void {
  const sum = remembered(regions, region, () => new Float64Array(values.length));
  values.forEach((value, location) => (sum[location] = atFloat(sum, location) + Math.max(0, value)));
}
