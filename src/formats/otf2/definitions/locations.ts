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
    const key = `${group?.id ?? ''} ${type}`;
    const thread = threads.get(key) ?? 0;
    threads.set(key, thread + 1);
    return { ...location, rank: rankOf.get(processOf(location)) ?? -1, thread };
  });
}

function ranks(
  locations: readonly Unplaced[],
  locationGroups: ReadonlyMap<number, LocationGroup>,
  groups: ReadonlyMap<number, Group>,
): ReadonlyMap<number | string, number> {
  const result = new Map<number | string, number>();
  const processes = new Map<LocationId, number | string>(
    locations.map((location) => [location.id, processOf(location)]),
  );
  const world = [...groups.values()].find(
    ({ type, paradigm }) => type === 'COMM_LOCATIONS' && paradigm === 'MPI',
  );
  for (const [rank, member] of (world?.members ?? []).entries()) {
    const process = processes.get(member);
    if (process !== undefined && !result.has(process)) result.set(process, rank);
  }
  if (result.size > 0) return result;
  for (const { id, type } of locationGroups.values()) if (type !== 'ACCELERATOR') result.set(id, result.size);
  return result;
}

/** A location of no group is a process of its own. */
function processOf({ id, group }: Unplaced): number | string {
  return group === undefined ? `location ${id}` : (group.creator ?? group.id);
}
