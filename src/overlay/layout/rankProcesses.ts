import { at } from '../../core/at';
import type { Layout, LayoutNode } from './layout';

/** A process before it has a rank. */
export interface UnrankedProcess {
  readonly host: string;
  readonly index: number;
  /** Positions in the list of processes, in the order of the file. */
  readonly children: readonly number[];
}

/**
 * Gives ranks: leaves first, then the others, both from the front end down level by level, children in the order of the file. The same tree
 * has the same ranks, whatever the order of the lines in its file; a file written level by level has the ranks of its order. A front
 * end without children is not a leaf: back ends attach to it.
 *
 * @param processes a tree; `processes[root]` is its front end
 */
export function rankProcesses(processes: readonly UnrankedProcess[], root: number): Layout {
  const order = levelByLevel(processes, root);
  const isLeaf = (position: number) => position !== root && at(processes, position).children.length === 0;
  const ranked = [...order.filter(isLeaf), ...order.filter((position) => !isLeaf(position))];
  const rankOf = new Map(ranked.map((position, rank) => [position, rank]));
  const parentOf = new Map(
    order.flatMap((parent) => at(processes, parent).children.map((child) => [child, parent])),
  );
  const rank = (position: number) => rankOf.get(position) ?? -1;
  const nodes = ranked.map((position): LayoutNode => {
    const { host, index, children } = at(processes, position);
    const parent = parentOf.get(position);
    return {
      rank: rank(position),
      host,
      index,
      ...(parent === undefined ? {} : { parent: rank(parent) }),
      children: children.map(rank),
    };
  });
  return { nodes, root: rank(root), leaves: order.filter(isLeaf).length };
}

/** Positions from the root down, children in order. */
export function levelByLevel(
  processes: readonly { readonly children: readonly number[] }[],
  root: number,
): readonly number[] {
  const order = [root];
  for (let next = 0; next < order.length; next++)
    for (const child of at(processes, at(order, next)).children) order.push(child);
  return order;
}
