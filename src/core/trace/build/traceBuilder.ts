import { atFloat, atInt, atUint } from '../../at';
import type { CallTrace } from '../callTrace';
import { CallPathTree, columnsOf, type TraceFacts } from '../callPathTree';
import type { KeyTable } from '../keyTable';
import { Loops } from './loops';
import { RowColumns } from '../rowColumns';
import { Structures } from '../structures';
import { longestSequence as usualSequence, Siblings } from './siblings';

/** What readers of traces give: the calls of one process in their order. */
export interface TraceSink {
  enter(key: number): void;
  /**
   * Ends the innermost open call.
   * @param seconds its exclusive time
   * @param counters its exclusive counts, in the order that was agreed upon
   */
  leave(seconds: number, counters: ArrayLike<number>): void;
  /** @param marks set of the type of its elements and of its tag (`KeyTable.typeSet`, `tagSet`); 0: bytes, and no tag */
  message(key: number, bytes: number, marks: number): void;
  /** The next iteration begins. @param number as the trace says; else they are counted from 1 */
  iteration(number?: number): void;
}

export interface BuilderOptions {
  /** Names of the counters. */
  readonly counters?: readonly string[];
  /** Rows of a trace that is folded only; beyond, its call paths are merged. Default: a million, as columns have room for 2^20. */
  readonly mostRows?: number;
  /** Siblings of the longest sequence whose repetition is found. Default: `longestSequence` of `siblings.ts`. */
  readonly longestSequence?: number;
}

/**
 * Builds a folded trace while its events come. Rows lie in one stack in preorder: what is finished last is on top. When a call ends, its structure is numbered
 * (equal subtrees have equal numbers), and where the last w siblings have the structures of the w before them, w from 1 up, their rows are added to those of the
 * earlier ones and taken from the stack. Each row is pushed once and taken once, and so the whole is linear but for the search of w (docs/compare-traces.md has its limits).
 */
export class TraceBuilder implements TraceSink {
  readonly #rows: RowColumns;
  readonly #siblings = new Siblings();
  readonly #structures = new Structures();
  readonly #loops = new Loops();
  readonly #counters: readonly string[];
  readonly #mostRows: number;
  readonly #longest: number;
  /** Rows, or nodes of `#paths`, of the open calls. */
  #open = new Int32Array(64);
  #depth = 0;
  /** Set once there were too many rows. */
  #paths: CallPathTree | undefined;
  /** Calls and messages that found no place among the call paths. */
  #unplaced = 0;
  #entries = 0;

  constructor(
    private readonly table: KeyTable,
    { counters = [], mostRows = 1e6, longestSequence = usualSequence }: BuilderOptions = {},
  ) {
    this.#counters = counters;
    this.#mostRows = mostRows;
    this.#longest = longestSequence;
    this.#rows = new RowColumns(counters.length);
  }

  /** Number of open calls. */
  get depth(): number {
    return this.#depth;
  }

  /** Calls and messages so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Sentences: what of the trace is not as it was. */
  get notes(): readonly string[] {
    if (this.#paths === undefined) return [];
    return [
      `The trace has more than ${this.#mostRows} different rows: calls of the same call path are one row in it, and their order is lost. Compare fewer iterations (--iterations).`,
      ...(this.#unplaced === 0
        ? []
        : [
            `${this.#unplaced} calls and messages are of further call paths, which are left out; their time is in their callers.`,
          ]),
    ];
  }

  enter(key: number): void {
    if (this.#depth === this.#open.length) {
      const next = new Int32Array(this.#open.length * 2);
      next.set(this.#open);
      this.#open = next;
    }
    this.#entries++;
    if (this.#paths === undefined) {
      this.#open[this.#depth++] = this.#rows.push(key, this.#depth);
      this.#siblings.open();
      return;
    }
    const parent = this.#innermost();
    const node = this.#child(this.#paths, parent, key);
    // A call without a place: its time is its caller's, and no visit of it.
    this.#open[this.#depth++] = node < 0 ? parentMark(parent) : node;
  }

  leave(seconds: number, counters: ArrayLike<number>): void {
    const own = atInt(this.#open, --this.#depth);
    if (this.#paths !== undefined) {
      this.#addTo(this.#paths.rows, own, seconds, counters);
      return;
    }
    this.#rows.addCall(own, seconds, counters);
    let structure = this.#structures.leaf(atUint(this.#rows.key, own));
    const { structures, base, length } = this.#siblings;
    for (let child = base; child < length; child++)
      structure = this.#structures.withChild(structure, atUint(structures, child));
    this.#siblings.close();
    this.#finish(own, structure);
  }

  message(key: number, bytes: number, marks: number): void {
    this.#entries++;
    if (this.#paths !== undefined) {
      const node = this.#child(this.#paths, this.#innermost(), key);
      if (node >= 0) this.#paths.rows.addMessage(node, bytes, marks);
      return;
    }
    const row = this.#rows.push(key, this.#depth + 1);
    this.#rows.addMessage(row, bytes, marks);
    this.#finish(row, this.#structures.leaf(key));
  }

  iteration(): void {
    // Which of them are built is chosen before (`IterationSink`).
  }

  /** Begins another trace, in the same room. */
  reset(): void {
    this.#rows.size = 0;
    this.#siblings.clear();
    this.#structures.clear();
    this.#loops.clear();
    this.#depth = 0;
    this.#paths = undefined;
    this.#unplaced = 0;
    this.#entries = 0;
  }

  /** The trace; calls that are open end now and without a time. */
  finish(facts: TraceFacts): CallTrace {
    while (this.#depth > 0) this.leave(0, []);
    if (this.#paths !== undefined) return this.#paths.trace(facts);
    return {
      ...facts,
      ...columnsOf(this.#rows.copy(), this.table, this.#counters),
      loops: this.#loops.outerFirst(),
    };
  }

  #finish(row: number, structure: number): void {
    const rows = this.#rows;
    rows.end[row] = rows.size;
    this.#siblings.push(row, structure);
    const width = this.#siblings.repeated(this.#longest);
    if (width > 0) this.#fold(width);
    if (rows.size > this.#mostRows) this.#mergePaths();
  }

  /** Adds the last siblings to as many before them. */
  #fold(width: number): void {
    const rows = this.#rows;
    const { length, rows: starts } = this.#siblings;
    const second = atUint(starts, length - width);
    const first = atUint(starts, length - 2 * width);
    this.#loops.fold(first, second, width > 1, this.#innermost(), rows.count);
    for (let row = second; row < rows.size; row++) rows.add(first + row - second, rows, row);
    rows.size = second;
    this.#siblings.fold(width);
  }

  #innermost(): number {
    return this.#depth === 0 ? -1 : atInt(this.#open, this.#depth - 1);
  }

  /** From here on, entries of the same call path are one. */
  #mergePaths(): void {
    const paths = new CallPathTree(this.table, this.#counters);
    const nodes = paths.add(this.#rows);
    for (let depth = 0; depth < this.#depth; depth++)
      this.#open[depth] = atUint(nodes, atInt(this.#open, depth));
    this.#paths = paths;
    this.#rows.size = 0;
    this.#structures.clear();
  }

  /** −1: there is no place for it. */
  #child(paths: CallPathTree, parent: number, key: number): number {
    if (parent < -1 || paths.size < this.#mostRows)
      return parent < -1 ? this.#lost() : paths.child(parent, key);
    const known = paths.find(parent, key);
    return known < 0 ? this.#lost() : known;
  }

  #lost(): number {
    this.#unplaced++;
    return -1;
  }

  #addTo(rows: RowColumns, own: number, seconds: number, counters: ArrayLike<number>): void {
    if (own >= -1) {
      rows.addCall(own, seconds, counters);
      return;
    }
    const row = unmarked(own);
    if (row < 0) return;
    rows.seconds[row] = atFloat(rows.seconds, row) + seconds;
    rows.counters.forEach((column, number) => (column[row] = atFloat(column, row) + (counters[number] ?? 0)));
  }
}

/** Stands for a call without a place below this node (−1: at the top), or below another such call. */
function parentMark(parent: number): number {
  return parent < -1 ? parent : -3 - parent;
}

function unmarked(mark: number): number {
  return -3 - mark;
}
