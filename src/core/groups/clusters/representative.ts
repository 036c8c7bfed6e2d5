import { at, atFloat } from '../../at';
import { heaviestRows, type TimeVectors } from './timeVectors';

/** Clusters up to this size compare each member with each. */
const comparable = 64;
/** Larger ones use these dimensions, the heaviest, which hold nearly all time. */
const dimensions = 32;

/**
 * The process that stands for a cluster: the medoid of the vectors of exclusive times, whose differences to all others have the smallest sum. Differences are
 * sums of absolute seconds, because the median of each dimension then has the smallest sum: of a large cluster it is the process nearest to that.
 * The first one of several.
 * @param members positions of processes, ascending; not empty
 */
export function representative({ rows }: TimeVectors, members: readonly number[]): number {
  if (members.length > comparable) {
    const heavy = heaviestRows(rows, dimensions);
    const medians = heavy.map((row) => medianOf(row, members));
    return smallest(members, (process) =>
      heavy.reduce((sum, row, place) => sum + Math.abs(atFloat(row, process) - at(medians, place)), 0),
    );
  }
  return smallest(members, (process) =>
    rows.reduce((sum, row) => {
      const own = atFloat(row, process);
      for (const other of members) sum += Math.abs(own - atFloat(row, other));
      return sum;
    }, 0),
  );
}

function smallest(members: readonly number[], value: (process: number) => number): number {
  let [best, least] = [at(members, 0), Infinity];
  for (const process of members) {
    const own = value(process);
    if (own < least) [best, least] = [process, own];
  }
  return best;
}

function medianOf(row: Float64Array, members: readonly number[]): number {
  const values = Float64Array.from(members, (process) => atFloat(row, process)).sort();
  return atFloat(values, (values.length - 1) >> 1);
}
