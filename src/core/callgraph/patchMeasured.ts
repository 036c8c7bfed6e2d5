import { remembered } from '../remembered';
import type { CallEdge, CallGraph } from './callGraph';

/** Executed calls; caller and callee are positions in the graph. */
export interface MeasuredEdge {
  readonly caller: number;
  readonly callee: number;
  readonly calls: number;
}

/**
 * Marks the executed edges with their calls and adds those that the static analysis missed. Calls of the same pair are
 * summed; pairs outside of the graph are ignored.
 */
export function patchMeasured(graph: CallGraph, measured: Iterable<MeasuredEdge>): CallGraph {
  const byCaller = new Map<number, Map<number, number>>();
  for (const { caller, callee, calls } of measured) {
    if (graph.functions[caller] === undefined || graph.functions[callee] === undefined) continue;
    const callees = remembered(byCaller, caller, () => new Map<number, number>());
    callees.set(callee, (callees.get(callee) ?? 0) + calls);
  }
  const edges = graph.edges.map((list, caller) => {
    const executed = byCaller.get(caller);
    return executed === undefined ? list : patchCaller(list, executed);
  });
  return { ...graph, edges };
}

function patchCaller(list: readonly CallEdge[], executed: Map<number, number>): CallEdge[] {
  const patched = list.map((edge): CallEdge => {
    const calls = executed.get(edge.callee);
    if (calls === undefined) return edge;
    executed.delete(edge.callee);
    return { callee: edge.callee, kind: 'measured', calls: calls + (edge.calls ?? 0) };
  });
  for (const [callee, calls] of executed) patched.push({ callee, kind: 'measured', calls });
  return patched.sort((a, b) => a.callee - b.callee);
}
