import type { ResourcePath } from '../resources/focus';
import { keyOf } from './functionCountGraph';

/** The functions that a function calls. */
export type Callees = (of: ResourcePath) => readonly ResourcePath[];

/** What can be reached from a function by calls: by the key of each function, which of these call it. */
export type ReachedCallers = ReadonlyMap<string, readonly ResourcePath[]>;

/** `from` is reached from itself, without callers unless it is called again. O(functions + calls). */
export function callersBelow(from: ResourcePath, callees: Callees): ReachedCallers {
  const callers = new Map<string, ResourcePath[]>([[keyOf(from), []]]);
  const reached = [from];
  for (const caller of reached)
    for (const callee of callees(caller)) {
      const known = callers.get(keyOf(callee));
      if (known !== undefined) {
        known.push(caller);
        continue;
      }
      callers.set(keyOf(callee), [caller]);
      reached.push(callee);
    }
  return callers;
}

/**
 * A shortest call path from a function for which `isKnown` to `to`, both included, because it takes the fewest new experiments. Absent
 * where there is none.
 * @param weight heavier callers come first where there are several shortest paths
 */
export function pathFromKnown(
  to: ResourcePath,
  callers: ReachedCallers,
  isKnown: (path: ResourcePath) => boolean,
  weight: (path: ResourcePath) => number,
): readonly ResourcePath[] | undefined {
  const seen = new Set([keyOf(to)]);
  const paths: (readonly [ResourcePath, ...ResourcePath[]])[] = [[to]];
  for (const path of paths) {
    if (isKnown(path[0])) return path;
    const above = [...(callers.get(keyOf(path[0])) ?? [])].sort((a, b) => weight(b) - weight(a));
    for (const caller of above) {
      if (seen.has(keyOf(caller))) continue;
      seen.add(keyOf(caller));
      paths.push([caller, ...path]);
    }
  }
  return undefined;
}
