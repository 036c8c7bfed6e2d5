import type { CallGraph } from '../../../core/callgraph/callGraph';
import type { Profile } from '../../../core/profile/profile';
import { regionKeys } from '../../../core/callgraph/regionKeys';

/** A call in a profile: positions of caller and callee in the graph, and the number of calls. */
export interface MeasuredCall {
  readonly caller: number;
  readonly callee: number;
  readonly calls: number;
}

/**
 * Calls of the profile that the graph cannot explain. Unrecorded functions may be between two recorded ones, so a parent and child in the
 * profile need not be caller and callee: an edge is missing only if the graph has no path between them (a call through a pointer, a library,
 * or a language whose source was not analysed).
 */
export function unexplainedEdges(profile: Profile, graph: CallGraph): readonly MeasuredCall[] {
  const missing: MeasuredCall[] = [];
  for (const [caller, callees] of nestedCalls(profile, graph)) {
    const reached = reachable(graph, caller);
    for (const [callee, calls] of callees) {
      if (reached[callee] !== 1 && calls > 0) missing.push({ caller, callee, calls });
    }
  }
  return missing;
}

/** Caller → callee → calls, of all parents and children in the call tree that are functions of the graph. */
function nestedCalls(profile: Profile, graph: CallGraph): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  const functionOfRegion = regionKeys(profile, graph).map((key) => positions.get(key) ?? -1);
  const { count, parent, region } = profile.callPaths;
  const nested = new Map<number, Map<number, number>>();
  for (let path = 0; path < count; path++) {
    const caller = functionOfRegion[region[parent[path] ?? -1] ?? -1] ?? -1;
    const callee = functionOfRegion[region[path] ?? -1] ?? -1;
    if (caller < 0 || callee < 0 || caller === callee) continue;
    const callees = nested.get(caller) ?? new Map<number, number>();
    callees.set(callee, (callees.get(callee) ?? 0) + visitsAt(profile, path));
    nested.set(caller, callees);
  }
  return nested;
}

function visitsAt(profile: Profile, path: number): number {
  const width = profile.locations.length;
  const visits = profile.stored.get('visits')?.subarray(path * width, (path + 1) * width);
  return visits?.reduce((sum, value) => sum + value, 0) ?? 0;
}

function reachable(graph: CallGraph, from: number): Uint8Array {
  const seen = new Uint8Array(graph.functions.length);
  const stack = [from];
  seen[from] = 1;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const { callee, kind } of graph.edges[node] ?? []) {
      // A possible call from outside does not explain an observed one.
      if (seen[callee] === 1 || kind === 'outside') continue;
      seen[callee] = 1;
      stack.push(callee);
    }
  }
  return seen;
}
