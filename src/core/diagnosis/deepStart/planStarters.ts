import type { Focus, ResourcePath } from '../resources/focus';
import { type Callees, callersBelow, pathFromKnown, type ReachedCallers } from './callPaths';
import { type FunctionCountGraph, keyOf } from './functionCountGraph';
import { selectStarters } from './selectStarters';

/** An experiment at a function, which a search has just made. */
export interface StarterTrigger {
  /** `Code` names a function. */
  readonly focus: Focus;
  /** Calls that are known without samples. */
  readonly callees: Callees;
  /** Whether the search has an experiment with the same hypothesis and focus but for `Code`, which is this. */
  readonly has: (code: ResourcePath) => boolean;
  /** Share (0…1) of the samples that a starter exceeds. */
  readonly threshold: number;
}

/**
 * What to add to a search when it refines to a function ([D 6.3], specification 7.5): call paths, each to a new starter. The first function of a path
 * has an experiment already, or is on a path before; the last is the starter, and those between connect it. Samples show the path if
 * they can; else calls are used that are known without them. What no call path reaches from the trigger is not added.
 */
export function planStarters(
  graph: FunctionCountGraph,
  { focus, callees, has, threshold }: StarterTrigger,
): readonly (readonly ResourcePath[])[] {
  const planned = new Set([keyOf(focus.Code)]);
  const isKnown = (code: ResourcePath): boolean => planned.has(keyOf(code)) || has(code);
  const pathIn = (callers: ReachedCallers, to: ResourcePath): readonly ResourcePath[] | undefined =>
    pathFromKnown(to, callers, isKnown, (path) => graph.count(path, focus.Machine));
  const observed = callersBelow(focus.Code, (of) => graph.calleesOf(of));
  let all: ReachedCallers | undefined;
  const paths: (readonly ResourcePath[])[] = [];
  for (const starter of selectStarters(graph, threshold, focus.Machine)) {
    if (isKnown(starter)) continue;
    let path = pathIn(observed, starter);
    if (path === undefined) {
      all ??= callersBelow(focus.Code, (of) => [...graph.calleesOf(of), ...callees(of)]);
      path = pathIn(all, starter);
    }
    if (path === undefined) continue;
    for (const code of path) planned.add(keyOf(code));
    paths.push(path);
  }
  return paths;
}
