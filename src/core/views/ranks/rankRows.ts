import { at, atByte, atFloat } from '../../at';
import type { Combine, Profile } from '../../profile/profile';
import { outermostOfRegion } from '../../profile/regions';
import { workGroups } from '../../profile/workGroups';
import type { LocationValues } from './locationValues';

/** A process of a run. */
export interface RankName {
  readonly rank: number;
  /** Name of its node, if the profile has it. */
  readonly host?: string;
}

/** The processes, ascending by rank: the columns of maps of ranks. */
export function rankNames({ locations, system }: Pick<Profile, 'locations' | 'system'>): readonly RankName[] {
  return workGroups(locations).ranks.map(({ rank, locations: own }) => {
    const host = hostOf(system, at(locations, at(own, 0)).process);
    return host === undefined ? { rank } : { rank, host };
  });
}

function hostOf(system: Profile['system'], process: number): string | undefined {
  for (let node = system[process]?.parent; node !== undefined; node = system[node]?.parent)
    if (system[node]?.kind === 'node') return system[node]?.name;
  return undefined;
}

/** Which values of a function are shown: its own, or with its callees. */
export type Extent = 'exclusive' | 'inclusive';

/** Values of functions by rank; a row is computed when it is asked for. */
export class RankRows {
  /** Call paths per region. */
  private readonly paths: readonly (readonly number[])[];
  private readonly outermost: Uint8Array;
  private readonly ranks: readonly (readonly number[])[];

  constructor(profile: Pick<Profile, 'callPaths' | 'regions' | 'locations'>) {
    this.ranks = workGroups(profile.locations).ranks.map(({ locations }) => locations);
    this.outermost = outermostOfRegion(profile);
    const paths = profile.regions.map((): number[] => []);
    profile.callPaths.region.forEach((region, path) => at(paths, region).push(path));
    this.paths = paths;
  }

  /**
   * Values of a function, one per rank (`rankNames`): those of its call paths and of the threads of the rank, combined as the metric combines. Recursive
   * calls are not counted twice.
   * @param valuesAt values of a call path at each location
   */
  row(
    region: number,
    extent: Extent,
    combine: Combine,
    valuesAt: (callPath: number) => LocationValues | undefined,
  ): Float64Array {
    const row = new Float64Array(this.ranks.length);
    for (const path of this.paths[region] ?? []) {
      if (extent === 'inclusive' && atByte(this.outermost, path) === 0) continue;
      const values = valuesAt(path)?.[extent];
      if (values === undefined) continue;
      this.ranks.forEach((locations, rank) => {
        for (const location of locations)
          row[rank] = combined(combine, atFloat(row, rank), atFloat(values, location));
      });
    }
    return row;
  }
}

/** 0 is what a location has that did not visit the function. */
export function combined(combine: Combine, a: number, b: number): number {
  if (combine === 'sum') return a + b;
  if (a === 0 || b === 0) return a + b;
  return combine === 'minimum' ? Math.min(a, b) : Math.max(a, b);
}
