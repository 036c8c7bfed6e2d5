import { atInt, atUint } from '../../../core/at';
import type { CallPaths } from '../../../core/profile/profile';
import { childLinks } from '../../../core/profile/tree';

/** Types of metrics with stored values; they determine the order of rows. */
export type StoredKind = 'inclusive' | 'exclusive' | 'simple';

/**
 * The enumeration of call paths that row positions of a metric refer to: `result[position] = call path`.
 * Exclusive metrics: pre-order. Simple ones: ascending id. Inclusive ones: "wide" — all children of a call path are
 * together, followed by the subtree of the first child, then that of the second, …; a root precedes its tree.
 */
export function rowOrder(callPaths: CallPaths, kind: StoredKind): Uint32Array {
  switch (kind) {
    case 'exclusive':
      return Uint32Array.from({ length: callPaths.count }, (_, i) => i);
    case 'simple':
      return Uint32Array.from({ length: callPaths.count }, (_, i) => i).sort(
        (a, b) => atUint(callPaths.fileId, a) - atUint(callPaths.fileId, b),
      );
    case 'inclusive':
      return wide(callPaths);
  }
}

/**
 * Emits a call path's children when its turn in pre-order comes, and roots when they are met. This gives the wide order
 * without a stack: W(c) = children of c, then W(first child) …, and the Ws begin in pre-order.
 */
function wide(callPaths: CallPaths): Uint32Array {
  const { firstChild, nextSibling } = childLinks(callPaths.parent);
  const order = new Uint32Array(callPaths.count);
  let filled = 0;
  for (let i = 0; i < callPaths.count; i++) {
    if (atInt(callPaths.parent, i) < 0) order[filled++] = i;
    for (let child = atInt(firstChild, i); child >= 0; child = atInt(nextSibling, child))
      order[filled++] = child;
  }
  return order;
}
