import type { Group, Location, LocationGroup, LocationId } from './model';

type Unplaced = Omit<Location, 'rank' | 'thread'>;

/**
 * Gives locations the rank of their process and a number within it. Ranks are positions in the list of MPI's locations; processes without a rank there
 * (the archive has no MPI) are numbered in the order of their definitions. Accelerators belong to the process that created them.
 */
export function placedLocations(
  locations: readonly Unplaced[],
  locationGroups: ReadonlyMap<number, LocationGroup>,
  groups: ReadonlyMap<number, Group>,
): readonly Location[] {
  const rankOf = ranks(locations, locationGroups, groups);
  const threads = new Map<string, number>();
  return locations.map((location) => {
    const { group, type } = location;
    const process = group?.creator ?? group?.id;
    const key = `${group?.id ?? ''} ${type}`;
    const thread = threads.get(key) ?? 0;
    threads.set(key, thread + 1);
    return { ...location, rank: (process === undefined ? undefined : rankOf.get(process)) ?? -1, thread };
  });
}

function ranks(
  locations: readonly Unplaced[],
  locationGroups: ReadonlyMap<number, LocationGroup>,
  groups: ReadonlyMap<number, Group>,
): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  const groupOf = new Map<LocationId, number | undefined>(locations.map(({ id, group }) => [id, group?.id]));
  const world = [...groups.values()].find(
    ({ type, paradigm }) => type === 'COMM_LOCATIONS' && paradigm === 'MPI',
  );
  for (const [rank, member] of (world?.members ?? []).entries()) {
    const process = groupOf.get(member);
    if (process !== undefined && !result.has(process)) result.set(process, rank);
  }
  if (result.size > 0) return result;
  for (const { id, type } of locationGroups.values()) if (type !== 'ACCELERATOR') result.set(id, result.size);
  return result;
}
