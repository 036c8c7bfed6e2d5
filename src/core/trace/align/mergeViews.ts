import { at, atInt, atUint } from '../../at';
import type { CallTrace } from '../callTrace';
import type { Alignment } from './alignTraces';

/** The rows of several views as one list: each before its children. */
export interface MergedRows {
  readonly size: number;
  /** By view: the row of its trace; −1: it has none here. */
  readonly rows: readonly Int32Array[];
  /** From 1. */
  readonly depth: Uint32Array;
  /** Row after the subtree. */
  readonly end: Uint32Array;
}

/**
 * Merges a chain of views. What a view has alone stands where it is expected in the others: before its next sibling that they have, behind what they have alone there.
 * @param alignments of each view with the next one
 */
export function mergeViews(traces: readonly CallTrace[], alignments: readonly Alignment[]): MergedRows {
  const [first, ...others] = traces;
  if (first === undefined) return { size: 0, rows: [], depth: new Uint32Array(0), end: new Uint32Array(0) };
  const own = Int32Array.from({ length: first.size }, (_, row) => row);
  let merged: MergedRows = { size: first.size, rows: [own], depth: first.depth, end: first.end };
  for (const [pair, trace] of others.entries())
    merged = new Merger(merged, trace, at(alignments, pair)).merge();
  return merged;
}

/** The siblings that are still to be merged. */
interface Level {
  /** Of what is merged. */
  row: number;
  readonly end: number;
  /** Rows of the new view behind its last matched one. */
  readonly rest: number;
  readonly otherEnd: number;
}

class Merger {
  private size = 0;
  private readonly rows: readonly Int32Array[];
  private readonly depth: Uint32Array;
  private readonly last: Int32Array;
  /** By matched row of the new view: where those begin that stand before it and have no partner. */
  private readonly alone: Int32Array;

  constructor(
    private readonly merged: MergedRows,
    private readonly trace: CallTrace,
    private readonly alignment: Alignment,
  ) {
    const most = merged.size + alignment.left.reduce((sum, partner) => sum + Number(partner < 0), 0);
    this.rows = [...merged.rows, trace].map(() => new Int32Array(most).fill(-1));
    this.depth = new Uint32Array(most);
    this.last = at(merged.rows, merged.rows.length - 1);
    this.alone = new Int32Array(trace.size);
  }

  merge(): MergedRows {
    const levels = [this.level(0, this.merged.size, 0, this.trace.size)];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if (level.row >= level.end) {
        this.copyNew(level.rest, level.otherEnd);
        levels.pop();
        continue;
      }
      const { row } = level;
      const end = atUint(this.merged.end, row);
      const own = atInt(this.last, row);
      const partner = own < 0 ? -1 : atInt(this.alignment.right, own);
      level.row = end;
      if (partner < 0) {
        for (let copied = row; copied < end; copied++) this.push(copied, -1);
        continue;
      }
      this.copyNew(atInt(this.alone, partner), partner);
      this.push(row, partner);
      levels.push(this.level(row + 1, end, partner + 1, atUint(this.trace.end, partner)));
    }
    return { size: this.size, rows: this.rows, depth: this.depth, end: endsOf(this.depth) };
  }

  private level(row: number, end: number, other: number, otherEnd: number): Level {
    let rest = other;
    for (let sibling = other; sibling < otherEnd;) {
      const next = atUint(this.trace.end, sibling);
      if (atInt(this.alignment.left, sibling) >= 0) {
        this.alone[sibling] = rest;
        rest = next;
      }
      sibling = next;
    }
    return { row, end, rest, otherEnd };
  }

  private copyNew(from: number, end: number): void {
    for (let row = from; row < end; row++) this.push(-1, row);
  }

  private push(row: number, other: number): void {
    const { size, rows } = this;
    for (const [view, column] of this.merged.rows.entries())
      if (row >= 0) at(rows, view)[size] = atInt(column, row);
    at(rows, rows.length - 1)[size] = other;
    this.depth[size] = row >= 0 ? atUint(this.merged.depth, row) : atUint(this.trace.depth, other);
    this.size++;
  }
}

function endsOf(depth: Uint32Array): Uint32Array {
  const ends = new Uint32Array(depth.length);
  const open: number[] = [];
  for (const [row, own] of depth.entries()) {
    while (open.length >= own) ends[open.pop() ?? 0] = row;
    open.push(row);
  }
  for (const row of open) ends[row] = depth.length;
  return ends;
}
