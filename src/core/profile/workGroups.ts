import { atFloat } from '../at';
import { remembered } from '../remembered';
import type { Location } from './profile';

/** Which locations of a profile share work: ranks, and within a rank its team of threads. */
export interface WorkGroups {
  /** Ascending by rank. */
  readonly ranks: readonly { readonly rank: number; readonly locations: readonly number[] }[];
  /** Of the ranks with several threads. */
  readonly teams: readonly {
    readonly rank: number;
    readonly locations: readonly number[];
    readonly threads: readonly number[];
  }[];
}

/** Accelerators and locations that only hold metrics do not compute what threads do. */
export function workGroups(locations: readonly Location[]): WorkGroups {
  const processes = new Map<
    number,
    { readonly rank: number; readonly locations: number[]; readonly threads: number[] }
  >();
  locations.forEach(({ process, rank, thread, kind }, location) => {
    if (/metric|accelerator|gpu|stream/i.test(kind)) return;
    const members = remembered(processes, process, () => ({ rank, locations: [], threads: [] }));
    members.locations.push(location);
    members.threads.push(thread);
  });
  const ranks = [...processes.values()].sort((a, b) => a.rank - b.rank);
  return { ranks, teams: ranks.filter(({ locations: own }) => own.length > 1) };
}

/** The ranks in the order of their first locations, and by location the position of its rank. */
export function ranksOf(locations: readonly Location[]): {
  readonly ranks: readonly number[];
  readonly positions: Uint32Array;
} {
  const known = new Map<number, number>();
  const positions = Uint32Array.from(locations, ({ rank }) => remembered(known, rank, () => known.size));
  return { ranks: [...known.keys()], positions };
}

export function valuesOf(values: Float64Array, locations: readonly number[]): readonly number[] {
  return locations.map((location) => atFloat(values, location));
}

/** Adds the values of the locations of each process, in the order of `WorkGroups.ranks`. */
export function rankSums(locations: readonly Location[]): (values: Float64Array) => Float64Array {
  const { ranks } = workGroups(locations);
  return (values) =>
    Float64Array.from(ranks, ({ locations: own }) =>
      own.reduce((sum, location) => sum + atFloat(values, location), 0),
    );
}
