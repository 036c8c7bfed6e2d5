import { atUint } from '../at';

/** Rows of a table as the call paths whose values make them: those of row `i` are `paths[ends[i - 1] … ends[i] - 1]`. */
export interface PathSets {
  readonly paths: Uint32Array;
  readonly ends: Uint32Array;
}

export function pathSets(rows: readonly ArrayLike<number>[]): PathSets {
  const ends = new Uint32Array(rows.length);
  let end = 0;
  rows.forEach((row, index) => (ends[index] = end += row.length));
  const paths = new Uint32Array(end);
  rows.forEach((row, index) => paths.set(row, atUint(ends, index) - row.length));
  return { paths, ends };
}

export function pathsOfRow({ paths, ends }: PathSets, row: number): Uint32Array {
  return paths.subarray(row === 0 ? 0 : atUint(ends, row - 1), atUint(ends, row));
}

/** Whether these are sets of so many call paths: what comes from a page may be anything. */
export function arePathSets({ paths, ends }: PathSets, callPaths: number): boolean {
  let before = 0;
  for (const end of ends) {
    if (end < before) return false;
    before = end;
  }
  return before === paths.length && paths.every((path) => path < callPaths);
}
