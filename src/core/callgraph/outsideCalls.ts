import { at } from '../at';
import type { CallEdge, CallGraph } from './callGraph';
import { calleesOf, callersOf, entryOf } from './reachability';

/**
 * The graph with the entry function as the caller of all linked functions that no known call leads to: functions of plug-ins, which the
 * program finds by name (`dlsym`), handlers, constructors of libraries, callbacks that the static analysis cannot follow. Such edges are
 * of kind `outside`.
 * @param isLinked whether the function at a position can be measured
 */
export function withOutsideCalls(graph: CallGraph, isLinked: (position: number) => boolean): CallGraph {
  const entry = entryOf(graph);
  if (entry === undefined) return graph;
  const added = calledFromOutside(graph, entry, isLinked).map((callee): CallEdge => ({
    callee,
    kind: 'outside',
  }));
  if (added.length === 0) return graph;
  const edges = graph.edges.map((list, caller) =>
    caller === entry ? [...list, ...added].sort((a, b) => a.callee - b.callee) : list,
  );
  return { ...graph, edges };
}

/** Functions that are not reached and can be measured: those without a caller, then the first function of each remaining cycle. */
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
      for (const callee of calleesOf(graph, node)) stack.push(callee);
    }
  };
  reach(entry);
  const callers = callersOf(graph);
  const all = graph.functions.map((_, position) => position);
  const uncalled = all.filter((position) => at(callers, position).every((caller) => caller === position));
  return [...uncalled, ...all].filter((position) => {
    if (reached[position] === 1 || at(graph.functions, position).isSystem || !isLinked(position))
      return false;
    reach(position);
    return true;
  });
}

/** Positions of the functions without a known caller. */
export function outsideCallees(graph: CallGraph): ReadonlySet<number> {
  const entry = entryOf(graph);
  const list = entry === undefined ? [] : at(graph.edges, entry);
  return new Set(list.filter(({ kind }) => kind === 'outside').map(({ callee }) => callee));
}
