import { exclusivePerLocation } from '../profile/values';
import type { PropertyContext } from './propertyContext';
import type { WorkGroups } from './workGroups';

/** Exclusive seconds per location of each region that computes. */
export interface Computation {
  readonly all: ReadonlyMap<number, Float64Array>;
  /** Of these, what several threads of a rank do on the same call path; and what one does while the others have another one, or none. */
  readonly shared: ReadonlyMap<number, Float64Array>;
  readonly alone: ReadonlyMap<number, Float64Array>;
}

export function computation(
  { profile, activities }: PropertyContext,
  teams: WorkGroups['teams'],
): Computation {
  const width = profile.locations.length;
  const cells = exclusivePerLocation(profile, 'time');
  const all = new Map<number, Float64Array>();
  const shared = new Map<number, Float64Array>();
  const alone = new Map<number, Float64Array>();
  profile.callPaths.region.forEach((region, path) => {
    if (activities[region] !== 'computation') return;
    const values = cells.subarray(path * width, (path + 1) * width);
    add(all, region, values);
    add(teams.some((team) => isShared(values, team)) ? shared : alone, region, values);
  });
  return { all, shared, alone };
}

function isShared(values: Float64Array, { locations }: WorkGroups['teams'][number]): boolean {
  return locations.filter((at) => (values[at] ?? 0) > 0).length > 1;
}

function add(regions: Map<number, Float64Array>, region: number, values: Float64Array): void {
  const sum = regions.get(region) ?? new Float64Array(values.length);
  regions.set(region, sum);
  values.forEach((value, at) => (sum[at] = (sum[at] ?? 0) + Math.max(0, value)));
}
