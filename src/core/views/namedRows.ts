import { at } from '../at';
import { getOrMake } from '../getOrMake';

/** Rows of a tree by the names on the way to them: found again in another tree of the same program. An entry comes after the one above it. */
export interface NamedRows {
  readonly names: readonly string[];
  /** Position of the entry above, plus one; 0: at the top. */
  readonly above: readonly number[];
}

/** Limits of what is saved. */
export const mostNamedRows = 600;
export const mostNamedCharacters = 40_000;

/** A tree that names its rows; its top is row −1. Siblings may have the same name: the first one is meant. */
export interface NamingTree {
  readonly parent: (row: number) => number;
  readonly name: (row: number) => string;
}

/**
 * Names rows, as many of them as fit into the limits, the first ones first.
 * @returns the names, and the entry of each row that has one
 */
export function nameRows(
  tree: NamingTree,
  rows: Iterable<number>,
): { readonly named: NamedRows; readonly entryOf: ReadonlyMap<number, number> } {
  const entryOf = new Map<number, number>();
  const names: string[] = [];
  const above: number[] = [];
  let characters = 0;
  for (const row of rows) {
    const way: number[] = [];
    let length = 0;
    for (let next = row; next >= 0 && !entryOf.has(next); next = tree.parent(next)) {
      way.push(next);
      length += tree.name(next).length;
      if (names.length + way.length > mostNamedRows) break;
    }
    // What is longer than all that is saved does not keep others from it.
    if (length > mostNamedCharacters || way.length > mostNamedRows) continue;
    if (names.length + way.length > mostNamedRows || characters + length > mostNamedCharacters) break;
    characters += length;
    for (const next of way.reverse()) {
      above.push((entryOf.get(tree.parent(next)) ?? -1) + 1);
      entryOf.set(next, names.push(tree.name(next)) - 1);
    }
  }
  return { named: { names, above }, entryOf };
}

/**
 * Finds named rows in a tree.
 * @param children rows below a row; those at the top for −1. Called once per row
 * @returns the row by entry; −1: there is none
 */
export function findRows(
  { names, above }: NamedRows,
  children: (row: number) => Iterable<number>,
  nameOf: (row: number) => string,
): Int32Array {
  const found = new Int32Array(names.length).fill(-1);
  const below = new Map<number, Map<string, number>>();
  for (const [entry, name] of names.entries()) {
    const place = (above[entry] ?? 0) - 1;
    if (place >= entry) continue;
    const parent = place < 0 ? -1 : at(found, place);
    if (place >= 0 && parent < 0) continue;
    const byName = getOrMake(below, parent, () => {
      const all = new Map<string, number>();
      for (const child of children(parent)) if (!all.has(nameOf(child))) all.set(nameOf(child), child);
      return all;
    });
    found[entry] = byName.get(name) ?? -1;
  }
  return found;
}
