import { at, atUint } from '../at';
import { pathRows, pathTrace, type TraceFacts } from './callPathTree';
import type { CallTrace } from './callTrace';
import type { KeyTable } from './keyTable';
import { PairNumbers } from './pairNumbers';

/**
 * The frequency view: entries of the same call path as one row, of one process or of several together, siblings in the order of their first occurrence.
 * Counts, times and sizes add up; partners of several processes only mean something as distances (`relative.ts`). Counters that not all of them have are left out.
 * @param traces of one table; at least one
 */
export function frequencyTrace(traces: readonly CallTrace[], table: KeyTable, facts?: TraceFacts): CallTrace {
  const [first, ...others] = traces;
  if (first === undefined) throw new RangeError('A frequency view is of one trace at least.');
  const counters = [...first.counters.keys()].filter((name) =>
    others.every((trace) => trace.counters.has(name)),
  );
  // All call paths first: the columns are then made once, and in their order.
  const paths = new PairNumbers();
  const numbers = traces.map((trace) => pathNumbers(trace, paths));
  const { rows, position } = pathRows(paths, counters.length);
  for (const [number, trace] of traces.entries()) {
    const own = at(numbers, number);
    const values = { ...trace, counters: counters.map((name) => trace.counters.get(name)) };
    for (let row = 0; row < trace.size; row++) rows.add(atUint(position, atUint(own, row)), values, row);
  }
  const { name, rank, ranks, sizeUnit } = facts ?? first;
  return pathTrace({ name, rank, ranks, sizeUnit }, rows, table, counters);
}

/** By row: the number of its call path. */
function pathNumbers({ size, depth, key }: CallTrace, paths: PairNumbers): Uint32Array {
  const numbers = new Uint32Array(size);
  // Of the rows around the current one.
  const around: number[] = [];
  for (let row = 0; row < size; row++) {
    const above = atUint(depth, row) - 1;
    const number = paths.number((around[above - 1] ?? -1) + 1, atUint(key, row));
    around[above] = number;
    numbers[row] = number;
  }
  return numbers;
}
