import { atFloat, atUint } from '../../at';
import type { Profile } from '../../profile/profile';
import { exclusivePerLocation } from '../../profile/values';
import { sumOf } from '../../sums';

/** Times of processes. */
export interface TimeVectors {
  readonly processes: number;
  /** Exclusive seconds by process, one row for each dimension, for example each function. */
  readonly rows: readonly Float64Array[];
}

/** By region, the exclusive time of each location; no rows for a profile that stores no time. */
export function timeVectors(profile: Profile): TimeVectors {
  const { callPaths, regions, locations } = profile;
  const processes = locations.length;
  if (!profile.metrics.some(({ name, stored }) => name === 'time' && stored !== 'derived'))
    return { processes, rows: [] };
  const values = exclusivePerLocation(profile, 'time', 'as-stored');
  const rows = regions.map(() => new Float64Array(processes));
  for (let path = 0; path < callPaths.count; path++) {
    const row = rows[atUint(callPaths.region, path)];
    if (row === undefined) continue;
    for (let process = 0; process < processes; process++)
      row[process] = atFloat(row, process) + atFloat(values, path * processes + process);
  }
  return { processes, rows };
}

/** The rows with the largest sums, largest first. */
export function heaviestRows(rows: readonly Float64Array[], count: number): readonly Float64Array[] {
  return rows
    .map((row) => ({ row, sum: sumOf(row) }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, count)
    .map(({ row }) => row);
}
