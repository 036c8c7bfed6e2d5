import { atFloat, atInt, atUint } from '../at';
import type { ChildLinks } from '../profile/tree';

/** Positions in descending (or ascending) order of their values; equal ones keep their order. */
export function orderByValue(values: Float64Array, descending: boolean): Uint32Array {
  const order = Uint32Array.from(values, (_, at) => at);
  const sign = descending ? -1 : 1;
  return order.sort((a, b) => sign * (atFloat(values, a) - atFloat(values, b)) || a - b);
}

/** Positions in the order of the texts of their keys: `texts[keyOf[position]]`. Texts are compared once each, not per position. */
export function orderByText(
  keyOf: ArrayLike<number>,
  texts: readonly string[],
  descending: boolean,
): Uint32Array {
  const collator = new Intl.Collator('en', { numeric: true });
  const sorted = Array.from(texts, (_, at) => at).sort(
    (a, b) => collator.compare(texts[a] ?? '', texts[b] ?? '') || a - b,
  );
  const rank = new Float64Array(texts.length);
  sorted.forEach((key, at) => {
    rank[key] = at;
  });
  return orderByValue(
    Float64Array.from(keyOf, (key) => rank[key] ?? 0),
    descending,
  );
}

/** Children as lists in the order in which `order` names them. */
export function childLinksInOrder(parent: Int32Array, order: Uint32Array): ChildLinks {
  const firstChild = new Int32Array(parent.length).fill(-1);
  const nextSibling = new Int32Array(parent.length).fill(-1);
  let firstRoot = -1;
  for (let i = order.length - 1; i >= 0; i--) {
    const at = atUint(order, i);
    const above = atInt(parent, at);
    if (above < 0) {
      nextSibling[at] = firstRoot;
      firstRoot = at;
    } else {
      nextSibling[at] = atInt(firstChild, above);
      firstChild[above] = at;
    }
  }
  return { firstRoot, firstChild, nextSibling };
}

/** The call paths that a tree table shows, from top to bottom: roots, and children of what is expanded (1). */
export function visibleRows(parent: Int32Array, links: ChildLinks, expanded: Uint8Array): Uint32Array {
  const rows = new Uint32Array(parent.length);
  let count = 0;
  let at = links.firstRoot;
  while (at >= 0) {
    rows[count++] = at;
    const child = expanded[at] === 1 ? atInt(links.firstChild, at) : -1;
    at = child >= 0 ? child : following(parent, links, at);
  }
  return rows.subarray(0, count);
}

/** The call path after the whole subtree of `at`, or −1. */
export function following(parent: Int32Array, links: ChildLinks, at: number): number {
  for (let current = at; current >= 0; current = atInt(parent, current)) {
    const sibling = atInt(links.nextSibling, current);
    if (sibling >= 0) return sibling;
  }
  return -1;
}

/** In place: expands everything above `at`, so that it is shown. */
export function expandAbove(parent: Int32Array, expanded: Uint8Array, at: number): void {
  for (let above = atInt(parent, at); above >= 0; above = atInt(parent, above)) expanded[above] = 1;
}
