import { atFloat, atInt, atUint } from '../../at';
import { sumOf } from '../../sums';
import { inclusiveValues, metricValues } from '../values';
import type { CallTrace, EntryKeys } from '../callTrace';
import { PairNumbers } from '../pairNumbers';

/** A number of each view of a pair. */
export type Both = readonly [number, number];

/** The call paths of two frequency views on top of each other. Parents come before their children. */
export interface PairTree {
  readonly table: EntryKeys;
  /** Frequency views. */
  readonly traces: readonly [CallTrace, CallTrace];
  readonly size: number;
  /** −1: a root. */
  readonly parent: Int32Array;
  readonly key: Uint32Array;
  /** Rows of the views; −1: it has none. */
  readonly rows: readonly [Int32Array, Int32Array];
}

/** A call path whose calls stand in another order. */
export interface OrderDifference {
  /** The caller; −1: at the top. */
  readonly node: number;
  /** Keys of what it calls, from the first that moved to the last: as it was, and as it is. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Of the processes that were compared, those in which it does; undefined: all. */
  readonly ranks?: readonly number[];
}

/** @param left a frequency view of the same table as `right`, and of the same names of functions (`unifyNames`) */
export function pairTree(left: CallTrace, right: CallTrace): PairTree {
  const partners = pathPartners(left, right);
  let size = left.size;
  for (let row = 0; row < right.size; row++) if (atInt(partners, row) < 0) size++;
  const parent = new Int32Array(size);
  const key = new Uint32Array(size);
  const rows = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)] as const;
  // Those of the left view first, whose nodes are its rows.
  let next = left.size;
  const add = (trace: CallTrace, own: Int32Array, nodeOf: (row: number) => number): void => {
    const above: number[] = [];
    for (let row = 0; row < trace.size; row++) {
      const depth = atUint(trace.depth, row);
      const node = nodeOf(row);
      above[depth - 1] = node;
      parent[node] = above[depth - 2] ?? -1;
      key[node] = atUint(trace.key, row);
      own[node] = row;
    }
  };
  add(left, rows[0], (row) => row);
  add(right, rows[1], (row) => {
    const partner = atInt(partners, row);
    return partner < 0 ? next++ : partner;
  });
  return { table: left.table, traces: [left, right], size, parent, key, rows };
}

/** By row of the right view: the row of the same call path in the left one; −1: it has none. Children are looked up by key, without hashing. */
function pathPartners(left: CallTrace, right: CallTrace): Int32Array {
  const partners = new Int32Array(right.size).fill(-1);
  /** By key: the row of the left child that is looked at, + 1. */
  const rowOf = new Uint32Array(left.table.keys.length);
  const match = (first: number, end: number, other: number, otherEnd: number): void => {
    for (let row = first; row < end; row = atUint(left.end, row)) rowOf[atUint(left.key, row)] = row + 1;
    for (let row = other; row < otherEnd; row = atUint(right.end, row))
      partners[row] = atUint(rowOf, atUint(right.key, row)) - 1;
    for (let row = first; row < end; row = atUint(left.end, row)) rowOf[atUint(left.key, row)] = 0;
  };
  match(0, left.size, 0, right.size);
  for (let row = 0; row < right.size; row++) {
    const partner = atInt(partners, row);
    if (partner >= 0) match(partner + 1, atUint(left.end, partner), row + 1, atUint(right.end, row));
  }
  return partners;
}

/** Node of each row of a trace that one of the views is made of; −1: it is of none. */
export function nodesOf(trace: CallTrace, { parent, key, size }: PairTree): Int32Array {
  const numbers = new PairNumbers(size);
  for (let node = 0; node < size; node++) numbers.number(atInt(parent, node) + 1, atUint(key, node));
  const nodes = new Int32Array(trace.size);
  const above: number[] = [];
  for (let row = 0; row < trace.size; row++) {
    const depth = atUint(trace.depth, row);
    const caller = above[depth - 2] ?? -1;
    const node = caller < -1 ? -2 : numbers.find(caller + 1, atUint(trace.key, row));
    above[depth - 1] = node < 0 ? -2 : node;
    nodes[row] = Math.max(-1, node);
  }
  return nodes;
}

/** Values of the nodes in both views: per process where the views have different numbers of processes. 0 where a view has no such node. */
export class PairValues {
  /** Totals of the metric. */
  readonly totals: Both;
  readonly totalSeconds: Both;
  readonly #exclusive: readonly [Float64Array, Float64Array];
  readonly #inclusive: readonly [Float64Array, Float64Array];
  readonly #inclusiveSeconds: readonly [Float64Array, Float64Array];
  /** What values are multiplied by: 1, or 1 ÷ the number of processes. */
  readonly scale: Both;

  /**
   * @param metric `time`, or a counter of both
   * @param processes of each view
   */
  constructor(
    private readonly tree: PairTree,
    readonly metric: string,
    processes: Both,
  ) {
    const [left, right] = tree.traces;
    this.scale = processes[0] === processes[1] ? [1, 1] : [1 / processes[0], 1 / processes[1]];
    this.#exclusive = [valuesOf(left, metric), valuesOf(right, metric)];
    this.#inclusive = [inclusiveValues(left, this.#exclusive[0]), inclusiveValues(right, this.#exclusive[1])];
    this.#inclusiveSeconds =
      metric === 'time'
        ? this.#inclusive
        : [inclusiveValues(left, left.seconds), inclusiveValues(right, right.seconds)];
    this.totals = [sumOf(this.#exclusive[0]) * this.scale[0], sumOf(this.#exclusive[1]) * this.scale[1]];
    this.totalSeconds = [sumOf(left.seconds) * this.scale[0], sumOf(right.seconds) * this.scale[1]];
  }

  has(node: number, side: 0 | 1): boolean {
    return atInt(this.tree.rows[side], node) >= 0;
  }

  counts(node: number): Both {
    return [this.count(node, 0), this.count(node, 1)];
  }

  count(node: number, side: 0 | 1): number {
    return this.#of(this.tree.traces[side].count, node, side);
  }

  exclusive(node: number): Both {
    return [this.#of(this.#exclusive[0], node, 0), this.#of(this.#exclusive[1], node, 1)];
  }

  inclusive(node: number): Both {
    return [this.#of(this.#inclusive[0], node, 0), this.#of(this.#inclusive[1], node, 1)];
  }

  /** Inclusive value of the view where there is more of it. */
  mostInclusive(node: number): number {
    return Math.max(this.#of(this.#inclusive[0], node, 0), this.#of(this.#inclusive[1], node, 1));
  }

  exclusiveSeconds(node: number): Both {
    const [left, right] = this.tree.traces;
    return [this.#of(left.seconds, node, 0), this.#of(right.seconds, node, 1)];
  }

  inclusiveSeconds(node: number): Both {
    return [this.#of(this.#inclusiveSeconds[0], node, 0), this.#of(this.#inclusiveSeconds[1], node, 1)];
  }

  /** Inclusive share (0…1) of a node in the metric, of the view where it has more of it; of −1 all. */
  share(node: number): number {
    if (node < 0) return 1;
    const own = this.inclusive(node);
    return Math.max(...own.map((value, side) => (value === 0 ? 0 : value / (this.totals[side] ?? value))));
  }

  #of(values: Float64Array, node: number, side: 0 | 1): number {
    const row = atInt(this.tree.rows[side], node);
    return row < 0 ? 0 : atFloat(values, row) * this.scale[side];
  }
}

function valuesOf(trace: CallTrace, metric: string): Float64Array {
  const values = metricValues(trace, metric);
  if (values === undefined) throw new RangeError(`“${trace.name}” has no ${metric}.`);
  return values;
}
