import { atUint } from '../at';
import { CallPathTree, type TraceFacts } from './callPathTree';
import type { CallTrace } from './callTrace';
import type { KeyTable } from './keyTable';

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
  const tree = new CallPathTree(table, counters);
  for (const trace of traces) {
    const values = { ...trace, counters: counters.map((name) => trace.counters.get(name)) };
    // Nodes of the rows around the current one.
    const nodes: number[] = [];
    for (let row = 0; row < trace.size; row++) {
      const depth = atUint(trace.depth, row);
      const node = tree.child(nodes[depth - 2] ?? -1, atUint(trace.key, row));
      nodes[depth - 1] = node;
      tree.rows.add(node, values, row);
    }
  }
  const { name, rank, ranks, sizeUnit } = facts ?? first;
  return tree.trace({ name, rank, ranks, sizeUnit });
}
