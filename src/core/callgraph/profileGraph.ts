import { unseenSource, type CallEdge, type CallGraph, type CallGraphFunction } from './callGraph';
import type { Profile, Region } from '../profile/profile';
import { exclusivePerLocation } from '../profile/values';
import { regionKeys } from './regionKeys';

const noFunctions: CallGraph = { functions: [], edges: [] };

/**
 * The graph with what a profile knows beyond it: executed functions that it lacks, and executed calls (PIRA adds both when it
 * reads a profile). Without a graph, the graph of what was executed. Positions of known functions stay.
 */
export function graphWithProfile(graph: CallGraph | undefined, profile: Profile): CallGraph {
  const base = graph ?? noFunctions;
  const keys = regionKeys(profile, base);
  const functions = [...base.functions];
  const positions = new Map(functions.map((f, index) => [f.key, index]));
  profile.regions.forEach((region, index) => {
    const key = keys[index] ?? region.name;
    if (!isUserFunction(region) || positions.has(key)) return;
    positions.set(key, functions.push(functionOf(region, key)) - 1);
  });
  const edges = functions.map((_, index) => new Map((base.edges[index] ?? []).map((e) => [e.callee, e])));
  for (const { caller, callee, calls } of executedCalls(profile, keys, positions)) {
    const callees = edges[caller];
    const before = callees?.get(callee)?.calls ?? 0;
    callees?.set(callee, { callee, kind: 'measured', calls: before + calls });
  }
  const sorted = edges.map((callees): readonly CallEdge[] =>
    [...callees.values()].sort((a, b) => a.callee - b.callee),
  );
  return { functions, edges: sorted, ...(base.entry === undefined ? {} : { entry: base.entry }) };
}

function isUserFunction({ paradigm }: Region): boolean {
  return paradigm === 'compiler' || paradigm === 'user' || paradigm === 'unknown';
}

function functionOf(region: Region, key: string): CallGraphFunction {
  return {
    key,
    name: region.name,
    ...(region.mangledName === undefined ? {} : { mangledName: region.mangledName }),
    ...(region.file === undefined ? {} : { file: region.file }),
    ...(region.firstLine === undefined || region.firstLine <= 0 ? {} : { line: region.firstLine }),
    ...(region.lastLine === undefined || region.lastLine <= 0 ? {} : { endLine: region.lastLine }),
    ...unseenSource,
  };
}

function* executedCalls(
  profile: Profile,
  keys: readonly string[],
  positions: ReadonlyMap<string, number>,
): Generator<{ readonly caller: number; readonly callee: number; readonly calls: number }> {
  const { count, parent, region } = profile.callPaths;
  const width = profile.locations.length;
  const counted = profile.metrics.some((m) => m.name === 'visits' && m.stored !== 'derived');
  const visits = counted ? exclusivePerLocation(profile, 'visits') : undefined;
  for (let path = 0; path < count; path++) {
    const above = parent[path] ?? -1;
    const caller = above < 0 ? undefined : positions.get(keys[region[above] ?? 0] ?? '');
    const callee = positions.get(keys[region[path] ?? 0] ?? '');
    if (caller === undefined || callee === undefined) continue;
    const calls = visits?.subarray(path * width, (path + 1) * width).reduce((sum, value) => sum + value, 0);
    if (calls !== 0) yield { caller, callee, calls: calls ?? 1 };
  }
}
