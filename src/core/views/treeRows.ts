import { at, atFloat, atInt, atUint } from '../at';
import type { ChildLinks } from '../profile/tree';

/** Positions in descending (or ascending) order of their values; equal ones by those of `ties`, the largest first, else in their order. */
export function orderByValue(values: Float64Array, descending: boolean, ties?: Float64Array): Uint32Array {
  const order = ties === undefined ? Uint32Array.from(values.keys()) : orderByValue(ties, true);
  // The difference of equal infinities is no number, and so no order either: 0.
  const smallerFirst = (a: number, b: number): number => atFloat(values, a) - atFloat(values, b) || 0;
  return order.sort(descending ? (a, b) => smallerFirst(b, a) : smallerFirst);
}

/** Positions in the order of the texts of their keys: `texts[keyOf[position]]`. Texts are compared once each, not per position. */
export function orderByText(
  keyOf: ArrayLike<number>,
  texts: readonly string[],
  descending: boolean,
): Uint32Array {
  const collator = new Intl.Collator('en', { numeric: true });
  const sorted = [...texts.keys()].sort((a, b) => collator.compare(at(texts, a), at(texts, b)));
  const rank = new Float64Array(texts.length);
  sorted.forEach((key, index) => {
    rank[key] = index;
  });
  return orderByValue(
    Float64Array.from(keyOf, (key) => atFloat(rank, key)),
    descending,
  );
}

/** Children as lists in the order in which `order` names them. */
export function childLinksInOrder(parent: Int32Array, order: Uint32Array): ChildLinks {
  const firstChild = new Int32Array(parent.length).fill(-1);
  const nextSibling = new Int32Array(parent.length).fill(-1);
  let firstRoot = -1;
  for (let i = order.length - 1; i >= 0; i--) {
    const callPath = atUint(order, i);
    const above = atInt(parent, callPath);
    if (above < 0) {
      nextSibling[callPath] = firstRoot;
      firstRoot = callPath;
    } else {
      nextSibling[callPath] = atInt(firstChild, above);
      firstChild[above] = callPath;
    }
  }
  return { firstRoot, firstChild, nextSibling };
}

/** Children of a node in their order, the roots for −1. */
export function* childrenOf(
  { firstRoot, firstChild, nextSibling }: ChildLinks,
  node: number,
): Generator<number> {
  for (let at = node < 0 ? firstRoot : atInt(firstChild, node); at >= 0; at = atInt(nextSibling, at))
    yield at;
}

/** The call paths that a tree table shows, from top to bottom: roots, and children of what is expanded (1). */
export function visibleRows(parent: Int32Array, links: ChildLinks, expanded: Uint8Array): Uint32Array {
  const rows = new Uint32Array(parent.length);
  let count = 0;
  let node = links.firstRoot;
  while (node >= 0) {
    rows[count++] = node;
    const child = expanded[node] === 1 ? atInt(links.firstChild, node) : -1;
    node = child >= 0 ? child : following(parent, links, node);
  }
  return rows.subarray(0, count);
}

/** Returns the call path after the whole subtree of `node`, or −1. */
export function following(parent: Int32Array, links: ChildLinks, node: number): number {
  for (let current = node; current >= 0; current = atInt(parent, current)) {
    const sibling = atInt(links.nextSibling, current);
    if (sibling >= 0) return sibling;
  }
  return -1;
}

/** Expands everything above `node` in place, so that it is shown. */
export function expandAbove(parent: Int32Array, expanded: Uint8Array, node: number): void {
  for (let above = atInt(parent, node); above >= 0; above = atInt(parent, above)) expanded[above] = 1;
}
