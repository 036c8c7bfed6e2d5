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
 * A call path from a function for which `isKnown` to `to`, both included: backwards, always to the heaviest of the callers that
 * were met, so that it leads through functions that are likely to be worth an experiment themselves. Absent where there is none.
 */
export function pathFromKnown(
  to: ResourcePath,
  callers: ReachedCallers,
  isKnown: (path: ResourcePath) => boolean,
  weight: (path: ResourcePath) => number,
): readonly ResourcePath[] | undefined {
  const seen = new Set([keyOf(to)]);
  const open: (readonly [ResourcePath, ...ResourcePath[]])[] = [[to]];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (isKnown(path[0])) return path;
    for (const caller of callers.get(keyOf(path[0])) ?? []) {
      if (seen.has(keyOf(caller))) continue;
      seen.add(keyOf(caller));
      open.push([caller, ...path]);
    }
    open.sort((a, b) => weight(b[0]) - weight(a[0]));
  }
  return undefined;
}
