import { sumOf } from '../../sums';

/** Times of processes. */
export interface TimeVectors {
  readonly processes: number;
  /** Exclusive seconds by process, one row for each dimension, for example each function. */
  readonly rows: readonly Float64Array[];
}

/** The rows with the largest sums, largest first. */
export function heaviestRows(rows: readonly Float64Array[], count: number): readonly Float64Array[] {
  return rows
    .map((row) => ({ row, sum: sumOf(row) }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, count)
    .map(({ row }) => row);
}
