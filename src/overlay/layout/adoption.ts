import { largestOf } from '../../core/sums';
import { depthOf, hopsBetween, nodeOf, ranksBelow, treeDepth, type RankTree } from './treeQueries';

/** A process whose parent was lost, and the tree before the loss. */
export interface Orphan {
  readonly tree: RankTree;
  readonly rank: number;
  /** Ranks that are lost. */
  readonly lost: ReadonlySet<number>;
  /** Ranks of the processes that run filters and can take children, with or without the front end. */
  readonly inner: Iterable<number>;
}

/** A process that could become the parent. The larger the score, the better. */
export interface Candidate {
  readonly rank: number;
  readonly score: number;
}

/**
 * Ranks that the orphan asks, in this order, until one takes it: drawn by weight, so that orphans spread over all candidates with a preference for the
 * better ones. Empty if the front end is lost.
 *
 * @param random numbers in [0, 1)
 */
export function newParents(orphan: Orphan, random: () => number): readonly number[] {
  return adoptionCandidates(orphan)
    .map(({ rank, score }) => ({ rank, key: Math.log(openUnit(random())) / Math.max(score, leastScore) }))
    .sort((a, b) => b.key - a.key || a.rank - b.rank)
    .map(({ rank }) => rank);
}

/** Even a candidate without a single point is asked, at last. */
const leastScore = 1e-6;

/**
 * The front end and the inner processes that are still connected to it, by rank. What is below a lost process is not: it may be an orphan
 * too, and two orphans that adopt each other would be a cycle.
 *
 * Scores as in MRNet: fan-out + depth + half the proximity, each from 0 to 1. The fan-out counts children that live, and its range is
 * that of the candidates. The depth score falls with the levels that the orphan would come to lie deeper. In trees of depth 1 or less,
 * where the published formulas divide by zero, both depth and proximity are 1.
 */
export function adoptionCandidates({ tree, rank, lost, inner }: Orphan): readonly Candidate[] {
  const { parent } = nodeOf(tree, rank);
  const gone = new Set(parent === undefined ? lost : [...lost, parent]);
  const cut = new Set([...gone].flatMap((one) => ranksBelow(tree, one)));
  const alive = [...new Set([tree.root, ...inner])].filter((other) => other !== rank && !cut.has(other));
  const fan = new Map(
    alive.map((other) => [other, nodeOf(tree, other).children.filter((child) => !gone.has(child)).length]),
  );
  const most = largestOf(fan.values(), 0);
  const fewest = -largestOf([...fan.values()].map((children) => -children));
  const depth = treeDepth(tree);
  const depthBefore = depthOf(tree, rank);
  return alive
    .map((other) => {
      const fanScore = most === fewest ? 1 : (most - (fan.get(other) ?? most)) / (most - fewest);
      const deeper = Math.max(0, depthOf(tree, other) + 1 - depthBefore);
      const depthScore = depth <= 1 ? 1 : unit((depth - 1 - deeper) / (depth - 1));
      const hops = hopsBetween(tree, rank, other);
      const proximity = depth <= 1 ? 1 : unit((2 * depth - 1 - hops) / (2 * depth - 3));
      return { rank: other, score: fanScore + depthScore + proximity / 2 };
    })
    .sort((a, b) => a.rank - b.rank);
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** A random number in (0, 1): the logarithm of 0 would put a candidate last whatever its score. */
function openUnit(random: number): number {
  return Math.max(random, 2 ** -33);
}
