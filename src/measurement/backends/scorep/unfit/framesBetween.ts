import type { CallGraph } from '../../../../core/callgraph/callGraph';
import { callersOf } from '../../../../core/callgraph/reachability';

/**
 * Functions among `keys` whose frames lie between `outer`, which was left as usual, and `inner`, which was not: an exception
 * went through all of these. By the call graph they are reachable from `outer` and reach `inner`; `inner` comes first, `outer` is not
 * included. Empty when the graph has no such path.
 */
export function framesBetween(
  graph: CallGraph,
  keys: ReadonlySet<string>,
  inner: readonly string[],
  outer: readonly string[],
): readonly string[] {
  const positions = (names: readonly string[]): readonly number[] =>
    names.flatMap((key) => {
      const position = graph.functions.findIndex((f) => f.key === key);
      return position < 0 ? [] : [position];
    });
  const callers = callersOf(graph);
  const stop = new Set(positions(outer));
  const below = reached([...stop], (position) => graph.edges[position]?.map(({ callee }) => callee) ?? []);
  const leading = reached(positions(inner), (position) =>
    stop.has(position) ? [] : (callers[position] ?? []),
  );
  return [...leading].flatMap((position) => {
    const key = graph.functions[position]?.key;
    return key !== undefined && keys.has(key) && below.has(position) && !stop.has(position) ? [key] : [];
  });
}

/** Reachable positions with the start, nearest first. */
function reached(
  start: readonly number[],
  next: (position: number) => readonly number[],
): ReadonlySet<number> {
  const seen = new Set(start);
  // The loop also visits positions that are added meanwhile.
  for (const position of seen) for (const neighbour of next(position)) seen.add(neighbour);
  return seen;
}
