import type { CallGraph } from '../../callgraph/callGraph';
import type { Profile } from '../../profile/profile';

/**
 * How many callees of a region have no time of their own in the profile, so that theirs is part of the region's exclusive time. Those of
 * libraries count, too; so does one that was never executed, for a profile cannot tell.
 * @param keys function key per region of the profile
 */
export function unrecordedCallees(
  { callPaths }: Profile,
  graph: CallGraph,
  keys: readonly string[],
): (region: number) => number {
  const recorded = new Set<string | undefined>();
  for (const region of callPaths.region) recorded.add(keys[region]);
  const positions = new Map(graph.functions.map(({ key }, position) => [key, position]));
  return (region) => {
    const callees = graph.edges[positions.get(keys[region] ?? '') ?? -1] ?? [];
    return callees.filter(({ callee }) => !recorded.has(graph.functions[callee]?.key)).length;
  };
}
