import type { TimelineHeader, TimelineMessages } from '../../src/core/timeline/pieces';
import type { TimelineRange } from '../../src/protocol/timeline';
import { foldTemplates } from '../../src/core/names/foldTemplates';
import { unqualifiedName } from '../../src/core/names/unqualifiedName';
import { element } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';
import { onThemeChange } from '../ui/base/theme';
import type { MenuPlace } from '../ui/controls/menu';
import type { TimelineChannel } from './load';
import { pictureColors, type PictureColors } from './picture/colors';
import type { PaintedSpan } from './picture/layers';
import { messageAt, messageNear, paintMessages } from './picture/messageLines';
import { PictureData, type Sight } from './pictureData';
import { nameWidth } from './picture/nameWidth';
import { SpanCanvas, type Place, type SpanCanvasOptions } from './picture/spanCanvas';
import { isMove, type MoveAction, type RowStep, type TimeAction } from './time/keys';
import { isSame, panned, wholeSpan, zoomed, type Span } from './time/span';
import { leastRowHeight, mostRowHeight } from './viewState';
import { messageTip, spanTip, spanWords } from './words';

const depthHeight = 18;
/** Higher than this, all rows are shown without scrolling. */
const usualRowHeight = 12;

/** A call, as the pictures know it. */
export interface Call {
  readonly row: number;
  readonly span: PaintedSpan;
}

export interface PictureEvents {
  /** The user wants to see another part; `what` names the step for undo. */
  readonly onSpan: (span: Span, what: string, merges: boolean) => void;
  readonly onRange: (range: TimelineRange | undefined) => void;
  readonly onRow: (row: number) => void;
  /** The first row in sight, and the height of all. */
  readonly onRows: (top: number, height: number | undefined) => void;
  readonly onActivate: (position: number) => void;
  readonly onMenu: (call: Call | undefined, place: MenuPlace) => void;
  /** `clear`: nothing is marked, highlighted or selected any more. */
  readonly onView: (action: 'clear' | 'undo' | 'redo') => void;
  readonly onMessages: (messages: TimelineMessages | undefined) => void;
  readonly onError: (error: unknown) => void;
}

/** Both pictures of a trace, rows × time and the call stack of a row, over the same time; asks for what is in sight. */
export class Pictures {
  readonly rows: SpanCanvas;
  readonly stack: SpanCanvas;
  readonly stackTitle = element('h2', { class: 'pane-title ellipsis' });
  private header: TimelineHeader | undefined;
  private names: readonly string[] = [];
  private span: Span = { from: 0, to: 1 };
  private row = 0;
  private range: TimelineRange | undefined;
  private cursor: Call | undefined;
  private highlight: Uint8Array | undefined;
  private rowHeight: number | undefined;
  private wantsMessages = false;
  private messages: TimelineMessages | undefined;
  /** The message under the pointer. */
  private nearMessage: number | undefined;
  private gutter = 80;
  private colors: PictureColors | undefined;
  private readonly data: PictureData;

  constructor(
    channel: TimelineChannel,
    private readonly events: PictureEvents,
  ) {
    const shared = this.sharedOptions();
    this.rows = new SpanCanvas({
      ...shared,
      label:
        'Timeline, rows by time. Up and Down choose a row, Left and Right or A and D move in time, Plus and Minus or W and S zoom, Home shows everything. ' +
        'Shift with Left or Right goes from call to call, M selects the time of a call, Z zooms to the selected range, Enter opens the source.',
      class: 'timeline-rows',
      describedBy: 'timeline-words',
      hasAxis: true,
      rowName: (row) => this.rowName(row),
      onClick: (place) => this.click(place),
      onMenu: (place, at) => this.menu(place, at),
      onScroll: () => {
        events.onRows(this.rows.inSight.first, this.rowHeight);
        this.look();
      },
      onRange: (span, [from, to], isDone) => this.drawn(span, [from, to], isDone),
      describe: (place) => this.describe(place, this.rowName(place.row)),
      over: (frame, x, y) => {
        if (this.messages === undefined || x < frame.left || y < frame.top) return undefined;
        const near = messageNear(frame, this.messages, x, y);
        this.nearMessage = near;
        if (near === undefined) return undefined;
        return messageTip(messageAt(this.messages, near), (row) => this.rowName(row), this.resolution);
      },
      paintOver: (context, frame) => {
        if (this.messages !== undefined)
          paintMessages(context, frame, this.messages, this.palette.message, this.nearMessage);
      },
    });
    this.stack = new SpanCanvas({
      ...shared,
      label: 'Call stack of the selected row, depth by time. Keys are those of the timeline.',
      class: 'timeline-stack',
      hasAxis: false,
      rowName: (row) => `depth ${row + 1}`,
      onClick: (place) => this.setCursor(place.span && { row: this.row, span: place.span }, place.row),
      onMenu: (place, at) => events.onMenu(place.span && { row: this.row, span: place.span }, at),
      onScroll: () => undefined,
      onRange: (span, _, isDone) => this.drawn(span, [this.row, this.row], isDone),
      describe: (place) => this.describe(place, this.rowName(this.row)),
    });
    this.stack.setRowHeight(depthHeight);
    this.data = new PictureData(channel, this.rows.layers, this.stack.layers, {
      sight: () => this.sight(),
      onPictures: () => {
        this.rows.draw();
        this.stack.draw();
      },
      onMessages: (messages) => this.setShownMessages(messages),
      onError: events.onError,
    });
    onThemeChange(() => (this.colors = undefined));
  }

  /** Shows another trace, or the same one again. */
  show(
    header: TimelineHeader,
    names: readonly string[],
    at: {
      readonly span: Span;
      readonly row: number;
      readonly top: number;
      readonly rowHeight: number | undefined;
    },
  ): void {
    this.header = header;
    this.names = names;
    this.data.forget();
    this.span = at.span;
    this.row = at.row;
    this.rowHeight = at.rowHeight;
    this.cursor = undefined;
    this.highlight = undefined;
    this.colors = undefined;
    this.setShownMessages(undefined);
    this.gutter = nameWidth(header.rows);
    this.rows.setRows(header.rows.length);
    this.stack.setRows(header.depth);
    this.stack.setRowHeight(depthHeight);
    this.fitRows();
    this.rows.setSpan(at.span);
    this.stack.setSpan(at.span);
    this.rows.scrollTo(at.top);
    this.select(at.row, false);
  }

  setSpan(span: Span): void {
    this.span = span;
    this.rows.setSpan(span);
    this.stack.setSpan(span);
    this.look();
  }

  /** Selects a row: its call stack is shown. */
  select(row: number, reveals = true): void {
    if (row !== this.row) this.stack.layers.clear();
    this.row = row;
    this.rows.select(row);
    if (reveals) this.rows.reveal(row);
    this.stackTitle.textContent = `Call stack of ${this.rowName(row)}`;
    this.look();
  }

  setRange(range: TimelineRange | undefined): void {
    this.range = range;
    this.rows.setRange(range && { ...range, first: range.firstRow, count: range.rowCount });
    this.stack.setRange(range && { ...range, first: 0, count: this.header?.depth ?? 0 });
  }

  /** Marks a call; `depth` is its row in the call stack, if it was chosen there. */
  setCursor(call: Call | undefined, depth?: number): void {
    this.cursor = call;
    this.rows.setCursor(depth === undefined ? call : undefined);
    this.stack.setCursor(
      depth === undefined || call === undefined ? undefined : { row: depth, span: call.span },
    );
    if (call !== undefined)
      announce(spanWords(this.functionName(call.span.function), call.span, this.resolution));
  }

  /** The call that is marked. */
  get marked(): Call | undefined {
    return this.cursor;
  }

  /** Functions to see among the others; undefined: all are alike. */
  setHighlight(highlight: Uint8Array | undefined): void {
    this.highlight = highlight;
    this.rows.draw();
    this.stack.draw();
  }

  setMessages(wanted: boolean): void {
    this.wantsMessages = wanted;
    if (!wanted) this.setShownMessages(undefined);
    this.data.lookForMessages();
  }

  /** What a key, or a button for it, does. */
  act(action: TimeAction): void {
    const { header, span, events } = this;
    if (header === undefined) return;
    if (isMove(action)) {
      this.move(action);
      return;
    }
    switch (action.kind) {
      case 'row':
        this.stepRow(action.to);
        return;
      case 'step':
        this.stepCall(action.by);
        return;
      case 'height':
        this.changeHeight(action.by);
        return;
      case 'menu':
        events.onMenu(this.cursor, this.rows.menuPlace(this.row, this.cursor?.span.begin ?? span.from));
        return;
      case 'clear':
      case 'undo':
      case 'redo':
        events.onView(action.kind);
        return;
      case 'markCall':
      case 'activate':
        this.actOnCall(action.kind);
    }
  }

  private actOnCall(kind: 'markCall' | 'activate'): void {
    if (this.cursor === undefined) announce('No call is marked.');
    else if (kind === 'markCall') this.rangeOf(this.cursor);
    else this.events.onActivate(this.cursor.span.function);
  }

  private move(action: MoveAction): void {
    if (action.kind === 'zoom') this.zoom(action.factor, this.focus);
    else if (action.kind === 'pan') this.pan(action.share);
    else if (action.kind === 'whole')
      this.wish(wholeSpan(this.header?.seconds ?? 0), 'Show everything', false);
    else if (this.range !== undefined) this.wish(this.range, 'Zoom to range', false);
    else if (this.cursor !== undefined) this.zoomTo(this.cursor);
  }

  zoomTo({ span: { begin, end } }: Call): void {
    const margin = (end - begin) * 0.05;
    this.wish({ from: begin - margin, to: end + margin }, 'Zoom to call', false);
  }

  /** Selects the time of a call. */
  rangeOf({ row, span: { begin, end } }: Call): void {
    if (end > begin) this.events.onRange({ firstRow: row, rowCount: 1, from: begin, to: end });
  }

  /** Without result and parameters, where it is unique so. */
  functionName(position: number): string {
    return this.names[position] ?? '';
  }

  /** For narrow spans; the colour says what belongs to MPI. */
  private shortName(position: number): string {
    const name = this.functionName(position);
    return name.startsWith('MPI_') ? name.slice(4) : unqualifiedName(foldTemplates(name));
  }

  get palette(): PictureColors {
    return (this.colors ??= pictureColors(this.header?.functions ?? []));
  }

  /** Seconds that moments are told apart by: calls begin between pixels, too. */
  get resolution(): number {
    return (this.span.to - this.span.from) / this.rows.width / 10;
  }

  private sharedOptions(): Pick<
    SpanCanvasOptions,
    | 'style'
    | 'gutter'
    | 'onAction'
    | 'onZoom'
    | 'onPan'
    | 'onZoomTo'
    | 'onDoubleClick'
    | 'onResize'
    | 'onHeight'
  > {
    return {
      style: () => ({
        colors: this.palette,
        name: (position) => this.functionName(position),
        shortName: (position) => this.shortName(position),
        highlight: this.highlight,
      }),
      gutter: () => Math.min(this.gutter, Math.round(0.28 * this.rows.element.clientWidth)),
      onAction: (action) => this.act(action),
      onZoom: (factor, around) => this.zoom(factor, around),
      onPan: (share) => this.pan(share),
      onZoomTo: (span) => {
        this.setRange(this.range);
        this.wish(span, 'Zoom to range', false);
      },
      onDoubleClick: (place) => {
        const { range } = this;
        if (range !== undefined && place.seconds >= range.from && place.seconds <= range.to)
          this.wish(range, 'Zoom to range', false);
        else if (place.span !== undefined) this.zoomTo({ row: place.row, span: place.span });
      },
      onResize: () => {
        this.fitRows();
        this.look();
      },
      onHeight: (by) => this.changeHeight(by),
    };
  }

  /** Seconds of a pixel of the screen. */
  private get pixel(): number {
    return (this.span.to - this.span.from) / (this.rows.width * window.devicePixelRatio);
  }

  private look(): void {
    this.data.look();
  }

  private sight(): Sight | undefined {
    const { header, span, row, rows } = this;
    if (header === undefined || rows.rowSpace === 0) return undefined;
    const pixels = Math.ceil(rows.width * window.devicePixelRatio);
    return { header, span, row, rows: rows.inSight, pixels, wantsMessages: this.wantsMessages };
  }

  private setShownMessages(messages: TimelineMessages | undefined): void {
    this.messages = messages;
    this.nearMessage = undefined;
    this.events.onMessages(messages);
    this.rows.draw();
  }

  private rowName(row: number): string {
    return this.header?.rows[row]?.name ?? '';
  }

  private describe({ span }: Place, row: string) {
    return span === undefined
      ? { title: row, lines: [] }
      : spanTip(this.header?.functions[span.function]?.name ?? '', row, span, this.resolution);
  }

  private wish(span: Span, what: string, merges: boolean): void {
    if (!isSame(span, this.span)) this.events.onSpan({ from: span.from, to: span.to }, what, merges);
  }

  private zoom(factor: number, around: number): void {
    if (this.header !== undefined)
      this.wish(zoomed(this.span, factor, around, this.header.seconds), 'Zoom', true);
  }

  private pan(share: number): void {
    if (this.header !== undefined) this.wish(panned(this.span, share, this.header.seconds), 'Move', true);
  }

  /** What keys zoom around: the marked call, or the middle. */
  private get focus(): number {
    const { from, to } = this.span;
    const { begin, end } = this.cursor?.span ?? { begin: -1, end: -1 };
    const middle = (begin + end) / 2;
    return middle >= from && middle <= to ? middle : (from + to) / 2;
  }

  private click({ row, span }: Place): void {
    this.setCursor(span && { row, span });
    this.events.onRow(row);
  }

  private menu({ row, span }: Place, at: MenuPlace): void {
    const call = span && { row, span };
    this.setCursor(call);
    this.events.onRow(row);
    this.events.onMenu(call, at);
  }

  /** A range within one row is one of all rows: that is what "between these moments" means. */
  private drawn(span: Span, [from, to]: readonly [number, number], isDone: boolean): void {
    const all = this.header?.rows.length ?? 0;
    if (span.to <= span.from) return;
    const rows = from === to ? { firstRow: 0, rowCount: all } : { firstRow: from, rowCount: to - from + 1 };
    const range = { ...rows, from: span.from, to: span.to };
    if (isDone) this.events.onRange(range);
    else {
      this.rows.setRange({ ...range, first: range.firstRow, count: range.rowCount });
      this.stack.setRange({ ...range, first: 0, count: this.header?.depth ?? 0 });
    }
  }

  private stepRow(to: RowStep): void {
    const last = (this.header?.rows.length ?? 0) - 1;
    const page = Math.max(1, this.rows.inSight.count - 2);
    const wanted = {
      previous: this.row - 1,
      next: this.row + 1,
      pageUp: this.row - page,
      pageDown: this.row + page,
      first: 0,
      last,
    }[to];
    const row = Math.min(last, Math.max(0, wanted));
    if (row === this.row || row < 0) return;
    this.setCursor(undefined);
    this.events.onRow(row);
    announce(this.rowName(row));
  }

  private stepCall(by: 1 | -1): void {
    const { span, row, cursor, header } = this;
    if (header === undefined) return;
    const isInSight = cursor?.row === row && cursor.span.end >= span.from && cursor.span.begin <= span.to;
    const from = isInSight ? cursor.span.begin : by === 1 ? span.from - 1 : span.to + 1;
    const next = this.rows.layers.next(row, from, by, span, this.pixel);
    if (next !== undefined && next.begin <= span.to && next.end >= span.from) {
      this.setCursor({ row, span: next });
      return;
    }
    const moved = panned(span, by / 2, header.seconds);
    if (isSame(moved, span)) announce(by === 1 ? 'No later call in this row' : 'No earlier call in this row');
    else this.wish(moved, 'Move', true);
  }

  private changeHeight(by: 1 | -1): void {
    const now = this.rows.rowHeight;
    const wanted = by === 1 ? Math.max(now + 1, now * 1.3) : Math.min(now - 1, now / 1.3);
    this.rowHeight = Math.round(Math.min(mostRowHeight, Math.max(leastRowHeight, wanted)));
    this.fitRows();
    this.events.onRows(this.rows.inSight.first, this.rowHeight);
    this.look();
  }

  /** All rows, if they can be told from each other. */
  private fitRows(): void {
    const count = Math.max(1, this.header?.rows.length ?? 1);
    const fitting = Math.floor(this.rows.rowSpace / count);
    const height = this.rowHeight ?? Math.min(mostRowHeight, Math.max(fitting, usualRowHeight));
    if (height !== this.rows.rowHeight) this.rows.setRowHeight(height);
  }
}
