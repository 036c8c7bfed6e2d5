import { atInt, atUint } from '../../at';
import type { CallTrace } from '../callTrace';
import type { Alignment } from './alignTraces';

/**
 * Matches frequency views (`frequencyTrace`): rows of the same call path, whatever their order.
 * @param left of the same table as `right`; siblings have different keys
 */
export function matchCallPaths(left: CallTrace, right: CallTrace): Alignment {
  const alignment = {
    right: new Int32Array(left.size).fill(-1),
    left: new Int32Array(right.size).fill(-1),
  };
  /** Of the siblings at hand, by key. */
  const rows = new Int32Array(left.table.keys.length).fill(-1);
  // Parents in preorder: they are matched before their children are looked at. −1: the roots.
  for (let row = -1; row < left.size; row++) {
    const other = row < 0 ? -1 : atInt(alignment.right, row);
    if (row >= 0 && other < 0) continue;
    const otherEnd = other < 0 ? right.size : atUint(right.end, other);
    for (let child = other + 1; child < otherEnd; child = atUint(right.end, child))
      rows[atUint(right.key, child)] = child;
    const end = row < 0 ? left.size : atUint(left.end, row);
    for (let child = row + 1; child < end; child = atUint(left.end, child)) {
      const partner = atInt(rows, atUint(left.key, child));
      if (partner < 0) continue;
      alignment.right[child] = partner;
      alignment.left[partner] = child;
    }
    for (let child = other + 1; child < otherEnd; child = atUint(right.end, child))
      rows[atUint(right.key, child)] = -1;
  }
  return alignment;
}
