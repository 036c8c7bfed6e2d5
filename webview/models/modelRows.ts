import { at } from '../../src/core/at';
import { formatPercent, formatValueUpTo } from '../../src/core/format';
import { present } from '../../src/core/present';
import {
  predictedShares,
  type ModelPredictions,
  type ModelTableRow,
} from '../../src/core/views/models/modelPieces';
import type { SortOrder } from '../ui/grid/columns';
import { groupedRows } from '../ui/search/rowGroups';
import { searchedRows, sortedRows } from '../ui/search/rowSearch';
import type { SearchQuery } from '../ui/search/searchBox';
import type { Grouping } from './viewState';
import { rangeText, wholePath } from './words';

/** A row with its prediction. */
export interface PredictedRow extends ModelTableRow {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The prediction of the measurements that these are compared with; absent if they do not have the call path. */
  readonly other?: number;
  /** Of the sum of predictions of all rows of the metric. */
  readonly share?: number;
}

export function predictedRows(
  rows: readonly ModelTableRow[],
  { values, low, high, compared }: ModelPredictions,
): readonly PredictedRow[] {
  const shares = predictedShares(values);
  return rows.map((row, position) => {
    const share = shares?.[position];
    const other = row.compared === undefined ? undefined : compared?.[position];
    return {
      ...row,
      value: values[position] ?? NaN,
      low: low[position] ?? -Infinity,
      high: high[position] ?? Infinity,
      ...present({ share, other }),
    };
  });
}

const keys = {
  path: ({ callPath }: PredictedRow) => callPath,
  share: ({ share = -1 }: PredictedRow) => share,
  value: ({ value }: PredictedRow) => (Number.isNaN(value) ? -Infinity : value),
  range: ({ low, high, value }: PredictedRow) => (high - low) / Math.abs(value || 1),
  compared: ({ other = -Infinity }: PredictedRow) => other,
  ratio: (row: PredictedRow) => ratio(row) ?? -Infinity,
  growth: ({ growth }: PredictedRow) => growth.order,
  formula: ({ formula }: PredictedRow) => formula,
  smape: ({ smape }: PredictedRow) => smape,
  verdict: ({ verdict }: PredictedRow) => verdict?.kind ?? '',
  usual: ({ share = -1 }: PredictedRow) => share,
};

/** How many times the prediction of the others is this one; undefined if one of them is unknown. */
export function ratio({ value, other }: PredictedRow): number | undefined {
  const times = (other ?? NaN) / value;
  return Number.isFinite(times) ? times : undefined;
}

export interface ModelGroup {
  readonly name: string;
  readonly count: number;
  /** Of all its rows together. */
  readonly share?: number;
}

export interface ShownRows {
  /** Positions of rows, in order; values from the number of all rows on are positions in `groups`, offset by it. */
  readonly rows: Uint32Array;
  readonly groups: readonly ModelGroup[];
  readonly shown: number;
  readonly error?: string;
}

/** The rows that match a search, in order; rows with equal keys by their predictions. */
export function shownRows(
  rows: readonly PredictedRow[],
  query: SearchQuery,
  sort: SortOrder,
  { group, closed }: { readonly group: Grouping; readonly closed: readonly string[] },
): ShownRows {
  const { matches, ...problem } = searchedRows(rows, query, ({ callPath, formula, verdict, growth }) => [
    callPath,
    // As it is shown.
    wholePath(callPath),
    formula,
    growth.text,
    ...(verdict === undefined ? [] : [verdict.kind]),
  ]);
  const sorted = sortedRows(rows, matches, sort, keys, (a, b) => keys.value(b) - keys.value(a));
  const shown = sorted.length;
  if (group === 'none') return { rows: Uint32Array.from(sorted), groups: [], shown, ...problem };
  const grouped = groupedRows(rows.length, sorted, (position) => at(rows, position).growth.text, closed);
  const groups = grouped.groups.map(({ name, members }) => {
    const shares = members.map((position) => at(rows, position).share ?? NaN);
    const share = shares.reduce((sum, one) => sum + one, 0);
    return { name, count: members.length, ...(Number.isFinite(share) && { share }) };
  });
  return { rows: grouped.rows, groups, shown, ...problem };
}

/** Texts of the cells with numbers. */
export const cellTexts = {
  share: ({ share }: { readonly share?: number }) => (share === undefined ? '' : formatPercent(share)),
  value: ({ value }: PredictedRow, unit: string, largest: number) => formatValueUpTo(value, unit, largest),
  other: ({ other }: PredictedRow, unit: string, largest: number) =>
    other === undefined ? 'not measured' : formatValueUpTo(other, unit, largest),
  ratio: (row: PredictedRow) => {
    const times = ratio(row);
    return times === undefined ? '' : `× ${Number(times.toPrecision(3))}`;
  },
  range: ({ low, high }: PredictedRow, unit: string) => rangeText(low, high, unit),
  smape: ({ smape }: PredictedRow) => `${smape.toFixed(1)} %`,
};
