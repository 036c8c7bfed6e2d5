import { at, atFloat } from '../at';
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
  /** By series. */
  private readonly places: { readonly map: number; readonly row: number }[] = [];

  constructor(private readonly series: readonly AnalysedSeries[]) {
    this.maps = groupsOf(series).map((positions) => mapOf(series, positions));
    this.maps.forEach(({ header, order }, map) => {
      order.forEach((position, index) => {
        this.places[position] = { map, row: Math.floor(index / header.seriesPerRow) };
      });
    });
  }

  get headers(): readonly MapHeader[] {
    return this.maps.map(({ header }) => header);
  }

  /** Map and row of a series. */
  placeOf(position: number): { readonly map: number; readonly row: number } {
    return at(this.places, position);
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
      for (const position of positions) largest(cells, at(this.series, position).values);
      ranks.push(this.ranksOf(positions));
      // Series are ordered by impact.
      heaviest[row] = Math.min(...positions);
    }
    return { values, ranks, series: heaviest };
  }

  /** `4`, `4-7`; with threads `4:1`. */
  private ranksOf(positions: readonly number[]): string {
    const contexts = positions.map((position) => at(this.series, position).context);
    const { rank: first, thread } = at(contexts, 0);
    return contexts.length === 1 && thread > 0
      ? `${first}:${thread}`
      : rankSet(contexts.map(({ rank }) => rank));
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
    const [first, second] = [at(series, a).context, at(series, b).context];
    return first.rank - second.rank || first.thread - second.thread;
  });
  const { context, kind, valueLength } = at(series, at(positions, 0));
  let columns = 0;
  for (const position of positions) columns = Math.max(columns, at(series, position).values.length);
  const seriesPerRow = Math.ceil(order.length / maximumRows);
  return {
    header: {
      region: context.region.name,
      ...present({ problem: kind }),
      metric: context.metric,
      rows: Math.ceil(order.length / seriesPerRow),
      columns: Math.min(maximumColumns, columns),
      iterationsPerColumn: valueLength,
      seriesPerRow,
    },
    order,
  };
}

/** Larger values are worse, so that a row shows the maximum of the series that share it. */
function largest(cells: Float32Array, values: Float64Array): void {
  for (let index = 0; index < cells.length && index < values.length; index++) {
    const value = atFloat(values, index);
    const previous = at(cells, index);
    if (Number.isNaN(previous) || value > previous) cells[index] = value;
  }
}
