import { at } from '../../core/at';
import { nodeOf, type RankTree } from './treeQueries';

/** What a message costs (LogP; Culler et al. 1993), all in the same unit of time, for example seconds. */
export interface LogP {
  /** Least time between two sends of one process (g). */
  readonly gap: number;
  /** Time that a process spends with one send or one receive (o). */
  readonly overhead: number;
  /** Time that a message is on its way (L). */
  readonly latency: number;
}

/** Times of broadcasts; by symmetry, of reductions. */
export interface BroadcastTimes {
  /** From the send of the front end until the last back end has received. */
  readonly completion: number;
  /** Shortest time between the starts of two broadcasts that follow each other. */
  readonly interval: number;
}

/**
 * Times of a broadcast by the model of Roth (2005), section 4.2: the k-th child of a process has received after k·g + 2o + L, and a
 * process with n children can start again after n·g.
 */
export function broadcastTimes(tree: RankTree, { gap, overhead, latency }: LogP): BroadcastTimes {
  let completion = 0;
  let mostChildren = 0;
  const received = new Map([[tree.root, 0]]);
  const order = [tree.root];
  for (let next = 0; next < order.length; next++) {
    const rank = at(order, next);
    const { children } = nodeOf(tree, rank);
    const start = received.get(rank) ?? 0;
    mostChildren = Math.max(mostChildren, children.length);
    if (children.length === 0) completion = Math.max(completion, start);
    children.forEach((child, position) => {
      received.set(child, start + (position + 1) * gap + 2 * overhead + latency);
      order.push(child);
    });
  }
  return { completion, interval: mostChildren * gap };
}
