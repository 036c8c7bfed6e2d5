import type { CallGraph } from '../../core/callgraph/callGraph';
import type { Profile } from '../../core/profile/profile';
import { regionKeys } from '../../core/selection/regionKeys';

/** A call that a profile shows: positions of caller and callee in the graph, and how often. */
export interface MeasuredCall {
  readonly caller: number;
  readonly callee: number;
  readonly calls: number;
}

/**
 * Calls of the profile that the graph cannot explain. Between two recorded functions there may be others that were not
 * recorded, so a parent and child in the profile need not be caller and callee: only where the graph has no way from one to the
 * other is an edge missing (a call through a pointer, a library, or a language whose source was not analysed).
 */
export function unexplainedEdges(profile: Profile, graph: CallGraph): readonly MeasuredCall[] {
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  const keys = regionKeys(profile, graph);
  const functionOf = (callPath: number): number =>
    positions.get(keys[profile.callPaths.region[callPath] ?? 0] ?? '') ?? -1;
  const wanted = new Map<number, Map<number, number>>();
  const visits = profile.stored.get('visits');
  const locations = profile.locations.length;
  for (let path = 0; path < profile.callPaths.count; path++) {
    const parent = profile.callPaths.parent[path] ?? -1;
    if (parent < 0) continue;
    const caller = functionOf(parent);
    const callee = functionOf(path);
    if (caller < 0 || callee < 0 || caller === callee) continue;
    let calls = 0;
    for (let location = 0; location < locations; location++)
      calls += visits?.[path * locations + location] ?? 0;
    const callees = wanted.get(caller) ?? new Map<number, number>();
    callees.set(callee, (callees.get(callee) ?? 0) + calls);
    wanted.set(caller, callees);
  }
  const missing: MeasuredCall[] = [];
  for (const [caller, callees] of wanted) {
    const reached = reachable(graph, caller);
    for (const [callee, calls] of callees) {
      if (reached[callee] !== 1 && calls > 0) missing.push({ caller, callee, calls });
    }
  }
  return missing;
}

function reachable(graph: CallGraph, from: number): Uint8Array {
  const seen = new Uint8Array(graph.functions.length);
  const stack = [from];
  seen[from] = 1;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const { callee } of graph.edges[node] ?? []) {
      if (seen[callee] === 1) continue;
      seen[callee] = 1;
      stack.push(callee);
    }
  }
  return seen;
}
