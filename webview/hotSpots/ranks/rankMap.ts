import { csvText } from '../../../src/core/csv';
import { formatPercent, formatValue } from '../../../src/core/format';
import { spreadOf } from '../../../src/core/views/ranks/spread';
import { plot, type Plot } from '../../charts/plot';
import { announce } from '../../ui/base/liveRegion';
import { type Control, element } from '../../ui/base/dom';
import { rowsTable } from '../../ui/grid/rowsTable';
import type { Area } from '../../charts/surface';
import type { RankAxis } from './rankAxis';
import { drawRankMap, mapArea, type RankScale } from './mapDrawing';
import { cellText, changeText, excess } from './rankFacts';
import type { RankStore } from './rankStore';

/** What the map shows of the profile; functions are positions in the model. */
export interface MapContent {
  /** From top to bottom. */
  readonly functions: readonly number[];
  readonly name: (region: number) => string;
  readonly unit: string;
  /** Total of the metric, of which shares are. */
  readonly total: number;
  readonly scale: RankScale;
  /** How the ranks are ordered, below the map. */
  readonly order: string;
  readonly selected: number | undefined;
}

export interface RankMapEvents {
  readonly onSelect: (region: number) => void;
  readonly onActivate: (region: number) => void;
  readonly onSave: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
}

/** Names need this height, and more helps nobody. */
const leastRow = 18;
const mostRow = 30;
/** Maximum number of values in a file. */
const mostSaved = 1_000_000;

/** Functions × ranks in colours. */
export class RankMap implements Control {
  readonly element: HTMLElement;
  private readonly shown: Plot;
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private content: MapContent | undefined;
  /** First function in view, and the one under the cursor: positions in `functions`. */
  private first = 0;
  private row: number | undefined;

  constructor(
    private readonly axis: RankAxis,
    private readonly store: RankStore,
    private readonly events: RankMapEvents,
  ) {
    this.shown = plot({
      label: 'Functions × ranks',
      keys: 'Arrows choose a function and a rank, Page Up and Page Down scroll, Home and End go to the first and last rank, Enter selects the function and then opens its source.',
      draw: (surface, colors) => {
        const { content } = this;
        if (content !== undefined)
          drawRankMap(surface, colors, { ...this.picture(content, this.area), rowHeight: this.rowHeight });
      },
      table: this.table(),
      csv: () => this.csv(),
      onSave: events.onSave,
      onKey: (event) => this.onKey(event),
    });
    this.followPointer();
    axis.onChange(() => this.showCursor());
    new ResizeObserver(() => this.load()).observe(this.shown.canvas.parentElement ?? this.shown.canvas);
    this.element = element('div', { class: 'rank-map fill' }, this.shown.element, this.readOut);
  }

  show(content: MapContent): void {
    const isNew = content.functions !== this.content?.functions;
    this.content = content;
    if (isNew) [this.first, this.row] = [0, undefined];
    this.load();
    this.showCursor();
    this.shown.renew();
  }

  /** Redraws after rows have arrived. */
  renew(): void {
    this.showCursor();
    this.shown.renew();
  }

  focus(): void {
    this.shown.canvas.focus();
  }

  private get functions(): readonly number[] {
    return this.content?.functions ?? [];
  }

  private get area(): Area {
    const { clientWidth, clientHeight } = this.shown.canvas;
    return mapArea(clientWidth, clientHeight);
  }

  private get rowHeight(): number {
    return Math.min(mostRow, Math.max(leastRow, this.area.height / Math.max(1, this.functions.length)));
  }

  private get inView(): number {
    return Math.max(1, Math.floor(this.area.height / this.rowHeight + 1e-6));
  }

  private picture(
    content: MapContent,
    { height }: Area,
  ): Omit<Parameters<typeof drawRankMap>[2], 'rowHeight'> {
    const rows = this.functions.slice(
      this.first,
      this.first + Math.max(1, Math.floor(height / this.rowHeight + 1e-6)),
    );
    const place = (position: number | undefined): number | undefined => {
      const row = position === undefined ? -1 : position - this.first;
      return row >= 0 && row < rows.length ? row : undefined;
    };
    const all = Math.max(1, this.functions.length);
    return {
      axis: this.axis,
      rows: rows.map((region) => ({ name: content.name(region), values: this.store.row(region) })),
      selected: place(content.selected === undefined ? undefined : this.functions.indexOf(content.selected)),
      cursor: place(this.row),
      scale: content.scale,
      most: this.store.most,
      unit: content.unit,
      order: content.order,
      part: [this.first / all, (this.first + rows.length) / all],
    };
  }

  /** Asks for what is in view, and for the next page. */
  private load(): void {
    void this.store.want(this.functions.slice(this.first, this.first + 2 * this.inView));
  }

  private scrollTo(first: number): void {
    const next = Math.min(Math.max(0, this.functions.length - this.inView), Math.max(0, first));
    if (next === this.first) return;
    this.first = next;
    this.load();
    this.shown.update();
  }

  private setRow(row: number | undefined): void {
    if (row !== undefined) row = Math.min(this.functions.length - 1, Math.max(0, row));
    this.row = row;
    if (row !== undefined && row < this.first) this.scrollTo(row);
    if (row !== undefined && row >= this.first + this.inView) this.scrollTo(row - this.inView + 1);
    this.showCursor();
  }

  private showCursor(): void {
    const { content } = this;
    if (content === undefined) return;
    const many = `${this.functions.length} ${this.functions.length === 1 ? 'function' : 'functions'}, ${this.axis.count} ranks`;
    const { perBin } = this.axis.bins(this.area.width);
    const shared = perBin === 1 ? '' : `; a column shows the largest value of ${perBin} ranks`;
    this.readOut.textContent = this.cellWords() ?? `${many}${shared}. Click a function to select it.`;
    this.readOut.title = this.readOut.textContent;
    this.shown.update();
  }

  private cellWords(): string | undefined {
    const { content, axis, row } = this;
    const region = row === undefined ? undefined : this.functions[row];
    if (content === undefined || region === undefined || axis.cursor === undefined) return undefined;
    const bins = axis.bins(this.area.width);
    const cell = {
      name: content.name(region),
      values: this.store.row(region),
      bin: bins.binOf(axis.cursor),
    };
    return cellText(axis, bins, cell, content.total, {
      value: (value) => formatValue(value, content.unit),
      share: formatPercent,
    });
  }

  private choose(region: number): void {
    if (this.content?.selected === region) this.events.onActivate(region);
    else this.events.onSelect(region);
  }

  private onKey(event: KeyboardEvent): boolean {
    const { axis, row } = this;
    const step = axis.bins(this.area.width).perBin;
    const cursor = axis.cursor ?? 0;
    const moves: Readonly<Record<string, readonly [row: number, rank: number]>> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      PageDown: [this.inView, 0],
      PageUp: [-this.inView, 0],
      ArrowRight: [0, step],
      ArrowLeft: [0, -step],
      Home: [0, -Infinity],
      End: [0, Infinity],
    };
    const region = row === undefined ? undefined : this.functions[row];
    if ((event.key === 'Enter' || event.key === ' ') && region !== undefined) {
      this.choose(region);
      return true;
    }
    const move = moves[event.key];
    if (move === undefined || this.functions.length === 0) return false;
    axis.setCursor(row === undefined ? cursor : Math.max(0, Math.min(axis.count - 1, cursor + move[1])));
    this.setRow(row === undefined ? this.first : row + move[0]);
    announce(this.cellWords() ?? '');
    return true;
  }

  private followPointer(): void {
    const { canvas } = this.shown;
    const rowAt = (event: PointerEvent | MouseEvent): number | undefined => {
      const box = canvas.getBoundingClientRect();
      const row = Math.floor((event.clientY - box.top - this.area.y) / this.rowHeight);
      const position = this.first + row;
      return row >= 0 && row < this.inView && position < this.functions.length ? position : undefined;
    };
    canvas.addEventListener('pointermove', (event) => {
      const x = event.clientX - canvas.getBoundingClientRect().left;
      this.setRow(rowAt(event));
      this.axis.setCursor(x < this.area.x ? undefined : this.axis.positionAt(x, this.area));
    });
    canvas.addEventListener('pointerleave', () => {
      this.setRow(undefined);
      this.axis.setCursor(undefined);
    });
    canvas.addEventListener('click', (event) => {
      const row = rowAt(event);
      const region = row === undefined ? undefined : this.functions[row];
      if (region !== undefined) this.choose(region);
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (this.functions.length <= this.inView || event.deltaY === 0) return;
        event.preventDefault();
        this.scrollTo(
          this.first + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / 40)),
        );
        this.setRow(rowAt(event));
      },
      { passive: false },
    );
  }

  private table(): ReturnType<typeof rowsTable> {
    return rowsTable({
      label: 'Functions over ranks',
      columns: () => [
        { title: 'Function', width: 240 },
        { title: 'Mean', number: true, width: 90 },
        { title: 'Least', number: true, width: 90 },
        { title: 'On rank', number: true, width: 76 },
        { title: 'Most', number: true, width: 90 },
        { title: 'On rank', number: true, width: 76 },
        { title: 'Most − mean', number: true, width: 100 },
      ],
      count: () => this.functions.length,
      cells: (row) => this.cells(row),
      onActivate: (row) => {
        const region = this.functions[row];
        if (region !== undefined) this.choose(region);
      },
    });
  }

  private cells(row: number): readonly string[] {
    const { content } = this;
    const region = this.functions[row];
    if (content === undefined || region === undefined) return [];
    const spread = spreadOf(this.store.row(region) ?? new Float64Array());
    if (spread === undefined) {
      void this.store.want(this.functions.slice(row, row + this.inView));
      return [content.name(region), '…'];
    }
    const text = (value: number): string => formatValue(value, content.unit);
    const rank = (position: number): string => String(this.axis.names[position]?.rank ?? '');
    const over = excess(spread);
    return [
      content.name(region),
      text(spread.mean),
      text(spread.minimum),
      rank(spread.leastAt),
      text(spread.maximum),
      rank(spread.mostAt),
      over === undefined ? '–' : changeText(over),
    ];
  }

  /** All ranks of the functions of the map, the hottest only where these are too many. */
  private async csv(): Promise<string> {
    const { content, axis } = this;
    if (content === undefined) return '';
    const regions = this.functions.slice(0, Math.max(1, Math.floor(mostSaved / axis.count)));
    await this.store.want(regions);
    const title = [`function (${content.unit})`, ...axis.names.map(({ rank }) => `rank ${rank}`)];
    const rows = regions.map((region) =>
      csvText([[content.name(region), ...(this.store.row(region) ?? [])]]),
    );
    return csvText([title]) + rows.join('');
  }
}
