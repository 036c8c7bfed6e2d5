import { getOrMake } from '../../../src/core/getOrMake';
import { largestOf } from '../../../src/core/sums';
import { pathSets, type PathSets } from '../../../src/core/views/pathSets';
import type { Extent } from '../../../src/core/views/ranks/rankRows';
import type { RowSpread } from '../../../src/core/views/ranks/rowSpread';
import { maximumSpreads, type Side, type SpreadOf, type SpreadScore } from '../../../src/protocol/hotSpots';
import { isCancelled } from '../../ui/page/shell';
import type { HotSpotsChannel } from '../data/load';
import type { Model } from '../data/model';

/** The rows of a table as what their values are made of. */
export interface SpreadRows {
  /** Call paths of the model whose values make the value of a row; none: the row has no value. */
  readonly pathsOf: (row: number, extent: Extent) => ArrayLike<number>;
  /** All rows, in the order of `SpreadStore.scores`; absent: each call path is a row. */
  readonly all?: () => readonly number[];
  /** Those that share the axis, if not all of them do. */
  readonly onAxis?: () => readonly number[];
}

/** How a row spreads, in each of the compared profiles that has it. */
export type SpreadData = Readonly<Partial<Record<Side, RowSpread>>>;

/** What is known of one metric. */
interface Known {
  readonly metric: number;
  /** Without and with outliers. */
  readonly rows: readonly [Map<number, SpreadData>, Map<number, SpreadData>];
  /** Greatest value of the axis that all rows share; until it is known, what the known rows need. */
  most: number;
  axis?: Promise<void>;
  scores?: Float64Array | 'asked';
}

const unknown = (metric: number): Known => ({ metric, rows: [new Map(), new Map()], most: 0 });

/** The sort keys of a million rows take some seconds. */
const patience = { patienceMilliseconds: 300_000 };

/** Box plots of the rows that are looked at, which the engine computes, and what needs all rows: the axis and the sort keys. */
export class SpreadStore {
  private readonly metrics = new Map<number, Known>();
  private known = unknown(-1);
  private outliers = false;
  private loading: { readonly rows: ReadonlySet<number>; readonly abort: AbortController } | undefined;

  constructor(
    private readonly channel: HotSpotsChannel,
    private readonly model: Model,
    private readonly rows: SpreadRows,
    private readonly extent: Extent,
    private readonly events: {
      /** Box plots arrived, or it is time to ask for others. */
      readonly onRows: () => void;
      readonly onScores: () => void;
      readonly onError: (error: unknown) => void;
    },
  ) {}

  show(metric: number, outliers: boolean): void {
    if (metric === this.known.metric && outliers === this.outliers) return;
    this.loading?.abort.abort();
    this.loading = undefined;
    this.known = getOrMake(this.metrics, metric, () => unknown(metric));
    this.outliers = outliers;
  }

  /** Nothing is known any more. */
  forget(): void {
    this.loading?.abort.abort();
    this.loading = undefined;
    this.metrics.clear();
    this.known = unknown(-1);
  }

  row(row: number): SpreadData | undefined {
    return this.rowsOf(this.known).get(row);
  }

  get most(): number {
    return this.known.most;
  }

  /** Asks for the rows in view that are missing, and gives up those that are no longer in view. */
  want(inView: ReadonlySet<number>): void {
    const { loading } = this;
    const known = this.rowsOf(this.known);
    if (loading !== undefined) {
      if ([...loading.rows].some((row) => inView.has(row))) return;
      loading.abort.abort();
    }
    const missing = [...inView].filter((row) => !known.has(row)).slice(0, maximumSpreads);
    if (missing.length > 0) void this.load(missing);
  }

  /** What each row costs by being unbalanced; undefined while that is computed, which begins with the first call. */
  scores(): Float64Array | undefined {
    const { known } = this;
    if (known.scores === undefined) void this.loadScores(known);
    return known.scores instanceof Float64Array ? known.scores : undefined;
  }

  /** The value of a row at each location of a profile. @throws RequestError */
  values(row: number, side: Side, signal?: AbortSignal): Promise<Float64Array> {
    const rows = pathSets([this.positionsOf(row, side)]);
    return this.channel.request(
      'rowValues',
      { ...this.of(side), rows },
      signal === undefined ? {} : { signal },
    );
  }

  private async load(rows: readonly number[]): Promise<void> {
    const { known } = this;
    const into = this.rowsOf(known);
    const abort = new AbortController();
    const loading = { rows: new Set(rows), abort };
    this.loading = loading;
    try {
      known.axis ??= this.loadAxis(known);
      const [main, compare] = await Promise.all([
        this.ask('main', rows, abort.signal),
        this.ask('compare', rows, abort.signal),
        known.axis,
      ]);
      rows.forEach((row, index) => {
        const data = { ...own('main', main[index]), ...own('compare', compare[index]) };
        into.set(row, data);
        known.most = Math.max(known.most, greatest(data));
      });
    } catch (error) {
      if (isCancelled(error)) return;
      // Not asked for again and again.
      for (const row of rows) into.set(row, {});
      this.events.onError(error);
    } finally {
      if (this.loading === loading) this.loading = undefined;
    }
    this.events.onRows();
  }

  /** Box plots of the rows that a profile has. */
  private async ask(
    side: Side,
    rows: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly (RowSpread | undefined)[]> {
    if (this.model[side] === undefined || this.model.metricIn(side, this.known.metric) === undefined)
      return [];
    const sets = rows.map((row) => this.positionsOf(row, side));
    const asked = { ...this.of(side), rows: pathSets(sets), outliers: this.outliers };
    const spreads = await this.channel.request('spreads', asked, { signal });
    return spreads.map((spread, index) => (sets[index]?.length === 0 ? undefined : spread));
  }

  /** Without it, the axis grows with the rows that are looked at. */
  private async loadAxis(known: Known): Promise<void> {
    const sides = (['main', 'compare'] as const).filter(
      (side) => this.model[side] !== undefined && this.model.metricIn(side, known.metric) !== undefined,
    );
    await Promise.all(
      sides.map(async (side) => {
        try {
          const all = await this.askScores(side, 'largest', this.axisRows());
          known.most = largestOf(all, known.most);
        } catch (error) {
          this.events.onError(error);
        }
      }),
    );
  }

  /** Where callees are included, no row has more than the roots. */
  private axisRows(): readonly number[] | undefined {
    const { all, onAxis = all } = this.rows;
    if (onAxis !== undefined || this.extent === 'exclusive') return onAxis?.();
    const { parent } = this.model;
    return [...parent.keys()].filter((path) => (parent[path] ?? -1) < 0);
  }

  private async loadScores(known: Known): Promise<void> {
    known.scores = 'asked';
    try {
      const rows = this.rows.all?.();
      const scores = await this.askScores('main', 'imbalance', rows);
      known.scores = rows === undefined ? this.model.ofMain(scores) : scores;
    } catch (error) {
      if (isCancelled(error)) return;
      known.scores = new Float64Array(this.rows.all?.().length ?? this.model.count);
      this.events.onError(error);
    }
    this.events.onScores();
  }

  private askScores(
    side: Side,
    score: SpreadScore,
    rows: readonly number[] | undefined,
  ): Promise<Float64Array> {
    const asked = { ...this.of(side), score };
    if (rows === undefined) return this.channel.request('pathScores', asked, patience);
    const sets: PathSets = pathSets(rows.map((row) => this.positionsOf(row, side)));
    return this.channel.request('spreadScores', { ...asked, rows: sets }, patience);
  }

  private of(side: Side): SpreadOf {
    return { side, metric: this.model.metricIn(side, this.known.metric) ?? 0, extent: this.extent };
  }

  private rowsOf({ rows }: Known): Map<number, SpreadData> {
    return rows[this.outliers ? 1 : 0];
  }

  private positionsOf(row: number, side: Side): readonly number[] {
    return Array.from(this.rows.pathsOf(row, this.extent), (path) =>
      this.model.positionIn(side, path),
    ).filter((position) => position >= 0);
  }
}

function own(side: Side, spread: RowSpread | undefined): SpreadData {
  return spread === undefined ? {} : { [side]: spread };
}

function greatest({ main, compare }: SpreadData): number {
  return Math.max(main?.maximum ?? 0, compare?.maximum ?? 0);
}
