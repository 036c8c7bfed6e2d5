import { capitalised } from '../../../src/core/groups/words';
import type { Extent } from '../../../src/core/views/ranks/rankRows';
import { partAt, type RowSpread, type SpreadPart } from '../../../src/core/views/ranks/rowSpread';
import type { Side } from '../../../src/protocol/hotSpots';
import type { GridColumn } from '../../ui/grid/columns';
import { valueAt } from './spreadDrawing';
import { drawPlot, type Drawn } from './spreadPlot';
import type { SpreadData, SpreadStore } from './spreadStore';
import { spreadNumbers, spreadText } from './spreadWords';

/** What a column shows at the moment. */
export interface SpreadShown {
  readonly format: (value: number) => string;
  readonly outliers: boolean;
  /** Whether each row has an axis of its own. */
  readonly isRowScale: boolean;
  /** `64 processes`, and how many the compared run has. */
  readonly over: string;
  readonly metric: string;
  readonly isCompared: boolean;
}

/** A part of a row's box plot. */
export interface Pointed {
  readonly row: number;
  readonly side: Side;
  readonly part: SpreadPart;
  readonly spread: RowSpread;
  readonly extent: Extent;
}

/** Rows that the user scrolls past are not asked for. */
const restMilliseconds = 60;
/** What is so near to a plot is in it, in pixels. */
const tolerancePixels = 3;

/** A column of box plots. Its cells are drawn when their values arrive. */
export class SpreadColumn {
  readonly id: string;
  private readonly cells = new Map<HTMLElement, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly store: SpreadStore,
    readonly extent: Extent,
    /** Whether it is shown before the user chooses columns. */
    private readonly isUsual: boolean,
    private readonly shown: () => SpreadShown,
  ) {
    this.id = extent === 'inclusive' ? 'inclusiveSpread' : 'exclusiveSpread';
  }

  get column(): GridColumn {
    return {
      id: this.id,
      title: this.isUsual ? 'Spread' : `Spread (${capitalised(this.extent)})`,
      tooltip: this.tooltip,
      width: 170,
      hidden: !this.isUsual,
      sort: 'descending',
      text: (row) => this.text(row, spreadNumbers, ' | '),
      render: (row, cell) => {
        this.cells.set(cell, row);
        this.draw(cell, row);
        if (this.store.row(row) === undefined) this.wantSoon();
      },
      cellClass: () => 'spread-cell',
    };
  }

  /** Draws all cells again, and asks for those that are missing. */
  redraw(): void {
    for (const cell of this.inView()) this.draw(cell, this.cells.get(cell) ?? 0);
    this.wantSoon();
  }

  /** The part of a box plot at a point of the page. */
  pointed(cell: HTMLElement, x: number, y: number): Pointed | undefined {
    const row = this.cells.get(cell);
    const data = row === undefined ? undefined : this.store.row(row);
    const bounds = cell.querySelector('svg')?.getBoundingClientRect();
    if (row === undefined || data === undefined || bounds === undefined) return undefined;
    const isLower = y > bounds.top + bounds.height / 2;
    const side = this.shown().isCompared && isLower ? 'compare' : 'main';
    const spread = data[side];
    const most = this.mostOf(data);
    if (spread === undefined || !(most > 0)) return undefined;
    const value = valueAt((x - bounds.left) / bounds.width, most);
    const tolerance = valueAt(tolerancePixels / bounds.width, most) - valueAt(0, most);
    const part = partAt(spread, value, tolerance);
    return part === undefined ? undefined : { row, side, spread, part, extent: this.extent };
  }

  /** Greatest value of the axis of a row. */
  mostOf(data: SpreadData): number {
    const { isRowScale, outliers } = this.shown();
    if (!isRowScale) return this.store.most;
    const end = (spread: RowSpread | undefined): number => (outliers ? spread?.maximum : spread?.p98) ?? 0;
    return Math.max(end(data.main), end(data.compare));
  }

  private get tooltip(): string {
    const { over, metric, isCompared } = this.shown();
    const two = isCompared ? ' Above: this run; below: the compared run.' : '';
    return `How the ${this.extent} ${metric.toLowerCase()} is distributed over ${over}: whiskers from the 2nd to the 98th percentile, a box around the middle half, a line at the median.${two} Sorted by what the imbalance costs: number × distance of the whiskers`;
  }

  private draw(cell: HTMLElement, row: number): void {
    const data = this.store.row(row) ?? {};
    const { isCompared } = this.shown();
    const drawn = (['main', 'compare'] as const).flatMap((side): Drawn[] => {
      const spread = data[side];
      const lane = !isCompared ? 'whole' : side === 'main' ? 'upper' : 'lower';
      return spread === undefined ? [] : [{ spread, side, lane }];
    });
    drawPlot(cell, drawn, this.mostOf(data), this.text(row, spreadText, '; compared run: '));
  }

  private text(
    row: number,
    of: (spread: RowSpread, format: (value: number) => string) => string,
    between: string,
  ): string {
    const { main, compare } = this.store.row(row) ?? {};
    const { format } = this.shown();
    const first = main === undefined ? '' : of(main, format);
    return compare === undefined ? first : `${first}${between}${of(compare, format)}`;
  }

  private wantSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.store.want(new Set(this.inView().map((cell) => this.cells.get(cell) ?? 0)));
    }, restMilliseconds);
  }

  /** The grid uses a cell again for another row, and may have dropped it. */
  private inView(): readonly HTMLElement[] {
    const inView: HTMLElement[] = [];
    for (const cell of this.cells.keys())
      if (!cell.isConnected) this.cells.delete(cell);
      else if (cell.offsetParent !== null) inView.push(cell);
    return inView;
  }
}
