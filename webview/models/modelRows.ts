import { formatPercent, formatValue } from '../../src/core/format';
import { predictedShares, type ModelPredictions, type ModelTableRow } from '../../src/core/views/modelPieces';
import type { SortOrder } from '../ui/grid/columns';
import { searchedRows, sortedRows } from '../ui/search/rowSearch';
import type { SearchQuery } from '../ui/search/searchBox';
import { rangeText } from './words';

/** A row with its prediction. */
export interface PredictedRow extends ModelTableRow {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Of the sum of predictions of all rows of the metric. */
  readonly share?: number;
}

export function predictedRows(
  rows: readonly ModelTableRow[],
  { values, low, high }: ModelPredictions,
): readonly PredictedRow[] {
  const shares = predictedShares(values);
  return rows.map((row, position) => {
    const share = shares?.[position];
    return {
      ...row,
      value: values[position] ?? NaN,
      low: low[position] ?? -Infinity,
      high: high[position] ?? Infinity,
      ...(share !== undefined && { share }),
    };
  });
}

const keys = {
  path: ({ callPath }: PredictedRow) => callPath,
  share: ({ share = -1 }: PredictedRow) => share,
  value: ({ value }: PredictedRow) => (Number.isNaN(value) ? -Infinity : value),
  range: ({ low, high, value }: PredictedRow) => (high - low) / Math.abs(value || 1),
  formula: ({ formula }: PredictedRow) => formula,
  smape: ({ smape }: PredictedRow) => smape,
  verdict: ({ verdict }: PredictedRow) => verdict?.kind ?? '',
  usual: ({ share = -1 }: PredictedRow) => share,
};

/** Positions of the rows that match a search, in order; rows with equal keys by their predictions. */
export function shownRows(
  rows: readonly PredictedRow[],
  query: SearchQuery,
  sort: SortOrder,
): { readonly rows: Uint32Array; readonly error?: string } {
  const { matches, ...problem } = searchedRows(rows, query, ({ callPath, formula, verdict }) => [
    callPath,
    formula,
    ...(verdict === undefined ? [] : [verdict.kind]),
  ]);
  const sorted = sortedRows(rows, matches, sort, keys, (a, b) => keys.value(b) - keys.value(a));
  return { rows: Uint32Array.from(sorted), ...problem };
}

/** Texts of the cells with numbers. */
export const cellTexts = {
  share: ({ share }: PredictedRow) => (share === undefined ? '' : formatPercent(share)),
  value: ({ value }: PredictedRow, unit: string) => formatValue(value, unit),
  range: ({ low, high }: PredictedRow, unit: string) => rangeText(low, high, unit),
  smape: ({ smape }: PredictedRow) => `${smape.toFixed(1)} %`,
};
