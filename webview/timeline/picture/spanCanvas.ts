import { canvasPng } from '../../ui/base/canvas';
import { element, setAttribute } from '../../ui/base/dom';
import { onThemeChange } from '../../ui/base/theme';
import type { MenuPlace } from '../../ui/controls/menu';
import { timeAction, type TimeAction } from '../time/keys';
import { secondsAt, type Span } from '../time/span';
import { listenToPointer } from './pointer';
import { Layers, type PaintedSpan, type RowPart } from './layers';
import {
  paintAxis,
  paintGrid,
  paintOutline,
  paintRange,
  paintRowNames,
  paintSpans,
  rowsInSight,
  rowTop,
  type Frame,
  type SpanStyle,
} from './painter';
import { Tip, type TipText } from './tip';

const axisHeight = 24;
/** Browsers end at 33 million pixels. */
const mostPixels = 30_000_000;

/** A point of a picture. */
export interface Place {
  readonly row: number;
  readonly seconds: number;
  /** What is painted there. */
  readonly span?: PaintedSpan;
}

export interface SpanCanvasOptions {
  readonly label: string;
  readonly class: string;
  /** Id of the element that says in words what the picture shows. */
  readonly describedBy?: string;
  readonly hasAxis: boolean;
  readonly rowName: (row: number) => string;
  readonly style: () => SpanStyle;
  /** Pixels left of the spans; the same for pictures of one time. */
  readonly gutter: () => number;
  readonly onAction: (action: TimeAction) => void;
  /** @param around the moment under the pointer */
  readonly onZoom: (factor: number, around: number) => void;
  readonly onPan: (share: number) => void;
  /** The part between two moments was drawn on the axis. */
  readonly onZoomTo: (span: Span) => void;
  /** @param isDone false while the pointer is still down */
  readonly onRange: (span: Span, rows: readonly [from: number, to: number], isDone: boolean) => void;
  readonly onClick: (place: Place) => void;
  readonly onDoubleClick: (place: Place) => void;
  readonly onMenu: (place: Place, at: MenuPlace) => void;
  readonly onScroll: () => void;
  readonly onResize: () => void;
  readonly onHeight: (by: 1 | -1) => void;
  readonly describe: (place: Place) => TipText;
  /** What lies over the spans there, and takes the pointer from them. */
  readonly over?: (frame: Frame, x: number, y: number) => TipText | undefined;
  readonly paintOver?: (context: CanvasRenderingContext2D, frame: Frame) => void;
}

/**
 * Rows × time: spans with names, names of the rows on the left, moments above. The canvas is as large as its visible part; what is not asked for again is
 * stretched from earlier answers.
 */
export class SpanCanvas {
  readonly element: HTMLElement;
  readonly layers = new Layers();
  private readonly canvas: HTMLCanvasElement;
  private readonly space: HTMLElement;
  private readonly tip = new Tip();
  private rows = 0;
  private height = 18;
  private span: Span = { from: 0, to: 1 };
  private selectedRow: number | undefined;
  private range: (RowPart & Span) | undefined;
  private cursor: { readonly row: number; readonly span: PaintedSpan } | undefined;
  private due = false;

  constructor(private readonly options: SpanCanvasOptions) {
    this.canvas = element('canvas', { class: 'time-canvas', role: 'application', label: options.label });
    this.canvas.tabIndex = 0;
    setAttribute(this.canvas, 'aria-describedby', options.describedBy);
    this.space = element('div', { class: 'time-space' }, this.canvas);
    this.element = element('div', { class: `time-rows ${options.class}` }, this.space, this.tip.element);
    this.listen();
  }

  /** Other rows: nothing of the former ones is left. */
  setRows(rows: number): void {
    this.rows = rows;
    this.layers.clear();
    this.range = undefined;
    this.cursor = undefined;
    this.selectedRow = undefined;
    this.draw();
  }

  setSpan(span: Span): void {
    this.span = span;
    this.tip.hide();
    this.draw();
  }

  setRowHeight(pixels: number): void {
    const { first } = this.inSight;
    this.height = Math.min(pixels, Math.max(1, mostPixels / Math.max(1, this.rows)));
    this.fitSpace();
    this.scrollTo(first);
    this.draw();
  }

  select(row: number | undefined): void {
    this.selectedRow = row;
    this.draw();
  }

  setRange(range: (RowPart & Span) | undefined): void {
    this.range = range;
    this.draw();
  }

  setCursor(cursor: { readonly row: number; readonly span: PaintedSpan } | undefined): void {
    this.cursor = cursor;
    this.draw();
  }

  get rowHeight(): number {
    return this.height;
  }

  /** Pixels of the part with spans. */
  get width(): number {
    return Math.max(1, this.element.clientWidth - this.options.gutter());
  }

  get rowSpace(): number {
    return Math.max(0, this.element.clientHeight - this.axis);
  }

  get inSight(): RowPart {
    return rowsInSight(this.frame());
  }

  scrollTo(row: number): void {
    this.element.scrollTop = row * this.height;
  }

  reveal(row: number): void {
    const { scrollTop } = this.element;
    const top = row * this.height;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + this.rowSpace)
      this.element.scrollTop = top + this.height - this.rowSpace;
    this.draw();
  }

  focus(): void {
    this.canvas.focus({ preventScroll: true });
  }

  png(): Promise<Uint8Array | undefined> {
    this.paint();
    return canvasPng(this.canvas);
  }

  /** Where a menu of this place opens, in pixels of the page. */
  menuPlace(row: number, seconds: number): MenuPlace {
    const frame = this.frame();
    const { left, top } = this.canvas.getBoundingClientRect();
    const share = (seconds - this.span.from) / (this.span.to - this.span.from);
    const x = frame.left + Math.min(1, Math.max(0, share)) * frame.width;
    return { x: left + x, y: top + rowTop(frame, row) + this.height };
  }

  /** Draws at most once per frame. */
  draw(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.paint();
    });
  }

  private get axis(): number {
    return this.options.hasAxis ? axisHeight : 0;
  }

  private frame(): Frame {
    const left = this.options.gutter();
    return {
      left,
      top: this.axis,
      width: this.width,
      height: this.rowSpace,
      rowHeight: this.height,
      scroll: this.element.scrollTop,
      span: this.span,
      rows: this.rows,
    };
  }

  private placeAt(x: number, y: number): Place {
    const frame = this.frame();
    const wanted = Math.floor((y - frame.top + frame.scroll) / frame.rowHeight);
    const row = Math.min(Math.max(0, this.rows - 1), Math.max(0, wanted));
    const pixel = Math.min(frame.width, Math.max(0, x - frame.left));
    const seconds = secondsAt(frame.span, frame.width, pixel);
    const isInside = wanted === row && y >= frame.top && x >= frame.left;
    const span = isInside ? this.layers.at(row, seconds) : undefined;
    return { row, seconds, ...(span !== undefined && { span }) };
  }

  private listen(): void {
    const { options, canvas } = this;
    const redraw = (): void => this.draw();
    this.element.addEventListener(
      'scroll',
      () => {
        this.tip.hide();
        this.draw();
        options.onScroll();
      },
      { passive: true },
    );
    new ResizeObserver(() => {
      options.onResize();
      this.draw();
    }).observe(this.element);
    onThemeChange(redraw);
    canvas.addEventListener('focus', redraw);
    canvas.addEventListener('blur', () => this.tip.hide());
    canvas.addEventListener('keydown', (event) => {
      const action = timeAction(event);
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      options.onAction(action);
    });
    listenToPointer(canvas, {
      zone: (x, y) => (y < this.axis ? 'axis' : x < options.gutter() ? 'names' : 'spans'),
      place: (x, y) => this.placeAt(x, y),
      width: () => this.width,
      scrollBy: (pixels) => (this.element.scrollTop += pixels),
      hover: (x, y) => this.hover(x, y),
      leave: () => this.tip.hide(),
      events: options,
    });
  }

  private hover(x: number, y: number): void {
    const place = this.placeAt(x, y);
    const over = this.options.over?.(this.frame(), x, y);
    const text = over ?? (place.span === undefined ? undefined : this.options.describe(place));
    this.tip.show(text, x, y, this.element);
    this.draw();
  }

  private fitSpace(): void {
    this.space.style.height = `${this.axis + this.rows * this.height}px`;
  }

  private paint(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const context = this.canvas.getContext('2d');
    if (context === null || width === 0 || height === 0) return;
    this.fitSpace();
    const scale = window.devicePixelRatio;
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    // A new size clears the canvas, and costs.
    if (this.canvas.width !== wide) this.canvas.width = wide;
    if (this.canvas.height !== high) this.canvas.height = high;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const frame = this.frame();
    const style = this.options.style();
    const { colors } = style;
    context.clearRect(0, 0, width, height);
    context.font = `12px ${getComputedStyle(this.element).fontFamily}`;
    paintGrid(context, frame, colors);
    const pixel = (frame.span.to - frame.span.from) / (frame.width * scale);
    paintSpans(context, frame, this.layers.toPaint(rowsInSight(frame), frame.span, pixel), style);
    this.options.paintOver?.(context, frame);
    if (this.range !== undefined) paintRange(context, frame, this.range, colors);
    if (this.cursor !== undefined)
      paintOutline(context, frame, this.cursor.row, this.cursor.span, colors.focus);
    paintRowNames(context, frame, this.options.rowName, this.selectedRow, colors);
    if (this.options.hasAxis) paintAxis(context, frame, colors);
  }
}
