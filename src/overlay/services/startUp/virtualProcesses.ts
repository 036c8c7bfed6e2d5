import { at } from '../../../core/at';
import { nodeOf, pathUp, type RankTree } from '../../layout/treeQueries';

/** What moving and using messages costs. Seconds. */
export interface MessageCost {
  /** Processor time of a send, and of a receive. */
  readonly perMessage: number;
  /** Processor time for each byte of a send, and of a receive. */
  readonly perByte: number;
  /** On the way. */
  readonly latency: number;
}

/** When each process has what a collective brings, and how many messages the front end received. */
export interface CollectiveTimes {
  /** By rank, seconds. */
  readonly ready: readonly number[];
  readonly messagesAtRoot: number;
}

/**
 * The processes of a tree in virtual time: each does one thing at a time, and a message takes its processor time at both ends and its latency
 * between them. Times of calls have to be in order for each process, as those of collectives are that follow each other.
 */
export class VirtualProcesses {
  private readonly freeAt: number[];
  private readonly downwards: readonly number[];

  constructor(
    private readonly tree: RankTree,
    private readonly cost: MessageCost,
  ) {
    this.freeAt = tree.nodes.map(() => 0);
    const order = [tree.root];
    for (let next = 0; next < order.length; next++) order.push(...nodeOf(tree, at(order, next)).children);
    this.downwards = order;
  }

  /** A message of the front end to all processes; `start` is when it may begin. */
  broadcast(start: number, bytes: number): CollectiveTimes {
    const ready = this.freeAt.map(() => start);
    for (const rank of this.downwards)
      for (const child of nodeOf(this.tree, rank).children) {
        const sent = this.work(rank, at(ready, rank), this.messageSeconds(bytes));
        ready[child] = this.work(child, sent + this.cost.latency, this.messageSeconds(bytes));
      }
    return { ready, messagesAtRoot: 0 };
  }

  /**
   * One message of each process to its parent, once those of all its children were received.
   *
   * @param starts by rank, when a back end may send
   * @param bytesOf size of a message by the number of back ends below the sender
   * @param useSeconds what the front end does with a message of that many back ends
   */
  reduce(
    starts: readonly number[],
    bytesOf: (backEnds: number) => number,
    useSeconds: (backEnds: number) => number,
  ): CollectiveTimes {
    const ready = [...starts];
    const backEnds = this.freeAt.map(() => 0);
    for (const rank of this.downwards.toReversed()) {
      const { children } = nodeOf(this.tree, rank);
      if (children.length === 0) backEnds[rank] = 1;
      const arrivals = children
        .map((child) => {
          const bytes = bytesOf(at(backEnds, child));
          const sent = this.work(child, at(ready, child), this.messageSeconds(bytes));
          return { at: sent + this.cost.latency, bytes, backEnds: at(backEnds, child) };
        })
        .sort((a, b) => a.at - b.at);
      for (const arrival of arrivals) {
        backEnds[rank] = at(backEnds, rank) + arrival.backEnds;
        const use = rank === this.tree.root ? useSeconds(arrival.backEnds) : 0;
        ready[rank] = this.work(rank, arrival.at, this.messageSeconds(arrival.bytes) + use);
      }
    }
    return { ready, messagesAtRoot: nodeOf(this.tree, this.tree.root).children.length };
  }

  /** A request to one back end, its answer, and what the front end does with it; back when that is done. */
  ask(rank: number, start: number, bytes: number, useSeconds: number): number {
    const up = pathUp(this.tree, rank);
    const hop = (time: number, from: number, to: number, size: number) =>
      this.work(
        to,
        this.work(from, time, this.messageSeconds(size)) + this.cost.latency,
        this.messageSeconds(size),
      );
    let time = start;
    for (let i = up.length - 1; i > 0; i--) time = hop(time, at(up, i), at(up, i - 1), 0);
    for (let i = 0; i + 1 < up.length; i++) time = hop(time, at(up, i), at(up, i + 1), bytes);
    return this.work(this.tree.root, time, useSeconds);
  }

  private messageSeconds(bytes: number): number {
    return this.cost.perMessage + bytes * this.cost.perByte;
  }

  /** When the process is done with work that may begin at a time. */
  private work(rank: number, time: number, seconds: number): number {
    const done = Math.max(time, at(this.freeAt, rank)) + seconds;
    this.freeAt[rank] = done;
    return done;
  }
}
