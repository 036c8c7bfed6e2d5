import { visibleControls } from '../../src/core/names/visibleControls';
import type { ComparisonRow, ComparisonSettings } from '../../src/core/trace/comparisonPieces';
import {
  maximumComparisonRows,
  type ComparisonEvents,
  type ComparisonRequests,
} from '../../src/protocol/comparison';
import type { Channel } from '../ui/page/channel';

export type ComparisonChannel = Channel<ComparisonRequests, ComparisonEvents>;

/** Rows that are fetched at a time. */
const pageRows = Math.min(200, maximumComparisonRows);
/** Pages that are kept; those that were fetched first go first. */
const mostPages = 100;
/** Browsers end at 33 million pixels; later rows are reached by a filter. */
export const mostRows = 1_200_000;

/** What rows are asked for. */
export interface Asked {
  readonly id: string;
  readonly settings: ComparisonSettings;
  readonly view?: number;
}

/** The rows with certain settings: of the linked views together, or of one view alone. Fetched in pages when they are needed. */
export class RowSource {
  private readonly pages = new Map<number, readonly ComparisonRow[] | 'asked'>();
  private readonly abort = new AbortController();
  private all = 0;
  private positions = new Uint32Array(0);

  /** @param onRows called when more rows have arrived */
  constructor(
    private readonly channel: ComparisonChannel,
    readonly asked: Asked,
    private readonly onRows: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** All rows, also those that are not shown. */
  get total(): number {
    return this.all;
  }

  /** Positions of the rows, as grids need them; all linked grids share them. */
  get rows(): Uint32Array {
    return this.positions;
  }

  /** A row that has arrived. */
  peek(row: number): ComparisonRow | undefined {
    const page = this.pages.get(Math.floor(row / pageRows));
    return page === 'asked' ? undefined : page?.[row % pageRows];
  }

  /** Fetches the page of a row, and with it the number of rows. @throws RequestError */
  async begin(row: number): Promise<void> {
    await this.fetch(Math.floor(row / pageRows));
    // The row was of other settings, which had more rows.
    if (this.all > 0 && row >= this.all) await this.fetch(Math.floor((this.all - 1) / pageRows));
  }

  /** Fetches a row. @throws RequestError */
  async get(row: number): Promise<ComparisonRow | undefined> {
    const page = Math.floor(row / pageRows);
    if (!Array.isArray(this.pages.get(page))) await this.fetch(page);
    return this.peek(row);
  }

  /** Fetches the rows [first, end) that have not arrived yet. */
  need(first: number, end: number): void {
    for (let page = Math.floor(first / pageRows); page * pageRows < Math.min(end, this.all); page++) {
      if (this.pages.has(page)) continue;
      this.fetch(page).then(this.onRows, this.onError);
    }
  }

  dispose(): void {
    this.abort.abort();
  }

  private async fetch(page: number): Promise<void> {
    this.pages.set(page, 'asked');
    try {
      const { rows, total } = await this.channel.request(
        'rows',
        { ...this.asked, first: page * pageRows, count: pageRows },
        { signal: this.abort.signal },
      );
      this.pages.set(
        page,
        rows.map((row) => ({ ...row, name: visibleControls(row.name) })),
      );
      this.all = total;
      if (this.positions.length !== Math.min(total, mostRows))
        this.positions = Uint32Array.from({ length: Math.min(total, mostRows) }, (_, row) => row);
    } catch (error) {
      this.pages.delete(page);
      throw error;
    }
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= mostPages) break;
      this.pages.delete(oldest);
    }
  }
}
