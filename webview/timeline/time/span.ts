import type { TimelineHeader } from '../../../src/core/timeline/pieces';
import type { TimelineRange } from '../../../src/protocol/timeline';

/** A part of the trace, in seconds since its first event: what is in sight, or selected. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Clocks of traces tick in nanoseconds: a narrower part shows nothing more. */
const leastSeconds = 1e-8;

/** The whole trace of this length; one of a single event has a part to show, too. */
export function wholeSpan(seconds: number): Span {
  return { from: 0, to: Math.max(seconds, leastSeconds) };
}

/** The nearest part of the trace that is as long, or as long as possible. */
export function within({ from, to }: Span, seconds: number): Span {
  const all = wholeSpan(seconds).to;
  const length = Math.min(all, Math.max(leastSeconds, to - from));
  const first = Math.min(Math.max(0, from), all - length);
  return { from: first, to: first + length };
}

/**
 * A part that is `factor` times as long, in which `around` keeps its place.
 * @param factor below 1: zooms in
 */
export function zoomed(span: Span, factor: number, around: number, seconds: number): Span {
  const old = span.to - span.from;
  const length = Math.min(wholeSpan(seconds).to, Math.max(leastSeconds, old * factor));
  const from = around - ((around - span.from) / old) * length;
  return within({ from, to: from + length }, seconds);
}

/** A part that lies later by this share of its length. */
export function panned({ from, to }: Span, share: number, seconds: number): Span {
  const by = share * (to - from);
  return within({ from: from + by, to: to + by }, seconds);
}

/** A part in which a call can be seen: the same one, or as long around the call, or longer where the call is. */
export function showing(span: Span, begin: number, end: number, seconds: number): Span {
  const length = span.to - span.from;
  const inside = begin >= span.from && end <= span.to;
  if (inside && end - begin >= length / 200) return span;
  // A call of less than some pixels would be there, but not be seen.
  const wanted = Math.min(Math.max(length, (end - begin) * 1.25), Math.max((end - begin) * 50, leastSeconds));
  const middle = (begin + end) / 2;
  return within({ from: middle - wanted / 2, to: middle + wanted / 2 }, seconds);
}

export function isSame(a: Span, b: Span): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Pixels from the left edge of a picture of this width. */
export function pixelOf({ from, to }: Span, width: number, seconds: number): number {
  return ((seconds - from) / (to - from)) * width;
}

export function secondsAt({ from, to }: Span, width: number, pixel: number): number {
  return from + (pixel / width) * (to - from);
}

/** Whether a range that was kept is one of this trace. */
export function isInside(
  { firstRow, rowCount, to }: TimelineRange,
  { rows, seconds }: TimelineHeader,
): boolean {
  return rowCount > 0 && firstRow + rowCount <= rows.length && to <= wholeSpan(seconds).to;
}
