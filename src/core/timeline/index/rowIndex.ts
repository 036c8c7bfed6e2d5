import type { CallColumns, Frames } from './callStack';
import type { Sums } from './node';

/** In each bin the function with the most time. */
export interface Bins {
  readonly count: number;
  /** Ticks. Each bin begins where the one before ends. */
  readonly end: Float64Array;
  readonly slot: Uint32Array;
  /** Of the bin (0…1]; 1: no other function ran. */
  readonly share: Float32Array;
}

/** The call stack at the beginning of a node, and what became of it (`OpenNode`). */
export interface StackSummary {
  readonly stack: Frames;
  readonly alive: number;
  readonly ended: ArrayLike<number>;
  readonly middleSlot: ArrayLike<number>;
  readonly middleTicks: ArrayLike<number>;
}

/**
 * The index of one location: a tree of nodes, whose leaves (level 0) are blocks of events. Nodes of a level follow each other without gaps, `fanOut` of them
 * are one of the level above, and the last level has one.
 */
export interface RowIndex {
  /** 0: there are no events. */
  readonly levels: number;
  count(level: number): number;
  /** Ticks. */
  begin(level: number, node: number): number;
  end(level: number, node: number): number;
  bins(level: number, node: number): Bins;
  stack(level: number, node: number): StackSummary;
  /** From level 1 on. */
  sums(level: number, node: number): Sums;
  /** Decodes a block; the columns are overwritten by the next one. */
  events(block: number): CallColumns;
}
