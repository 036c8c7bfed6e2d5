import { findRows, nameRows, type NamingTree } from '../../src/core/views/namedRows';
import { present } from '../../src/core/present';
import type { SavedRows } from './viewState';

/** Rows of a table as they are saved. */
interface RowsToSave {
  readonly expanded: readonly number[];
  readonly selected?: number | undefined;
  readonly zoom?: number | undefined;
}

/** Names rows: first the selected one and the one that the flame graph shows, which matter most. */
export function saveRows(tree: NamingTree, { expanded, selected, zoom }: RowsToSave): SavedRows {
  const single = [selected, zoom].filter((row) => row !== undefined);
  const { named, entryOf } = nameRows(tree, [...single, ...expanded]);
  const entry = (row: number | undefined): number | undefined =>
    row === undefined ? undefined : entryOf.get(row);
  return {
    ...named,
    expanded: expanded.flatMap((row) => entryOf.get(row) ?? []),
    ...present({ selected: entry(selected), zoom: entry(zoom) }),
  };
}

/** Finds the rows again that are there. @param children rows below a row; those at the top for −1 */
export function restoreRows(
  saved: SavedRows,
  children: (row: number) => Iterable<number>,
  name: (row: number) => string,
): { readonly expanded: number[]; readonly selected?: number; readonly zoom?: number } {
  const found = findRows(saved, children, name);
  const row = (entry: number | undefined): number | undefined => {
    const there = entry === undefined ? -1 : (found[entry] ?? -1);
    return there < 0 ? undefined : there;
  };
  return {
    expanded: saved.expanded.flatMap((entry) => row(entry) ?? []),
    ...present({ selected: row(saved.selected), zoom: row(saved.zoom) }),
  };
}
