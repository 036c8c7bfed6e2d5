import type { EntryClass } from '../../../src/core/trace/comparisonPieces';

/** A row of one side of a pair, as it is placed beside the gutter. */
export interface PlacedRow {
  /** Its place in the order that both sides share. */
  readonly entry: number;
  /** Position in the list of its side. */
  readonly row: number;
  readonly kind: EntryClass;
  /** Pixels from the top of the gutter. */
  readonly top: number;
  readonly bottom: number;
}

/** From top to bottom, in pixels of the gutter; where nothing is on a side, both are the place where it would be. */
type Span = readonly [top: number, bottom: number];

/** Rows of the same kind that follow each other on both sides: what a connector joins. */
export interface Connector {
  readonly kind: EntryClass;
  readonly left: Span;
  readonly right: Span;
  /** Rows to go to: the first one of the block, or the one before which it would be. */
  readonly leftRow: number;
  readonly rightRow: number;
}

/**
 * Joins the rows of two sides in blocks: matched ones with each other, and what only one side has with the place where it would be on the other one.
 * @param left rows of the left side in their order; none is `added`
 * @param right none is `deleted`
 */
export function connectors(left: readonly PlacedRow[], right: readonly PlacedRow[]): readonly Connector[] {
  const all: Connector[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i]?.entry ?? Infinity, right[j]?.entry ?? Infinity];
    const ends =
      a === b
        ? matchedUntil(left, right, i, j)
        : a < b
          ? ([aloneUntil(left, i, b), j] as const)
          : ([i, aloneUntil(right, j, a)] as const);
    const kind = (a <= b ? left[i] : right[j])?.kind;
    if (a === b) all.push(matched(left, right, [i, ends[0]], [j, ends[1]]));
    // Of a match whose partner has not arrived yet, nothing can be drawn.
    else if (kind === 'deleted') all.push(oneSided('left', left, [i, ends[0]], right, j));
    else if (kind === 'added') all.push(oneSided('right', right, [j, ends[1]], left, i));
    [i, j] = ends;
  }
  return all;
}

/** The rows after those of one kind that both sides have, which follow each other. */
function matchedUntil(
  left: readonly PlacedRow[],
  right: readonly PlacedRow[],
  i: number,
  j: number,
): readonly [number, number] {
  const kind = left[i]?.kind;
  let length = 1;
  for (; left[i + length]?.kind === kind; length++)
    if (left[i + length]?.entry !== right[j + length]?.entry) break;
  return [i + length, j + length];
}

/** The row after those of one kind that are before an entry of the other side. */
function aloneUntil(rows: readonly PlacedRow[], from: number, entry: number): number {
  let end = from + 1;
  while (rows[end]?.kind === rows[from]?.kind && (rows[end]?.entry ?? Infinity) < entry) end++;
  return end;
}

function matched(
  left: readonly PlacedRow[],
  right: readonly PlacedRow[],
  [from, end]: readonly [number, number],
  [start, stop]: readonly [number, number],
): Connector {
  return {
    kind: left[from]?.kind ?? 'equal',
    left: span(left, from, end),
    right: span(right, start, stop),
    leftRow: left[from]?.row ?? 0,
    rightRow: right[start]?.row ?? 0,
  };
}

function span(rows: readonly PlacedRow[], from: number, end: number): Span {
  return [rows[from]?.top ?? 0, rows[end - 1]?.bottom ?? 0];
}

/** A block of one side, and the middle of the gap that it has on the other one. */
function oneSided(
  side: 'left' | 'right',
  rows: readonly PlacedRow[],
  [from, end]: readonly [number, number],
  others: readonly PlacedRow[],
  next: number,
): Connector {
  const own = span(rows, from, end);
  const before = others[next - 1]?.bottom;
  const after = others[next]?.top;
  const middle = ((before ?? own[0]) + (after ?? own[1])) / 2;
  const gap: Span = [middle, middle];
  const row = rows[from]?.row ?? 0;
  const other = others[next]?.row ?? (others[next - 1]?.row ?? -1) + 1;
  return side === 'left'
    ? { kind: 'deleted', left: own, right: gap, leftRow: row, rightRow: other }
    : { kind: 'added', left: gap, right: own, leftRow: other, rightRow: row };
}

/** The connector under a point; of several, that of a difference. @param x share (0…1) of the gutter's width */
export function connectorAt(all: readonly Connector[], x: number, y: number): Connector | undefined {
  const mix = ([a]: Span, [b]: Span): number => a + (b - a) * x;
  const under = all.filter(({ left, right }) => {
    const top = mix(left, right);
    const bottom = mix([left[1], 0], [right[1], 0]);
    // A point where something would be is hard to hit.
    return y >= top - 3 && y <= bottom + 3;
  });
  return under.find(({ kind }) => kind !== 'equal') ?? under[0];
}
