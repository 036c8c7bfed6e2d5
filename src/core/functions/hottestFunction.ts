import type { FunctionRow } from './functionRow';
import { byShare } from './shareOrder';

/** A function whose source is known. */
export type PlacedRow = FunctionRow & { readonly file: string; readonly line: number };

const byExclusive = byShare('exclusiveShare');

/**
 * The function with the largest exclusive time of those with a source: the place at which reading begins. Undefined if none was
 * measured. Shares of the last run come before those of earlier ones, as everywhere.
 */
export function hottestFunction(functions: readonly FunctionRow[]): PlacedRow | undefined {
  let hottest: PlacedRow | undefined;
  for (const row of functions) {
    if (row.exclusiveShare === undefined || !isPlaced(row)) continue;
    if (hottest === undefined || byExclusive(row, hottest) < 0) hottest = row;
  }
  return hottest;
}

function isPlaced(row: FunctionRow): row is PlacedRow {
  return row.file !== undefined && row.line !== undefined;
}
