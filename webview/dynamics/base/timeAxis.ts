import type { Area } from '../../charts/surface';

export type SavePicture = (kind: 'png' | 'svg' | 'csv', name: string, content: Uint8Array) => void;

/** First and last iteration, from 0, both included. */
export type Span = readonly [first: number, last: number];

/** The visible part of the run, the marked interval and the cursor, which all charts of the panel share. */
export class TimeAxis {
  private count = 0;
  private step = 1;
  private shown: Span = [0, 0];
  private cursorAt: number | undefined;
  private marked: Span | undefined;
  private readonly listeners = new Set<() => void>();

  /** Sets the run and shows all of it, or the given part. */
  setRun(iterations: number, span?: Span): void {
    this.count = iterations;
    this.cursorAt = undefined;
    this.marked = undefined;
    this.shown = span === undefined ? this.all() : this.inside(span);
    this.notify();
  }

  /** Sets the number of iterations per value, which is also the step of the cursor. */
  setStep(step: number): void {
    this.step = Math.max(1, step);
  }

  get iterations(): number {
    return this.count;
  }

  get span(): Span {
    return this.shown;
  }

  get isZoomed(): boolean {
    return this.shown[0] > 0 || this.shown[1] < this.count - 1;
  }

  get cursor(): number | undefined {
    return this.cursorAt;
  }

  get brush(): Span | undefined {
    return this.marked;
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  show(span: Span): void {
    this.shown = this.inside(span);
    this.marked = undefined;
    this.notify();
  }

  showAll(): void {
    this.show(this.all());
  }

  /** Zooms around the cursor or the middle; factors above 1 zoom in. */
  zoomBy(factor: number): void {
    const [first, last] = this.shown;
    const center = this.cursorAt ?? (first + last) / 2;
    const share = (center - first + 0.5) / (last - first + 1);
    const width = Math.max(2 * this.step, (last - first + 1) / factor);
    const begin = Math.round(center + 0.5 - share * width);
    this.show([begin, Math.round(begin + width - 1)]);
  }

  setCursor(iteration: number | undefined): void {
    const next =
      iteration === undefined || this.count === 0
        ? undefined
        : Math.min(this.count - 1, Math.max(0, iteration));
    if (next === this.cursorAt) return;
    this.cursorAt = next;
    if (next !== undefined) this.reveal(next);
    this.notify();
  }

  /** Moves the cursor by a number of values, from the start of the visible part if there is none; `marks` extends the marked interval to it. */
  moveCursor(by: number, marks = false): void {
    const from = this.cursorAt;
    const to = from === undefined ? this.shown[by > 0 ? 0 : 1] : from + by * this.step;
    this.setCursor(to);
    if (marks) this.extendBrush(from ?? to);
  }

  setBrush(brush: Span | undefined): void {
    this.marked = brush === undefined ? undefined : this.inside(brush);
    this.notify();
  }

  /** Zooms to the marked interval; returns whether there was one. */
  zoomToBrush(): boolean {
    if (this.marked === undefined) return false;
    this.show(this.marked);
    return true;
  }

  /** Position of the middle of an iteration on the screen. */
  x(iteration: number, area: Area): number {
    const [first, last] = this.shown;
    return area.x + ((iteration - first + 0.5) / (last - first + 1)) * area.width;
  }

  /** The visible iteration at a position on the screen. */
  iterationAt(x: number, area: Area): number {
    const [first, last] = this.shown;
    const share = (x - area.x) / Math.max(1, area.width);
    return Math.min(last, Math.max(first, Math.floor(first + share * (last - first + 1))));
  }

  private extendBrush(from: number): void {
    const to = this.cursorAt ?? from;
    const fixed =
      this.marked === undefined ? from : this.marked[0] === from ? this.marked[1] : this.marked[0];
    this.setBrush([Math.min(fixed, to), Math.max(fixed, to)]);
  }

  private reveal(iteration: number): void {
    const [first, last] = this.shown;
    if (iteration >= first && iteration <= last) return;
    const shift = iteration < first ? iteration - first : iteration - last;
    this.shown = this.inside([first + shift, last + shift]);
  }

  private all(): Span {
    return [0, Math.max(0, this.count - 1)];
  }

  private inside([first, last]: Span): Span {
    const end = Math.max(0, this.count - 1);
    const begin = Math.min(end, Math.max(0, Math.round(first)));
    return [begin, Math.min(end, Math.max(begin, Math.round(last)))];
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Handles the keys of all charts over time; true: handled. */
export function timeKey(event: KeyboardEvent, axis: TimeAxis): boolean {
  const [first, last] = axis.span;
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowLeft':
      axis.moveCursor(event.key === 'ArrowRight' ? 1 : -1, event.shiftKey);
      return true;
    case 'Home':
      axis.setCursor(first);
      return true;
    case 'End':
      axis.setCursor(last);
      return true;
    case '+':
    case '=':
      axis.zoomBy(2);
      return true;
    case '-':
      axis.zoomBy(0.5);
      return true;
    case 'Enter':
      return axis.zoomToBrush();
    case 'Escape':
    case '0':
      if (!axis.isZoomed && axis.brush === undefined) return false;
      axis.showAll();
      return true;
    default:
      return false;
  }
}

/** A pointer that moves further than this number of pixels marks instead of clicking. */
const clickPixels = 4;

/** Handles the pointer: moving it moves the cursor, dragging marks an interval and zooms to it, a double click shows everything. */
export function brushing(
  canvas: HTMLCanvasElement,
  axis: TimeAxis,
  area: () => Area,
  onPoint: (x: number, y: number, isClick: boolean) => void,
): void {
  let from: number | undefined;
  const place = (event: PointerEvent): readonly [x: number, y: number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    from = place(event)[0];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const [x, y] = place(event);
    axis.setCursor(axis.iterationAt(x, area()));
    onPoint(x, y, false);
    if (from === undefined || Math.abs(x - from) < clickPixels) return;
    const ends = [axis.iterationAt(from, area()), axis.iterationAt(x, area())].sort((a, b) => a - b);
    axis.setBrush([ends[0] ?? 0, ends[1] ?? 0]);
  });
  canvas.addEventListener('pointerup', (event) => {
    if (from === undefined) return;
    const [x, y] = place(event);
    const dragged = Math.abs(x - from) >= clickPixels;
    from = undefined;
    if (dragged) axis.zoomToBrush();
    else onPoint(x, y, true);
  });
  canvas.addEventListener('pointercancel', () => {
    from = undefined;
    axis.setBrush(undefined);
  });
  canvas.addEventListener('pointerleave', () => {
    if (from === undefined) axis.setCursor(undefined);
  });
  canvas.addEventListener('dblclick', () => axis.showAll());
}
