import { at, atInt, atUint } from '../at';
import { KymoError } from '../errors';
import type { CallPaths, Profile } from './profile';

/**
 * One past the last call path of each subtree: the subtree of `i` is `i … subtreeEnds[i] - 1`.
 * Linear time, no recursion; relies on pre-order.
 */
export function subtreeEnds(callPaths: Pick<CallPaths, 'count' | 'parent'>): Uint32Array {
  const { count, parent } = callPaths;
  const ends = new Uint32Array(count);
  for (let i = count - 1; i >= 0; i--) {
    const end = Math.max(atUint(ends, i), i + 1);
    ends[i] = end;
    const above = atInt(parent, i);
    if (above >= 0) ends[above] = Math.max(atUint(ends, above), end);
  }
  return ends;
}

/** Number of call paths above each one; 0 at a root. */
export function depths(callPaths: Pick<CallPaths, 'count' | 'parent'>): Uint32Array {
  const result = new Uint32Array(callPaths.count);
  for (let i = 0; i < callPaths.count; i++) {
    const above = atInt(callPaths.parent, i);
    if (above >= 0) result[i] = atUint(result, above) + 1;
  }
  return result;
}

/** Children as linked lists in ascending order; -1 ends a list. `firstRoot` starts the list of roots. */
export interface ChildLinks {
  readonly firstRoot: number;
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
}

/** Links parents to their children. `parent` may be in any order; each value must be -1 or a position. */
export function childLinks(parent: ArrayLike<number>): ChildLinks {
  const firstChild = new Int32Array(parent.length).fill(-1);
  const nextSibling = new Int32Array(parent.length).fill(-1);
  let firstRoot = -1;
  for (let i = parent.length - 1; i >= 0; i--) {
    const above = at(parent, i);
    if (above < 0) {
      nextSibling[i] = firstRoot;
      firstRoot = i;
    } else {
      nextSibling[i] = atInt(firstChild, above);
      firstChild[above] = i;
    }
  }
  return { firstRoot, firstChild, nextSibling };
}

/**
 * The nodes of a forest in depth-first pre-order, siblings in ascending order: `order[position] = node`.
 * Throws `KymoError` (`invalid-call-tree`) when a parent does not exist or parents form a cycle.
 */
export function preOrder(parent: ArrayLike<number>): Uint32Array {
  const count = parent.length;
  for (let i = 0; i < count; i++) {
    const above = at(parent, i);
    if (!Number.isInteger(above) || above < -1 || above >= count)
      throw new KymoError(
        'invalid-call-tree',
        `Call path ${i} has parent ${above}, but there are only the call paths 0 … ${count - 1}.`,
      );
  }
  const links = childLinks(parent);
  const order = new Uint32Array(count);
  let filled = 0;
  let node = links.firstRoot;
  while (node >= 0) {
    order[filled++] = node;
    node = next(node, parent, links);
  }
  if (filled < count)
    throw new KymoError(
      'invalid-call-tree',
      `${count - filled} of ${count} call paths are not below a root: their parents form a cycle.`,
    );
  return order;
}

/** The node after `node` in pre-order, or -1. */
function next(node: number, parent: ArrayLike<number>, links: ChildLinks): number {
  const child = atInt(links.firstChild, node);
  if (child >= 0) return child;
  let current = node;
  while (current >= 0) {
    const sibling = atInt(links.nextSibling, current);
    if (sibling >= 0) return sibling;
    current = at(parent, current);
  }
  return -1;
}

/** Names of the regions from the root down to the call path, inclusive. */
export function callPathNames(profile: Profile, callPath: number): string[] {
  const names: string[] = [];
  for (let path = callPath; path >= 0; path = atInt(profile.callPaths.parent, path))
    names.push(at(profile.regions, atUint(profile.callPaths.region, path)).name);
  return names.reverse();
}
