import type { RegionPlace } from '../profile/place';

/** A trace, as its timeline names it. Times are seconds since the first event. */
export interface TimelineHeader {
  /** Of this opened document. */
  readonly id: string;
  readonly seconds: number;
  readonly events: number;
  /** Rank, thread or stream: one row each, those of a process after each other. */
  readonly rows: readonly TimelineRow[];
  /** Spans and profiles name functions by their position here. */
  readonly functions: readonly TimelineFunction[];
  /** The deepest call stack. */
  readonly depth: number;
  /** Number of messages from point to point whose both ends are in the trace. */
  readonly messages: number;
  /** Sentences: what of the trace is missing, damaged or still being written. */
  readonly notes: readonly string[];
}

export interface TimelineRow {
  /** `rank 3`, `rank 3, thread 1`, `CUDA stream 7 of rank 3` */
  readonly name: string;
  /** −1 where it is no thread of a process. */
  readonly rank: number;
  readonly thread: number;
  readonly events: number;
}

export interface TimelineFunction {
  readonly name: string;
  readonly place: RegionPlace;
  /** `MPI`, `OpenMP`, `user`, …: functions of a paradigm have a colour in common. */
  readonly paradigm: string;
}

/** A part of the picture: rows [firstRow, firstRow + rowCount) and a range of seconds, as wide as this number of pixels. */
export interface TimelineWindow {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly from: number;
  readonly to: number;
  readonly pixels: number;
}

/**
 * What is painted, from left to right, row after row: in each pixel the function with the most exclusive time there; neighbours with the same function are one
 * span. Seconds are not rounded to pixels where a span is longer than one.
 */
export interface TimelineSpans {
  /** The spans of row r of the window are [first[r], first[r + 1]). */
  readonly first: Uint32Array;
  readonly begin: Float64Array;
  readonly end: Float64Array;
  /** Position of the function; `noFunction`: nothing recorded. */
  readonly functions: Uint32Array;
  /** Share (0…1) of the span in which this function ran itself: 1 where nothing else is hidden behind it. */
  readonly share: Float32Array;
}

export const noFunction = 0xffff_ffff;

/** The call stack of one row: as `TimelineSpans`, with a row for each depth from the root on. A span is a call, or the function in which most of the pixel was at that depth. */
export type TimelineStack = TimelineSpans;

/** Messages with an end in the window: all, or those of the longest time from send to receive. */
export interface TimelineMessages {
  /** Rows of the trace, not of the window. */
  readonly sender: Uint32Array;
  readonly receiver: Uint32Array;
  readonly sent: Float64Array;
  readonly received: Float64Array;
  readonly bytes: Float64Array;
  readonly tag: Int32Array;
  /** Of how many these are. */
  readonly total: number;
}

/** The profile of a range of rows and seconds. */
export interface TimelineProfile {
  readonly rows: readonly TimelineProfileRow[];
  /** Seconds of all rows together: what the shares are of. */
  readonly seconds: number;
  readonly messages: { readonly count: number; readonly bytes: number };
}

export interface TimelineProfileRow {
  readonly function: number;
  /** Of the calls that began in the range. */
  readonly visits: number;
  /** Within the range, of all rows together. */
  readonly exclusiveSeconds: number;
  readonly inclusiveSeconds: number;
}

/** Where a function is called next. */
export interface TimelineCall {
  readonly row: number;
  readonly begin: number;
  readonly end: number;
}
