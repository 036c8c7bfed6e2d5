import { atFloat, atUint } from '../../../src/core/at';
import { noFunction, type TimelineSpans, type TimelineWindow } from '../../../src/core/timeline/pieces';
import type { Span } from '../time/span';

/** An answer, and what it answers. */
export interface Layer {
  readonly window: TimelineWindow;
  readonly spans: TimelineSpans;
}

/** What is painted at one place. */
export interface PaintedSpan {
  readonly function: number;
  readonly begin: number;
  readonly end: number;
  /** Of the span, in which the function ran itself. */
  readonly share: number;
}

/** A part of the rows: [first, first + count). */
export interface RowPart {
  readonly first: number;
  readonly count: number;
}

/** Memory is bounded by this number of answers. */
const mostLayers = 6;

/**
 * The last answers. While a picture at another zoom is on its way, older ones are painted in its place, the finest that there is of each part: a zoom
 * or a scroll never shows an empty space where something was recorded.
 */
export class Layers {
  /** The newest is the last one. */
  private all: readonly Layer[] = [];

  add(layer: Layer): void {
    // The picture of the whole trace is the one that others are painted over: it stays as long as it can be used.
    const others = this.all.filter(({ window }) => !contains(layer.window, window));
    this.all = [...others.slice(-(mostLayers - 1)), layer];
  }

  clear(): void {
    this.all = [];
  }

  /**
   * What to paint one after the other: the answer for exactly this, or what there is until it comes, from coarse to fine.
   * @param seconds of a pixel
   */
  toPaint(rows: RowPart, span: Span, seconds: number): readonly Layer[] {
    const near = this.all
      .filter(({ window }) => touches(window, rows, span))
      .sort((a, b) => secondsPerPixel(b.window) - secondsPerPixel(a.window));
    const whole = near.filter(({ window }) => holds(window, rows, span));
    const enough = whole.find(({ window }) => isFine(window, seconds));
    if (enough !== undefined) return [enough];
    const last = whole.at(-1);
    return last === undefined ? near : near.slice(near.indexOf(last));
  }

  /** Whether there is an answer for all of this, at least as fine as `seconds` per pixel. */
  has(rows: RowPart, span: Span, seconds: number): boolean {
    return this.all.some(({ window }) => holds(window, rows, span) && isFine(window, seconds));
  }

  /** The finest span that is known there. */
  at(row: number, seconds: number): PaintedSpan | undefined {
    const layer = this.toPaint({ first: row, count: 1 }, { from: seconds, to: seconds }, 0).at(-1);
    return layer === undefined ? undefined : spanAt(layer, row, seconds);
  }

  /** The span that follows or precedes a moment in a row, as far as it is known for this part. @param pixel seconds of a pixel */
  next(row: number, seconds: number, by: 1 | -1, span: Span, pixel: number): PaintedSpan | undefined {
    const [layer] = this.toPaint({ first: row, count: 1 }, span, pixel);
    if (layer === undefined) return undefined;
    const [first, end] = rowOf(layer, row);
    const { begin, functions } = layer.spans;
    if (by === 1) {
      for (let index = first; index < end; index++)
        if (atFloat(begin, index) > seconds && atUint(functions, index) !== noFunction)
          return painted(layer.spans, index);
    } else
      for (let index = end - 1; index >= first; index--)
        if (atFloat(begin, index) < seconds && atUint(functions, index) !== noFunction)
          return painted(layer.spans, index);
    return undefined;
  }
}

/** Positions [first, end) of the spans of a row of the trace. */
export function rowOf({ window, spans }: Layer, row: number): readonly [first: number, end: number] {
  const position = row - window.firstRow;
  if (position < 0 || position >= window.rowCount) return [0, 0];
  return [spans.first[position] ?? 0, spans.first[position + 1] ?? 0];
}

/** The first of the spans [first, end) that ends after a moment. */
export function firstAfter(
  { end: ends }: TimelineSpans,
  first: number,
  end: number,
  seconds: number,
): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (atFloat(ends, middle) > seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}

function spanAt(layer: Layer, row: number, seconds: number): PaintedSpan | undefined {
  const [first, end] = rowOf(layer, row);
  const index = firstAfter(layer.spans, first, end, seconds);
  if (index >= end || atFloat(layer.spans.begin, index) > seconds) return undefined;
  return atUint(layer.spans.functions, index) === noFunction ? undefined : painted(layer.spans, index);
}

function painted({ begin, end, functions, share }: TimelineSpans, index: number): PaintedSpan {
  return {
    function: atUint(functions, index),
    begin: atFloat(begin, index),
    end: atFloat(end, index),
    share: share[index] ?? 1,
  };
}

function secondsPerPixel({ from, to, pixels }: TimelineWindow): number {
  return (to - from) / pixels;
}

/** Whether each pixel of the screen has one of its own, but for roundings. */
function isFine(window: TimelineWindow, seconds: number): boolean {
  return secondsPerPixel(window) <= seconds * 1.001;
}

function touches({ firstRow, rowCount, from, to }: TimelineWindow, rows: RowPart, span: Span): boolean {
  return (
    from <= span.to &&
    to >= span.from &&
    firstRow < rows.first + rows.count &&
    firstRow + rowCount > rows.first
  );
}

function holds({ firstRow, rowCount, from, to }: TimelineWindow, rows: RowPart, span: Span): boolean {
  return (
    from <= span.from &&
    to >= span.to &&
    firstRow <= rows.first &&
    firstRow + rowCount >= rows.first + rows.count
  );
}

/** Whether one answer makes another one useless. */
function contains(one: TimelineWindow, other: TimelineWindow): boolean {
  const rows = { first: other.firstRow, count: other.rowCount };
  return holds(one, rows, other) && isFine(one, secondsPerPixel(other));
}
