import { at, atInt, atUint } from '../../at';
import { siblings, type Alignment } from '../align/alignTraces';
import { longestIncreasing } from '../align/longestIncreasing';
import { callOrder, orderChanges } from '../align/orderChanges';
import type { Steps } from '../../steps';
import type { CallTrace } from '../callTrace';
import { nodesOf, type OrderDifference, type PairTree } from './pairTree';

/** The first threads of a process of both views. */
export interface AlignedProcess {
  readonly left: CallTrace;
  readonly right: CallTrace;
  readonly alignment: Alignment;
}

/**
 * Of each call path, what differs in the first of the processes where it does, and in which others something does. Where a process calls
 * the same in several orders in one run (whatever message comes first, say), its order is none of the program, and no difference.
 * A step for each process.
 * @param processes one is needed until the next one is asked for
 */
export function* orderDifferences(
  processes: readonly (() => AlignedProcess)[],
  tree: PairTree,
): Steps<readonly OrderDifference[]> {
  const found = new Map<number, OrderDifference & { readonly ranks: number[] }>();
  for (const process of processes) {
    yield;
    const { left, right, alignment } = process();
    const changes = orderChanges(left, right, alignment);
    if (changes.length === 0) continue;
    const nodes = nodesOf(left, tree);
    const wanted = new Set(changes.map((change) => (change.left < 0 ? -1 : atInt(nodes, change.left))));
    const varying = new Set([
      ...varyingOrders(left, nodes, wanted),
      ...varyingOrders(right, nodesOf(right, tree), wanted),
    ]);
    for (const change of changes) {
      const node = change.left < 0 ? -1 : atInt(nodes, change.left);
      const known = found.get(node);
      // Of a trace that grew since its call paths were summed up.
      if (node < 0 && change.left >= 0) continue;
      if (varying.has(node) || known?.ranks.at(-1) === left.rank) continue;
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

/** Call paths whose calls of the same functions have several orders. @param wanted those that matter */
function varyingOrders(
  trace: CallTrace,
  nodes: Int32Array,
  wanted: ReadonlySet<number>,
): ReadonlySet<number> {
  const orders = new Map<string, string>();
  const varying = new Set<number>();
  for (let row = 0; row < trace.size; row++) {
    const node = atInt(nodes, row);
    if (!wanted.has(node) || varying.has(node)) continue;
    const order = callOrder(trace, row);
    const called = `${node}: ${[...new Set(order)].sort((a, b) => a - b).join(' ')}`;
    const own = order.join(' ');
    const known = orders.get(called);
    if (known === undefined) orders.set(called, own);
    else if (known !== own) varying.add(node);
  }
  return varying;
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
