import { finished, type Steps } from '../steps';
import type { CallTrace } from './callTrace';
import { CallPathTree, type TraceFacts } from './callPathTree';
import type { KeyTable } from './keyTable';

/**
 * The frequency view: entries of the same call path as one row, of one process or of several together, siblings in the order of their first occurrence.
 * Counts, times and sizes add up; partners of several processes only mean something as distances (`relative.ts`). Counters that not all of them have are left out.
 * @param traces of one table; at least one; each is needed until the next one comes
 */
export function frequencyTrace(
  traces: Iterable<CallTrace>,
  table: KeyTable,
  facts?: Partial<TraceFacts>,
): CallTrace {
  return finished(frequencySteps(traces, table, facts));
}

/** The same, a step for each trace. */
export function* frequencySteps(
  traces: Iterable<CallTrace>,
  table: KeyTable,
  facts?: Partial<TraceFacts>,
): Steps<CallTrace> {
  let paths: CallPathTree | undefined;
  let first: TraceFacts | undefined;
  let names: readonly string[] = [];
  const missing = new Set<string>();
  for (const trace of traces) {
    if (first === undefined) names = [...trace.counters.keys()];
    first ??= factsOf(trace);
    paths ??= new CallPathTree(table, names);
    const counters = names.map((name) => trace.counters.get(name));
    counters.forEach((column, number) => column ?? missing.add(names[number] ?? ''));
    paths.add({ ...trace, counters });
    yield;
  }
  if (paths === undefined || first === undefined)
    throw new RangeError('A frequency view is of one trace at least.');
  const whole = paths.trace({ ...first, ...facts });
  return { ...whole, counters: new Map([...whole.counters].filter(([name]) => !missing.has(name))) };
}

function factsOf({ name, rank, ranks, sizeUnit }: CallTrace): TraceFacts {
  return { name, rank, ranks, sizeUnit };
}
