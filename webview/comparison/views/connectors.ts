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
    const [from, start] = [i, j];
    const [a, b] = [left[i], right[j]];
    if (b === undefined || (a !== undefined && a.entry < b.entry)) {
      const kind = a?.kind ?? 'deleted';
      while (left[i]?.kind === kind && isBefore(left[i], right[j])) i++;
      // A partner that has not arrived yet: nothing can be drawn.
      if (kind === 'deleted') all.push(oneSided('left', left, [from, i], right, j));
    } else if (a === undefined || b.entry < a.entry) {
      const { kind } = b;
      while (right[j]?.kind === kind && isBefore(right[j], left[i])) j++;
      if (kind === 'added') all.push(oneSided('right', right, [start, j], left, i));
    } else {
      const { kind } = a;
      while (left[i]?.kind === kind && left[i]?.entry === right[j]?.entry) [i, j] = [i + 1, j + 1];
      all.push({
        kind,
        left: span(left, from, i),
        right: span(right, start, j),
        leftRow: a.row,
        rightRow: b.row,
      });
    }
    if (i === from && j === start) [i, j] = [i + 1, j + 1];
  }
  return all;
}

function isBefore(row: PlacedRow | undefined, other: PlacedRow | undefined): boolean {
  return row !== undefined && (other === undefined || row.entry < other.entry);
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
