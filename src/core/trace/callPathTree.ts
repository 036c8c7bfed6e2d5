import { atInt, atUint } from '../at';
import type { CallTrace } from './callTrace';
import type { KeyTable } from './keyTable';
import { PairNumbers } from './pairNumbers';
import { RowColumns, type RowValues } from './rowColumns';

/** What a trace is of, beside its rows. */
export type TraceFacts = Pick<CallTrace, 'name' | 'rank' | 'ranks' | 'sizeUnit'>;

/** Calls by their call path: entries of the same key under the same caller are one, in the order of their first occurrence. */
export class CallPathTree {
  readonly rows: RowColumns;
  readonly #numbers = new PairNumbers();

  /** @param counters their names */
  constructor(
    private readonly table: KeyTable,
    private readonly counters: readonly string[],
  ) {
    this.rows = new RowColumns(counters.length);
  }

  get size(): number {
    return this.rows.size;
  }

  /** The node of a key under another one (−1: at the top). */
  child(parent: number, key: number): number {
    const node = this.#numbers.number(parent + 1, key);
    if (node < this.rows.size) return node;
    this.rows.push(key, parent < 0 ? 1 : atUint(this.rows.depth, parent) + 1);
    return node;
  }

  /** The same where it is there; else −1. */
  find(parent: number, key: number): number {
    return this.#numbers.find(parent + 1, key);
  }

  /** Adds the rows of a trace. @returns by row: its node */
  add(rows: RowValues & Pick<CallTrace, 'size' | 'depth' | 'key'>): Uint32Array {
    const nodes = new Uint32Array(rows.size);
    /** Of the rows around the current one. */
    const around: number[] = [];
    for (let row = 0; row < rows.size; row++) {
      const above = atUint(rows.depth, row) - 1;
      const node = this.child(around[above - 1] ?? -1, atUint(rows.key, row));
      around[above] = node;
      this.rows.add(node, rows, row);
      nodes[row] = node;
    }
    return nodes;
  }

  /** As a trace: each node before its children. */
  trace(facts: TraceFacts): CallTrace {
    const { position, end } = this.#preorder();
    const rows = this.rows.placed(position);
    rows.end = end;
    return { ...facts, ...columnsOf(rows, this.table, this.counters), loops: [], isMerged: true };
  }

  /** By node: its row. By row: the one after its subtree. */
  #preorder(): { readonly position: Uint32Array; readonly end: Uint32Array<ArrayBuffer> } {
    const { size } = this;
    const paths = this.#numbers;
    const position = new Uint32Array(size);
    const end = new Uint32Array(size);
    // Linked lists of children, in the order of their numbers, that are walked without recursion.
    const first = new Int32Array(size + 1).fill(-1);
    const next = new Int32Array(size).fill(-1);
    for (let node = size - 1; node >= 0; node--) {
      const above = paths.first(node);
      next[node] = atInt(first, above);
      first[above] = node;
    }
    let row = 0;
    let node = atInt(first, 0);
    while (node >= 0) {
      position[node] = row++;
      const child = atInt(first, node + 1);
      if (child >= 0) {
        node = child;
        continue;
      }
      while (node >= 0 && atInt(next, node) < 0) {
        end[atUint(position, node)] = row;
        node = paths.first(node) - 1;
      }
      if (node < 0) break;
      end[atUint(position, node)] = row;
      node = atInt(next, node);
    }
    return { position, end };
  }
}

/** The columns of a trace, without copies. */
export function columnsOf(
  rows: RowColumns,
  table: KeyTable,
  counters: readonly string[],
): Omit<CallTrace, keyof TraceFacts | 'loops'> {
  const { size } = rows;
  return {
    table,
    size,
    key: rows.key.subarray(0, size),
    depth: rows.depth.subarray(0, size),
    end: rows.end.subarray(0, size),
    marks: rows.marks.subarray(0, size),
    count: rows.count.subarray(0, size),
    seconds: rows.seconds.subarray(0, size),
    squares: rows.squares.subarray(0, size),
    bytes: rows.bytes.subarray(0, size),
    leastBytes: rows.leastBytes.subarray(0, size),
    mostBytes: rows.mostBytes.subarray(0, size),
    counters: new Map(
      counters.map((name, number) => [
        name,
        (rows.counters[number] ?? new Float64Array(size)).subarray(0, size),
      ]),
    ),
  };
}
