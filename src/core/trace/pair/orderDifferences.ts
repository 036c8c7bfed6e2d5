import { at, atInt, atUint } from '../../at';
import { siblings, type Alignment } from '../align/alignTraces';
import { longestIncreasing } from '../align/longestIncreasing';
import { orderChanges } from '../align/orderChanges';
import type { CallTrace } from '../callTrace';
import { nodesOf, type OrderDifference, type PairTree } from './pairTree';

/** The first threads of a process of both views. */
export interface AlignedProcess {
  readonly left: CallTrace;
  readonly right: CallTrace;
  readonly alignment: Alignment;
}

/** Of each call path, what differs in the first of the processes where it does, and in which others something does. */
export function orderDifferences(
  processes: readonly AlignedProcess[],
  tree: PairTree,
): readonly OrderDifference[] {
  const found = new Map<number, OrderDifference & { readonly ranks: number[] }>();
  for (const { left, right, alignment } of processes) {
    const changes = orderChanges(left, right, alignment);
    if (changes.length === 0) continue;
    const nodes = nodesOf(left, tree);
    for (const change of changes) {
      const node = change.left < 0 ? -1 : atInt(nodes, change.left);
      const known = found.get(node);
      if (known?.ranks.at(-1) === left.rank) continue;
      const [before, after] = [calledBy(left, change.left), calledBy(right, change.right)];
      const moved = movedPart(before, after);
      // Distances that became one (`commonDistances`) stand twice.
      if (moved === undefined || (moved.before === before && left.ranks !== right.ranks)) continue;
      if (known === undefined) found.set(node, { node, ...moved, ranks: [left.rank] });
      else known.ranks.push(left.rank);
    }
  }
  return [...found.values()].map(({ ranks, ...order }) =>
    ranks.length === processes.length ? order : { ...order, ranks },
  );
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
