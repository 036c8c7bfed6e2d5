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
 * has an experiment, the last is the starter, and those between connect it; paths may begin alike. Samples show the path if they can;
 * else calls are used that are known without them. What no call path reaches from the trigger is not added.
 */
export function planStarters(
  graph: FunctionCountGraph,
  { focus, callees, has, threshold }: StarterTrigger,
): readonly (readonly ResourcePath[])[] {
  /** By the key of each function that is added, the path to it. */
  const planned = new Map<string, readonly ResourcePath[]>();
  const trigger = keyOf(focus.Code);
  const isKnown = (code: ResourcePath): boolean =>
    keyOf(code) === trigger || planned.has(keyOf(code)) || has(code);
  const pathIn = (callers: ReachedCallers, to: ResourcePath): readonly ResourcePath[] | undefined =>
    pathFromKnown(to, callers, isKnown, (path) => graph.count(path, focus.Machine));
  const observed = callersBelow(focus.Code, (of) => graph.calleesOf(of));
  let all: ReachedCallers | undefined;
  const paths: (readonly ResourcePath[])[] = [];
  for (const starter of selectStarters(graph, threshold, focus.Machine)) {
    if (isKnown(starter)) continue;
    let found = pathIn(observed, starter);
    if (found === undefined) {
      all ??= callersBelow(focus.Code, (of) => [...graph.calleesOf(of), ...callees(of)]);
      found = pathIn(all, starter);
    }
    const [first, ...added] = found ?? [];
    if (first === undefined) continue;
    const before = planned.get(keyOf(first)) ?? [first];
    added.forEach((code, index) => planned.set(keyOf(code), [...before, ...added.slice(0, index + 1)]));
    paths.push([...before, ...added]);
  }
  return paths;
}
