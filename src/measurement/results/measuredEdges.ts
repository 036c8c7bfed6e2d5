import type { MergedTree } from './mergedTree';
import { functionKeyOf, type SlotRegions } from './slotRegions';

/**
 * Executed calls between keys of the call graph. The caller is the nearest *recorded* ancestor: if functions between the two were
 * not selected, the call is not direct.
 */
export interface MeasuredEdge {
  readonly caller: string;
  readonly callee: string;
  readonly calls: number;
}

export function visitsOfKeys(tree: MergedTree, regions: SlotRegions): ReadonlyMap<string, number> {
  const visits = new Map<string, number>();
  for (let callPath = 0; callPath < tree.callPaths.count; callPath++) {
    const key = keyAt(tree, regions, callPath);
    if (key !== undefined) visits.set(key, (visits.get(key) ?? 0) + visitsAt(tree, callPath));
  }
  return visits;
}

export function callEdges(tree: MergedTree, regions: SlotRegions): readonly MeasuredEdge[] {
  const calls = new Map<string, Map<string, number>>();
  for (let callPath = 0; callPath < tree.callPaths.count; callPath++) {
    const caller = keyAt(tree, regions, tree.callPaths.parent[callPath] ?? -1);
    const callee = keyAt(tree, regions, callPath);
    if (caller === undefined || callee === undefined) continue;
    const callees = calls.get(caller) ?? new Map<string, number>();
    calls.set(caller, callees);
    callees.set(callee, (callees.get(callee) ?? 0) + visitsAt(tree, callPath));
  }
  return [...calls].flatMap(([caller, callees]) =>
    [...callees].map(([callee, count]) => ({ caller, callee, calls: count })),
  );
}

function keyAt(tree: MergedTree, regions: SlotRegions, callPath: number): string | undefined {
  const region = callPath < 0 ? undefined : regions.regions[tree.callPaths.region[callPath] ?? 0];
  return region === undefined ? undefined : functionKeyOf(region);
}

function visitsAt(tree: MergedTree, callPath: number): number {
  const begin = callPath * tree.locationCount;
  return tree.visits.subarray(begin, begin + tree.locationCount).reduce((sum, v) => sum + v, 0);
}
