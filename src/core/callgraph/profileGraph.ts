import { at, atInt, atUint } from '../at';
import { present } from '../present';
import type { Profile, Region } from '../profile/profile';
import { exclusivePerLocation } from '../profile/values';
import { unseenSource, type CallGraph, type CallGraphFunction } from './callGraph';
import { patchMeasured, type MeasuredEdge } from './patchMeasured';
import { regionKeys } from './regionKeys';

const noFunctions: CallGraph = { functions: [], edges: [] };

/**
 * The graph with the executed functions and calls of a profile that it lacks (PIRA adds both when it reads a profile). Without a graph,
 * the graph of all executed functions and calls. Positions of the graph's functions stay.
 */
export function graphWithProfile(graph: CallGraph | undefined, profile: Profile): CallGraph {
  const base = graph ?? noFunctions;
  const keys = regionKeys(profile, base);
  const functions = [...base.functions];
  const positions = new Map(functions.map((f, index) => [f.key, index]));
  profile.regions.forEach((region, index) => {
    const key = at(keys, index);
    if (!isUserFunction(region) || positions.has(key)) return;
    positions.set(key, functions.push(functionOf(region, key)) - 1);
  });
  const edges = functions.map((_, index) => base.edges[index] ?? []);
  return patchMeasured({ ...base, functions, edges }, executedCalls(profile, keys, positions));
}

function isUserFunction({ paradigm }: Region): boolean {
  return paradigm === 'compiler' || paradigm === 'user' || paradigm === 'unknown';
}

function functionOf(region: Region, key: string): CallGraphFunction {
  return {
    key,
    name: region.name,
    ...present({
      mangledName: region.mangledName,
      file: region.file,
      line: lineNumber(region.firstLine),
      endLine: lineNumber(region.lastLine),
    }),
    ...unseenSource,
  };
}

/** Profiles write 0 or −1 for an unknown line. */
function lineNumber(line: number | undefined): number | undefined {
  return line !== undefined && line > 0 ? line : undefined;
}

function* executedCalls(
  profile: Profile,
  keys: readonly string[],
  positions: ReadonlyMap<string, number>,
): Generator<MeasuredEdge> {
  const { count, parent, region } = profile.callPaths;
  const width = profile.locations.length;
  const counted = profile.metrics.some((m) => m.name === 'visits' && m.stored !== 'derived');
  const visits = counted ? exclusivePerLocation(profile, 'visits') : undefined;
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    const caller = above < 0 ? undefined : positions.get(at(keys, atUint(region, above)));
    const callee = positions.get(at(keys, atUint(region, path)));
    if (caller === undefined || callee === undefined) continue;
    const calls = visits?.subarray(path * width, (path + 1) * width).reduce((sum, value) => sum + value, 0);
    if (calls !== 0) yield { caller, callee, calls: calls ?? 1 };
  }
}
