import { at } from '../../core/at';
import { LayoutError } from './layoutError';

/** What questions about a tree need: a layout, or the tree as it is now, where ranks may be missing. */
export interface RankTree {
  readonly root: number;
  /** By rank. */
  readonly nodes: readonly (RankNode | undefined)[];
}

interface RankNode {
  readonly parent?: number;
  readonly children: readonly number[];
}

/** @throws LayoutError `unknown-rank` */
export function nodeOf<Node extends RankNode>(
  { nodes }: { readonly nodes: readonly (Node | undefined)[] },
  rank: number,
): Node {
  const node = nodes[rank];
  if (node === undefined) throw new LayoutError('unknown-rank', `The layout has no process of rank ${rank}.`);
  return node;
}

/** Ranks from a process up to the front end, both included. */
export function pathUp(tree: RankTree, rank: number): readonly number[] {
  const path = [rank];
  for (let { parent } = nodeOf(tree, rank); parent !== undefined; { parent } = nodeOf(tree, parent))
    path.push(parent);
  return path;
}

/** Number of links from the front end to a process. */
export function depthOf(tree: RankTree, rank: number): number {
  return pathUp(tree, rank).length - 1;
}

/** Number of links on the longest way down. */
export function treeDepth(tree: RankTree): number {
  let depth = -1;
  for (let level: readonly number[] = [tree.root]; level.length > 0; depth++)
    level = level.flatMap((rank) => nodeOf(tree, rank).children);
  return depth;
}

/** Ranks of a process and all below it, level by level. */
export function ranksBelow(tree: RankTree, rank: number): readonly number[] {
  const ranks = [rank];
  for (let next = 0; next < ranks.length; next++)
    for (const child of nodeOf(tree, at(ranks, next)).children) ranks.push(child);
  return ranks;
}

/** Ranks of the leaves below a process, ascending; of a leaf, its own. */
export function leavesBelow(tree: RankTree & { readonly leaves: number }, rank: number): readonly number[] {
  return ranksBelow(tree, rank)
    .filter((below) => below < tree.leaves)
    .sort((a, b) => a - b);
}

/** Number of links on the way between two processes of the tree. */
export function hopsBetween(tree: RankTree, a: number, b: number): number {
  const [up, other] = [pathUp(tree, a), pathUp(tree, b)];
  const onPath = new Map(other.map((rank, hops) => [rank, hops]));
  const meeting = up.findIndex((rank) => onPath.has(rank));
  return meeting + (onPath.get(at(up, meeting)) ?? 0);
}
