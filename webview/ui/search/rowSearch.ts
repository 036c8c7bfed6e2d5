import { at } from '../../../src/core/at';
import { nameTest } from '../../../src/core/names/namePattern';
import type { SortOrder } from '../grid/columns';
import type { SearchQuery } from './searchBox';

/** Positions of the rows with a text that matches the query, or the error of its expression. An empty query matches every row. */
export function searchedRows<Row>(
  rows: readonly Row[],
  query: SearchQuery,
  texts: (row: Row) => readonly string[],
): { readonly matches: readonly number[]; readonly error?: string } {
  if (query.text === '') return { matches: rows.map((_, position) => position) };
  try {
    const test = nameTest({ ...query, matchCase: false });
    return { matches: rows.flatMap((row, position) => (texts(row).some(test) ? [position] : [])) };
  } catch (error) {
    return { matches: [], error: error instanceof Error ? error.message : String(error) };
  }
}

type SortKey<Row> = (row: Row) => number | string;

/** Sorts positions by the key of a column; rows with equal keys by `next`, then by their previous order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  positions: readonly number[],
  { column, direction }: SortOrder,
  keys: Readonly<Record<string, SortKey<Row>>> & { readonly usual: SortKey<Row> },
  next: (a: Row, b: Row) => number = () => 0,
): readonly number[] {
  const key = keys[column] ?? keys.usual;
  const sign = direction === 'ascending' ? 1 : -1;
  return positions
    .map((position) => ({ position, row: at(rows, position), key: key(at(rows, position)) }))
    .sort((a, b) => sign * compare(a.key, b.key) || next(a.row, b.row) || a.position - b.position)
    .map(({ position }) => position);
}

/** Compares without locale, which is fast enough to sort 100,000 names while the user waits. */
export function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
