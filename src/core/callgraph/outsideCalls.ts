import type { CallEdge, CallGraph } from './callGraph';
import { callersOf, entryOf } from './reachability';

/**
 * The graph with the entry function as the caller of what no known call leads to and what the linked objects have nevertheless: functions
 * of plug-ins, found by name while the program runs (`dlsym`), handlers, constructors of libraries, callbacks that the static analysis
 * cannot follow. Such edges are of kind `outside`.
 * @param isLinked whether the function, by position, is there to be measured
 */
export function withOutsideCalls(graph: CallGraph, isLinked: (position: number) => boolean): CallGraph {
  const entry = entryOf(graph);
  if (entry === undefined) return graph;
  const found = calledFromOutside(graph, entry, isLinked);
  if (found.length === 0) return graph;
  const added = found.map((callee): CallEdge => ({ callee, kind: 'outside' }));
  const edges = graph.edges.map((list, caller) =>
    caller === entry ? [...list, ...added].sort((a, b) => a.callee - b.callee) : list,
  );
  return { ...graph, edges };
}

/** What is not reached and can be measured: functions without a caller, then, of cycles that are left, the first function. */
function calledFromOutside(
  graph: CallGraph,
  entry: number,
  isLinked: (position: number) => boolean,
): readonly number[] {
  const reached = new Uint8Array(graph.functions.length);
  const reach = (start: number): void => {
    const stack = [start];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (reached[node] === 1) continue;
      reached[node] = 1;
      for (const { callee } of graph.edges[node] ?? []) stack.push(callee);
    }
  };
  reach(entry);
  const callers = callersOf(graph);
  const all = graph.functions.map((_, position) => position);
  const uncalled = all.filter((position) => callers[position]?.every((caller) => caller === position));
  const found: number[] = [];
  for (const position of [...uncalled, ...all]) {
    if (reached[position] === 1 || graph.functions[position]?.isSystem !== false || !isLinked(position))
      continue;
    found.push(position);
    reach(position);
  }
  return found;
}

/** The functions, by position, of which no caller is known. */
export function outsideCallees(graph: CallGraph): ReadonlySet<number> {
  const list = graph.edges[entryOf(graph) ?? -1] ?? [];
  return new Set(list.filter(({ kind }) => kind === 'outside').map(({ callee }) => callee));
}
