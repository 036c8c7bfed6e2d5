import { atFloat, atUint } from '../../../src/core/at';
import { noFunction } from '../../../src/core/timeline/pieces';
import { axisOf } from '../time/axis';
import { pixelOf, type Span } from '../time/span';
import type { PictureColors } from './colors';
import { firstAfter, rowOf, type Layer, type PaintedSpan, type RowPart } from './layers';

/** Where the spans of a picture are, in CSS pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly rowHeight: number;
  /** Pixels of rows above the visible part. */
  readonly scroll: number;
  readonly span: Span;
  readonly rows: number;
}

/** Shorter rows have no name in their spans. */
const nameHeight = 13;
/** Narrower spans have no name. */
const namePixels = 30;
/** Taller rows have a line between them. */
const gapHeight = 5;
/** Width that a label of the axis needs. */
const tickPixels = 90;

/** The rows of which a part is visible. */
export function rowsInSight({ height, rowHeight, scroll, rows }: Frame): RowPart {
  const first = Math.min(Math.max(0, rows - 1), Math.max(0, Math.floor(scroll / rowHeight)));
  const end = Math.min(rows, Math.ceil((scroll + height) / rowHeight));
  return { first, count: Math.max(0, end - first) };
}

/** Pixels from the top of the picture. */
export function rowTop({ top, rowHeight, scroll }: Frame, row: number): number {
  return top + row * rowHeight - scroll;
}

export interface SpanStyle {
  readonly colors: PictureColors;
  readonly name: (position: number) => string;
  /** Where the whole name has no room. */
  readonly shortName: (position: number) => string;
  /** 1: to be seen among the others; undefined: all are. */
  readonly highlight: Uint8Array | undefined;
}

/** Paints what is known, from coarse to fine. */
export function paintSpans(
  context: CanvasRenderingContext2D,
  frame: Frame,
  layers: readonly Layer[],
  style: SpanStyle,
): void {
  const { left, top, width, height, span } = frame;
  const rows = rowsInSight(frame);
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  const characterWidth = context.measureText('abcdefghijklmnop::_').width / 19;
  for (const [position, layer] of layers.entries()) {
    const from = Math.max(0, pixelOf(span, width, layer.window.from));
    const to = Math.min(width, pixelOf(span, width, layer.window.to));
    const end = Math.min(rows.first + rows.count, layer.window.firstRow + layer.window.rowCount);
    for (let row = Math.max(rows.first, layer.window.firstRow); row < end; row++) {
      if (position > 0) {
        context.fillStyle = style.colors.background;
        context.fillRect(left + from, rowTop(frame, row), to - from, frame.rowHeight);
      }
      paintRow(context, frame, layer, row, style, characterWidth);
    }
  }
  context.restore();
}

function paintRow(
  context: CanvasRenderingContext2D,
  frame: Frame,
  layer: Layer,
  row: number,
  style: SpanStyle,
  characterWidth: number,
): void {
  const { spans } = layer;
  const { left, width, span, rowHeight } = frame;
  const [first, end] = rowOf(layer, row);
  const y = rowTop(frame, row);
  const height = rowHeight >= gapHeight ? rowHeight - 1 : rowHeight;
  for (let index = firstAfter(spans, first, end, span.from); index < end; index++) {
    const begin = atFloat(spans.begin, index);
    if (begin > span.to) break;
    const position = atUint(spans.functions, index);
    if (position === noFunction) continue;
    const x = Math.max(-2, pixelOf(span, width, begin));
    const right = Math.min(width + 2, pixelOf(span, width, atFloat(spans.end, index)));
    const wide = Math.max(0.75, right - x);
    const isDimmed = style.highlight !== undefined && style.highlight[position] !== 1;
    context.globalAlpha = (0.5 + 0.5 * (spans.share[index] ?? 1)) * (isDimmed ? 0.25 : 1);
    context.fillStyle = style.colors.fills[position] ?? style.colors.muted;
    context.fillRect(left + x, y, wide, height);
    context.globalAlpha = isDimmed ? 0.4 : 1;
    edge(context, left + x, y, wide, height, style.colors);
    const visible = Math.max(0, x);
    const room = Math.min(width, right) - visible;
    if (room >= namePixels && height >= nameHeight && !isDimmed)
      paintName(context, style, position, left + visible, y, room, height, characterWidth);
  }
  context.globalAlpha = 1;
}

/** A line between calls; around them in high contrast. */
function edge(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  { border, background }: PictureColors,
): void {
  if (border !== undefined) {
    if (width < 3 || height < 4) return;
    context.strokeStyle = border;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  } else if (width >= 4) {
    context.fillStyle = background;
    context.fillRect(x + width - 1, y, 1, height);
  }
}

function paintName(
  context: CanvasRenderingContext2D,
  { name, shortName, colors }: SpanStyle,
  position: number,
  x: number,
  y: number,
  room: number,
  height: number,
  characterWidth: number,
): void {
  const most = Math.floor((room - 8) / characterWidth);
  if (most < 3) return;
  const whole = name(position);
  const text = whole.length > most ? shortName(position) : whole;
  context.fillStyle = colors.text;
  context.textBaseline = 'middle';
  context.fillText(
    text.length > most ? `${text.slice(0, most - 1)}…` : text,
    x + 4,
    y + height / 2 + 0.5,
    room - 6,
  );
}

/** The outline of one call. */
export function paintOutline(
  context: CanvasRenderingContext2D,
  frame: Frame,
  row: number,
  { begin, end }: Pick<PaintedSpan, 'begin' | 'end'>,
  color: string,
): void {
  const { left, top, width, height, span, rowHeight } = frame;
  const from = Math.max(-4, pixelOf(span, width, begin));
  const to = Math.min(width + 4, Math.max(from + 2, pixelOf(span, width, end)));
  if (to < 0 || from > width) return;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.strokeRect(
    left + from + 1,
    rowTop(frame, row) + 1,
    Math.max(1, to - from - 2),
    Math.max(1, rowHeight - 3),
  );
  context.restore();
}

/** The selected part, rows and seconds: what is outside of it fades. */
export function paintRange(
  context: CanvasRenderingContext2D,
  frame: Frame,
  range: RowPart & Span,
  { background, focus }: PictureColors,
): void {
  const { left, top, width, height, span } = frame;
  const inside = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));
  const x = inside(left + pixelOf(span, width, range.from), left - 2, left + width + 2);
  const right = inside(left + pixelOf(span, width, range.to), left - 2, left + width + 2);
  const y = inside(rowTop(frame, range.first), top - 2, top + height + 2);
  const bottom = inside(rowTop(frame, range.first + range.count), top - 2, top + height + 2);
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.globalAlpha = 0.55;
  context.fillStyle = background;
  context.fillRect(left, top, width, y - top);
  context.fillRect(left, bottom, width, top + height - bottom);
  context.fillRect(left, y, x - left, bottom - y);
  context.fillRect(right, y, left + width - right, bottom - y);
  context.globalAlpha = 1;
  context.strokeStyle = focus;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, right - x - 1, bottom - y - 1);
  context.restore();
}

/** Names left of the rows: as many as there is room for. */
export function paintRowNames(
  context: CanvasRenderingContext2D,
  frame: Frame,
  name: (row: number) => string,
  selected: number | undefined,
  colors: PictureColors,
): void {
  const { left, top, width, height, rowHeight } = frame;
  const rows = rowsInSight(frame);
  const each = Math.max(1, Math.ceil(13 / rowHeight));
  context.save();
  context.beginPath();
  context.rect(0, top, left + width, height);
  context.clip();
  context.textBaseline = 'middle';
  const paint = (row: number): void => {
    const y = rowTop(frame, row);
    context.fillStyle = row === selected ? colors.foreground : colors.muted;
    context.fillText(fitting(context, name(row), left - 14), 8, y + rowHeight / 2, left - 12);
  };
  for (let row = Math.ceil(rows.first / each) * each; row < rows.first + rows.count; row += each)
    // A name of the selected row has no neighbour that it could not be told from.
    if (row === selected || selected === undefined || each === 1 || Math.abs(row - selected) >= each)
      paint(row);
  if (selected !== undefined && selected >= rows.first && selected < rows.first + rows.count) {
    paint(selected);
    context.fillStyle = colors.focus;
    context.fillRect(0, rowTop(frame, selected), 3, Math.max(2, rowHeight - 1));
  }
  context.restore();
}

/** Moments above the rows, and a line at each through them. */
export function paintAxis(context: CanvasRenderingContext2D, frame: Frame, colors: PictureColors): void {
  const { left, top, width, span } = frame;
  const axis = axisOf(span, width / tickPixels);
  context.textBaseline = 'middle';
  context.fillStyle = colors.muted;
  if (axis.base !== undefined) context.fillText(fitting(context, axis.base, left - 10), 8, top / 2);
  let free = left;
  for (const { at, label } of axis.ticks) {
    const x = Math.round(left + pixelOf(span, width, at)) + 0.5;
    const room = context.measureText(label).width;
    context.fillStyle = colors.muted;
    context.fillRect(x - 0.5, top - 5, 1, 5);
    const from = Math.min(Math.max(left, x - room / 2), left + width - room - 2);
    if (from < free) continue;
    context.fillText(label, from, top / 2);
    free = from + room + 8;
  }
  context.fillStyle = colors.grid;
  context.fillRect(left, top - 1, width, 1);
}

/** Lines through the rows at the moments of the axis; below the spans. */
export function paintGrid(context: CanvasRenderingContext2D, frame: Frame, colors: PictureColors): void {
  const { left, top, width, height, span } = frame;
  context.fillStyle = colors.grid;
  for (const { at } of axisOf(span, width / tickPixels).ticks)
    context.fillRect(Math.round(left + pixelOf(span, width, at)), top, 1, height);
}

/** The beginning of a text that is too long. */
function fitting(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let length = Math.max(1, Math.floor((text.length * room) / context.measureText(text).width));
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) length--;
  return `${text.slice(0, length)}…`;
}
