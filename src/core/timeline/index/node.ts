import { BinList } from './binList';
import { Frames } from './callStack';

/** Events of a block: what is decoded at least where a picture needs more than the index has. */
export const blockEvents = 1024;
/** Nodes that one of the level above joins. */
export const fanOut = 4;

/** What functions did in a node, in the order of their slots. Ticks are exact, below 2^53. */
export interface Sums {
  readonly slot: Uint32Array;
  readonly visits: Float64Array;
  readonly exclusive: Float64Array;
  /** Ticks in which the function was on the call stack. */
  readonly inclusive: Float64Array;
}

/** Where reading goes on at the beginning of a block. */
export interface BlockPosition {
  /** Of the next record in the file of the events. */
  readonly offset: number;
  /** Ticks: the time that counts until the next one is read. */
  readonly now: number;
}

/** A stretch of one location's time that is being put together: a block of events, or several nodes of the level below. */
export class OpenNode {
  begin = 0;
  end = 0;
  children = 0;
  readonly bins = new BinList();
  /** The call stack at the beginning, and when its calls ended; those of the first `alive` depths did not. */
  readonly stack = new Frames();
  ended = new Float64Array(32);
  alive = 0;
  /**
   * What was at each depth between the end of the call of the beginning and the begin of that at the end: the function with the most time, and its ticks.
   * Slot 0: nothing.
   */
  middleSlot: number[] = [];
  middleTicks: number[] = [];

  start(begin: number, stack: Frames): void {
    this.begin = begin;
    this.end = begin;
    this.children = 0;
    this.bins.clear();
    this.stack.copyFrom(stack);
    if (this.ended.length < stack.depth) this.ended = new Float64Array(stack.slot.length);
    this.alive = stack.depth;
    this.middleSlot = [];
    this.middleTicks = [];
  }
}

/** Receives the nodes of a location, those of each level in their order. */
export interface NodeSink {
  /** @param sums from level 1 on */
  node(
    level: number,
    node: OpenNode,
    bins: BinList,
    sums: Sums | undefined,
    position: BlockPosition | undefined,
  ): void;
}
