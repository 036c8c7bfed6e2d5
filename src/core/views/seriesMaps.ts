import { pushTo } from '../remembered';
import { present } from '../present';
import { seriesRegionKey } from '../series/series';
import type { AnalysedSeries } from '../degradations/model/result';
import { rankSet } from '../properties/rankSet';
import { maximumColumns, type MapHeader, type MapPiece } from './dynamicsPieces';

/** Maximum number of rows of a map: with more series than a screen has lines, several share a row. */
const maximumRows = 1024;

/** Series of one region and metric; rows by rank and thread. */
interface SeriesMap {
  readonly header: MapHeader;
  /** Positions of the series in the order of the rows, before several of them share a row. */
  readonly order: readonly number[];
}

/** The value maps of an analysis: one for each region and metric, those with the largest impact first. */
export class SeriesMaps {
  private readonly maps: readonly SeriesMap[];
  private readonly places = new Map<number, { readonly map: number; readonly row: number }>();

  constructor(private readonly series: readonly AnalysedSeries[]) {
    this.maps = groupsOf(series).map((positions) => mapOf(series, positions));
    this.maps.forEach(({ header, order }, map) => {
      order.forEach((position, index) =>
        this.places.set(position, { map, row: Math.floor(index / header.seriesPerRow) }),
      );
    });
  }

  get headers(): readonly MapHeader[] {
    return this.maps.map(({ header }) => header);
  }

  /** Map and row of a series; −1: it is in none. */
  placeOf(position: number): { readonly map: number; readonly row: number } {
    return this.places.get(position) ?? { map: -1, row: -1 };
  }

  /** Rows [first, first + count) of a map; undefined: there is no such map. */
  piece(map: number, first: number, count: number): MapPiece | undefined {
    const shown = this.maps[map];
    if (shown === undefined) return undefined;
    const { columns, rows, seriesPerRow } = shown.header;
    const last = Math.min(rows, first + count);
    const height = Math.max(0, last - first);
    const values = new Float32Array(height * columns).fill(NaN);
    const ranks: string[] = [];
    const heaviest = new Uint32Array(height);
    for (let row = 0; row < height; row++) {
      const positions = shown.order.slice((first + row) * seriesPerRow, (first + row + 1) * seriesPerRow);
      const cells = values.subarray(row * columns, (row + 1) * columns);
      for (const position of positions) largest(cells, this.series[position]?.values ?? []);
      ranks.push(this.ranksOf(positions));
      // Series are ordered by impact.
      heaviest[row] = Math.min(...positions);
    }
    return { values, ranks, series: heaviest };
  }

  /** `4`, `4-7`; with threads `4:1`. */
  private ranksOf(positions: readonly number[]): string {
    const [only, ...others] = positions.flatMap((position) => this.series[position]?.context ?? []);
    if (only === undefined) return '';
    if (others.length === 0 && only.thread > 0) return `${only.rank}:${only.thread}`;
    return rankSet([only, ...others].map(({ rank }) => rank));
  }
}

function groupsOf(series: readonly AnalysedSeries[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  series.forEach(({ rule, context }, position) => {
    const { metric, region, callPath } = context;
    const key = JSON.stringify([rule, metric, seriesRegionKey(region), callPath?.map(seriesRegionKey)]);
    pushTo(groups, key, position);
  });
  return [...groups.values()];
}

function mapOf(series: readonly AnalysedSeries[], positions: readonly number[]): SeriesMap {
  const order = [...positions].sort((a, b) => {
    const [first, second] = [series[a]?.context, series[b]?.context];
    return (first?.rank ?? 0) - (second?.rank ?? 0) || (first?.thread ?? 0) - (second?.thread ?? 0);
  });
  const [first] = positions.flatMap((position) => series[position] ?? []);
  let columns = 0;
  for (const position of positions) columns = Math.max(columns, series[position]?.values.length ?? 0);
  const seriesPerRow = Math.max(1, Math.ceil(order.length / maximumRows));
  return {
    header: {
      region: first?.context.region.name ?? '',
      ...present({ problem: first?.kind }),
      metric: first?.context.metric ?? '',
      rows: Math.ceil(order.length / seriesPerRow),
      columns: Math.min(maximumColumns, columns),
      iterationsPerColumn: first?.valueLength ?? 1,
      seriesPerRow,
    },
    order,
  };
}

/** Larger values are worse, so that a row shows the maximum of the series that share it. */
function largest(cells: Float32Array, values: readonly number[]): void {
  for (let index = 0; index < cells.length && index < values.length; index++) {
    const value = values[index] ?? NaN;
    const previous = cells[index] ?? NaN;
    if (Number.isNaN(previous) || value > previous) cells[index] = value;
  }
}
