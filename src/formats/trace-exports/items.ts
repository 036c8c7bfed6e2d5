import type { Region } from '../../core/profile/profile';
import type { Call } from '../../core/trace/build/replay';

/** What the exports are made from. Times are ticks since the beginning of the trace. */
export interface ExportedTrace {
  readonly name: string;
  readonly ticksPerSecond: number;
  /** May grow until the last batch was read. */
  readonly functions: readonly Region[];
  readonly locations: readonly ExportedLocation[];
}

export interface ExportedLocation {
  readonly name: string;
  /** Of its process: processes are shown as such. */
  readonly process: string;
  /** −1 where its process has none. */
  readonly rank: number;
  readonly thread: number;
  readonly isThread: boolean;
}

/** What happened on a location, in the order of its events. */
export type TraceItem =
  | { readonly kind: 'open'; readonly function: number; readonly at: number }
  | { readonly kind: 'close'; readonly call: Call };

/** Items of one location; locations come one after the other, each with at least one batch. */
export interface TraceBatch {
  /** Position of the location. */
  readonly location: number;
  readonly items: readonly TraceItem[];
}

/** Whole nanoseconds: what ends before something else still does after rounding. */
export function nanoseconds(ticks: number, { ticksPerSecond }: ExportedTrace): number {
  return Math.round((ticks / ticksPerSecond) * 1e9);
}
