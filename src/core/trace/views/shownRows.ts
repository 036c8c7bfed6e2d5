import { at, atByte, atInt, atUint } from '../../at';
import type { MergedRows } from '../align/mergeViews';
import type { EntryKey } from '../callTrace';
import type { ComparisonFilter } from '../comparisonPieces';

/** Rows of a list that a filter shows, ascending. */
interface Filtered {
  readonly merged: MergedRows;
  readonly keyOf: (row: number) => EntryKey;
  /** By row: the strongest class of its cells. */
  readonly strongest: Uint8Array;
  /** Only rows that this view has. */
  readonly view?: number;
}

export function shownRows(
  { merged, keyOf, strongest, view }: Filtered,
  filter: ComparisonFilter,
): Uint32Array {
  const { size, depth, end } = merged;
  const own = view === undefined ? undefined : at(merged.rows, view);
  /** By row: its kind is shown, and this view has it. */
  const isShown = new Uint8Array(size);
  for (let row = 0; row < size; row++)
    isShown[row] = Number((own === undefined || atInt(own, row) >= 0) && showsKind(filter, keyOf(row).kind));
  const different = filter.onlyDifferent ? differentUpTo(isShown, strongest) : undefined;
  const shown = new Uint32Array(size);
  let count = 0;
  for (let row = 0; row < size; row++) {
    if (atByte(isShown, row) === 0 || atUint(depth, row) > filter.depth) continue;
    // Of the row and of what is below it, however deep.
    if (different !== undefined && atUint(different, atUint(end, row)) === atUint(different, row)) continue;
    shown[count++] = row;
  }
  return shown.slice(0, count);
}

function showsKind(filter: ComparisonFilter, kind: EntryKey['kind']): boolean {
  if (kind === 'context') return filter.contexts;
  return kind === 'collective' ? filter.collectives : filter.pointToPoint;
}

/** The number of different rows before each row. */
function differentUpTo(isShown: Uint8Array, strongest: Uint8Array): Uint32Array {
  const before = new Uint32Array(isShown.length + 1);
  let count = 0;
  for (let row = 0; row < isShown.length; row++) {
    count += Number(atByte(isShown, row) !== 0 && atByte(strongest, row) > 0);
    before[row + 1] = count;
  }
  return before;
}

/** The position of the first value that is not less; the values ascend. */
export function lowerBound(values: Uint32Array, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (atUint(values, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
