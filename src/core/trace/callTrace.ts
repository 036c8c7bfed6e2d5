import type { RegionPlace } from '../profile/place';

/** What an entry of a trace is. Equal entries of all traces that are compared have the same number (`EntryKeys`). */
export type EntryKey = ContextKey | MessageKey;

/** A function on the call stack. */
export interface ContextKey {
  readonly kind: 'context';
  readonly name: string;
  readonly place: RegionPlace;
  /** Undefined: unknown. */
  readonly lastLine?: number;
}

/** A message or a collective operation within the context that calls it. Its size is no part of it. */
export interface MessageKey {
  readonly kind: 'send' | 'receive' | 'collective';
  /** `MPI_SEND`, `MPI_ALLREDUCE`; `receive` where the call that received is the context. */
  readonly call: string;
  /** Rank of the other side, or its distance; of a collective the root. Undefined: all, or unknown. */
  readonly partner?: number;
  /** `partner` is a distance from the own rank (−n/2 < distance ≤ n/2), not a rank. */
  readonly isRelative?: true;
  readonly communicator?: string;
}

/** Numbers of keys; traces that are compared share one table. */
export interface EntryKeys {
  readonly keys: readonly EntryKey[];
  /** Names of the types of messages' elements, and the tags of messages between two processes: what the sets `CallTrace.marks` are of. */
  readonly types?: readonly string[];
  readonly tags?: readonly number[];
}

/**
 * The calls of one process, or of one iteration or range of it: rows of a forest, each before its children, siblings in the order of their first occurrence. Repeated
 * sequences of siblings are folded: rows of the same structure (`structures.ts`) are one row with a count.
 */
export interface CallTrace {
  /** `run-a, rank 1` */
  readonly name: string;
  readonly rank: number;
  /** Number of processes of the run. */
  readonly ranks: number;
  readonly table: EntryKeys;
  /** Calls of the same call path are one row: their order is lost. */
  readonly isMerged?: true;
  /** Number of rows. */
  readonly size: number;
  readonly key: Uint32Array;
  /** From 1. */
  readonly depth: Uint32Array;
  /** Row after the subtree. */
  readonly end: Uint32Array;
  /** How often this was called, in all. */
  readonly count: Float64Array;
  /** Exclusive, of all calls together. */
  readonly seconds: Float64Array;
  /** Squares of the exclusive seconds of each call, summed: how much the times of its visits differ. */
  readonly squares?: Float64Array;
  /** Exclusive counts of all calls together, by the name of the counter: `instructions`, `PAPI_L2_TCM`. */
  readonly counters: ReadonlyMap<string, Float64Array>;
  /** Of messages: size of all together (0 of contexts), the least and the most of one. */
  readonly bytes: Float64Array;
  readonly leastBytes: Float64Array;
  readonly mostBytes: Float64Array;
  /** Of messages: the types of their elements and their tags, as a set (`messageMarks.ts`). */
  readonly marks?: Uint32Array;
  /** `bytes` are bytes, or elements of a type where the trace says no more. */
  readonly sizeUnit: 'bytes' | 'elements';
  /**
   * Siblings, rows [first, end), that were folded as a sequence of `repeats` repetitions: in all, as the counts of rows are, and so of an inner sequence over all
   * repetitions of the outer ones. The outer ones first. Rows that follow themselves are none.
   */
  readonly loops: readonly { readonly first: number; readonly end: number; readonly repeats: number }[];
}
