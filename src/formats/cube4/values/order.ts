import { atInt, atUint } from '../../../core/at';
import type { CallPaths } from '../../../core/profile/profile';
import { childLinks } from '../../../core/profile/tree';

/** Types of metrics with values of their own, and thereby the order of their rows. */
export type StoredKind = 'inclusive' | 'exclusive' | 'simple';

/**
 * The enumeration of call paths that row positions of a metric refer to: `result[position] = call path`.
 * Exclusive metrics: pre-order. Simple ones: ascending id. Inclusive ones: "wide" — all children of a call path stand
 * together, followed by what is below the first child, then what is below the second, …; a root stands before all of its tree.
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
 * A call path's children are emitted when its turn in pre-order comes; roots when they are met. That is the wide order,
 * without a stack: W(c) = children of c, then W(first child) …, and W's are entered in pre-order.
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
