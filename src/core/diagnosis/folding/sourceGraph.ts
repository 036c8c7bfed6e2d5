import type { Truth } from '../search/searchRecord';

/** Levels of the objects that a result is about. `program`: experiments with the whole program; `category`: a type of synchronisation objects. */
export const objectLevels = [
  'hypothesis',
  'program',
  'host',
  'process',
  'thread',
  'function',
  'category',
  'object',
] as const;
export type ObjectLevel = (typeof objectLevels)[number];

/**
 * A node of a result before it is folded: as a tree, in which every node below the root is an experiment or (without a truth) only leads to some. Hosts and processes
 * have numbers that are the same wherever they appear, and are those of no others: of processes best their ranks, because neighbours are stored as ranges.
 */
export type SourceNode = {
  readonly label: string;
  readonly truth?: Truth;
  readonly children: readonly SourceNode[];
} & (
  | { readonly level: 'host' | 'process'; readonly number: number }
  | { readonly level: Exclude<ObjectLevel, 'host' | 'process'> }
);

/** Nodes of a tree with its root. */
export function sizeOf(root: { readonly children: readonly unknown[] }): number {
  let size = 0;
  const open: { readonly children: readonly unknown[] }[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    size++;
    for (const child of node.children) open.push(child as typeof root);
  }
  return size;
}

/** The program of a process: `om3` of `om3{1374}`. A name without braces is the program's but for its numbers: `MPI Rank 3` is of `MPI Rank *`. */
export function executableOf(process: string): string {
  const [name = process] = process.split('{');
  return name === process ? process.replace(/\d+/g, '*') : name;
}
