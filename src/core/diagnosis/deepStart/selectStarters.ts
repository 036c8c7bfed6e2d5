import { at, atUint } from '../../at';
import { condense, membersOf } from '../../callgraph/condense';
import type { ResourcePath } from '../resources/focus';
import { type FunctionCountGraph, keyOf } from './functionCountGraph';

/**
 * The functions that are worth testing early: those on the stack in more than a share of the samples, if samples show no other such function
 * below them ([D 6.2], specification 7.4). Of functions that call each other it is the one that was seen deepest. Those in the most samples
 * come first.
 * @param threshold share (0…1) of the samples in the scope that a starter exceeds
 * @param machine the scope: a process, a host, or the whole program
 */
export function selectStarters(
  graph: FunctionCountGraph,
  threshold: number,
  machine: ResourcePath,
): readonly ResourcePath[] {
  const total = graph.total(machine);
  const functions = graph.functions.map(({ path, maxDepth }) => ({
    path,
    maxDepth,
    count: graph.count(path, machine),
  }));
  const condensed = condense(graph);
  /** 1: the component has a function above the threshold, or one below it has. */
  const covered = new Uint8Array(condensed.count);
  const starters = membersOf(condensed).flatMap((members, component) => {
    // Not count > threshold · total, where rounding would let 29 of 100 exceed 0.29.
    const above = members
      .map((index) => at(functions, index))
      .filter(({ count }) => count / total > threshold);
    const callees = condensed.targets.subarray(
      atUint(condensed.starts, component),
      atUint(condensed.starts, component + 1),
    );
    const isCovered = callees.some((callee) => covered[callee] === 1);
    covered[component] = isCovered || above.length > 0 ? 1 : 0;
    return isCovered ? [] : above.sort((a, b) => b.maxDepth - a.maxDepth || byName(a, b)).slice(0, 1);
  });
  return starters.sort((a, b) => b.count - a.count || byName(a, b)).map(({ path }) => path);
}

/** So that the order in which samples arrive decides nothing. */
function byName(a: { readonly path: ResourcePath }, b: { readonly path: ResourcePath }): number {
  return keyOf(a.path) < keyOf(b.path) ? -1 : 1;
}
