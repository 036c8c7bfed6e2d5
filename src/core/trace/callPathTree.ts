import { atInt, atUint } from '../at';
import type { CallTrace } from './callTrace';
import type { KeyTable } from './keyTable';
import { PairNumbers } from './pairNumbers';
import { RowColumns } from './rowColumns';

/** What a trace is of, beside its rows. */
export type TraceFacts = Pick<CallTrace, 'name' | 'rank' | 'ranks' | 'sizeUnit'>;

/** Calls by their call path: entries of the same key under the same caller are one, in the order of their first occurrence. */
export class CallPathTree {
  readonly rows: RowColumns;
  /** −1: a root. */
  #parent = new Int32Array(64);
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
    if (node >= this.#parent.length) {
      const next = new Int32Array(this.#parent.length * 2);
      next.set(this.#parent);
      this.#parent = next;
    }
    this.#parent[node] = parent;
    return node;
  }

  /** The same where it is there; else −1. */
  find(parent: number, key: number): number {
    return this.#numbers.find(parent + 1, key);
  }

  /** As a trace: each node before its children. The tree takes no more calls then, because its rows are those of the trace. */
  trace(facts: TraceFacts): CallTrace {
    const { order, position } = this.#preorder();
    const { rows, table } = this;
    rows.arrange(order);
    // The last child first: a subtree ends where its last child's ends.
    rows.end.fill(0);
    for (let row = rows.size - 1; row >= 0; row--) {
      const end = Math.max(row + 1, atUint(rows.end, row));
      rows.end[row] = end;
      const parent = atInt(this.#parent, atUint(order, row));
      if (parent >= 0) {
        const above = atUint(position, parent);
        rows.end[above] = Math.max(end, atUint(rows.end, above));
      }
    }
    let isNumbered = false;
    return {
      ...facts,
      ...columnsOf(rows, table, this.counters),
      loops: [],
      // Only traces that are aligned need them.
      get structure() {
        if (!isNumbered) numberStructures(rows, table);
        isNumbered = true;
        return rows.structure;
      },
    };
  }

  #preorder(): { order: Uint32Array; position: Uint32Array } {
    const { size } = this.rows;
    // Linked lists of children, in the order of their numbers, that are walked without recursion.
    const first = new Int32Array(size + 1).fill(-1);
    const next = new Int32Array(size).fill(-1);
    for (let node = size - 1; node >= 0; node--) {
      const above = atInt(this.#parent, node) + 1;
      next[node] = atInt(first, above);
      first[above] = node;
    }
    const order = new Uint32Array(size);
    const position = new Uint32Array(size);
    let count = 0;
    let node = atInt(first, 0);
    while (node >= 0) {
      position[node] = count;
      order[count++] = node;
      const child = atInt(first, node + 1);
      if (child >= 0) {
        node = child;
        continue;
      }
      while (node >= 0 && atInt(next, node) < 0) node = atInt(this.#parent, node);
      if (node >= 0) node = atInt(next, node);
    }
    return { order, position };
  }
}

/** Numbers the structures of finished rows. */
export function numberStructures(
  rows: Pick<CallTrace, 'size' | 'key' | 'end' | 'structure'>,
  table: KeyTable,
): void {
  for (let row = rows.size - 1; row >= 0; row--) {
    let structure = table.leafStructure(atUint(rows.key, row));
    const end = atUint(rows.end, row);
    for (let child = row + 1; child < end; child = atUint(rows.end, child))
      structure = table.withChild(structure, atUint(rows.structure, child));
    rows.structure[row] = structure;
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
    structure: rows.structure.subarray(0, size),
    types: rows.types.subarray(0, size),
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
