import { at, atInt, atUint } from '../../at';
import { siblings, type Alignment } from '../align/alignTraces';
import { longestIncreasing } from '../align/longestIncreasing';
import { orderChanges } from '../align/orderChanges';
import type { CallTrace } from '../callTrace';
import { nodesOf, type OrderDifference, type PairTree } from '../pairTree';

/** @param left a trace of the first view, `right` of the second one */
export function orderDifferences(
  left: CallTrace,
  right: CallTrace,
  alignment: Alignment,
  tree: PairTree,
): readonly OrderDifference[] {
  const changes = orderChanges(left, right, alignment);
  if (changes.length === 0) return [];
  const nodes = nodesOf(left, tree);
  const found = new Map<number, OrderDifference>();
  for (const change of changes) {
    const node = change.left < 0 ? -1 : atInt(nodes, change.left);
    if (found.has(node)) continue;
    const [before, after] = [calledBy(left, change.left), calledBy(right, change.right)];
    const moved = movedPart(before, after);
    // Distances that became one (`commonDistances`) stand twice.
    if (moved?.before === before && left.ranks !== right.ranks) continue;
    if (moved !== undefined) found.set(node, { node, ...moved });
  }
  return [...found.values()];
}

/** Keys by their first occurrence. */
function calledBy(trace: CallTrace, row: number): readonly number[] {
  const children = siblings(trace, row + 1, row < 0 ? trace.size : atUint(trace.end, row));
  return [...new Set([...children].map((child) => atUint(trace.key, child)))];
}

function movedPart(
  before: readonly number[],
  after: readonly number[],
): { before: readonly number[]; after: readonly number[] } | undefined {
  const common = before.filter((key) => after.includes(key));
  const now = after.filter((key) => before.includes(key));
  const stays = longestIncreasing(now.map((key) => common.indexOf(key)));
  if (stays.length === now.length) return { before, after };
  const first = common.findIndex((key, position) => now[position] !== key);
  let end = common.length;
  while (end > first && at(common, end - 1) === at(now, end - 1)) end--;
  return { before: common.slice(first, end), after: now.slice(first, end) };
}
