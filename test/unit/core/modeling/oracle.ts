import { readFileSync } from 'node:fs';
import type { MeasuredPoint } from '../../../../src/core/modeling/measurements';
import { sharedData } from '../../../shared';

/** A run of the real Extra-P 4.2.5 (`models/oracle-dev.jsonl` of the shared data; its format: performance-models.md, 10.2). */
export interface OracleRun {
  readonly config: {
    readonly modeler: string;
    readonly measure: string;
    readonly options?: Readonly<Record<string, unknown>>;
    readonly single_parameter_modeler?: string;
    readonly single_parameter_options?: Readonly<Record<string, unknown>>;
  };
  readonly model?: OracleModel;
  readonly smape?: number | string;
  readonly rss?: number | string;
  readonly ar2?: number | string;
  readonly re?: number | string;
  readonly rrss?: number | string;
  readonly extrapolation?: readonly {
    readonly point: readonly number[];
    readonly prediction: number | string;
    readonly truth?: number;
  }[];
  readonly ambiguous?: boolean;
  readonly exponents_recovered?: boolean;
  readonly error?: string;
}

export interface OracleTerm {
  readonly coefficient: number;
  readonly factors: readonly { readonly param: number; readonly poly: string; readonly log: string }[];
}

export interface OracleModel {
  readonly kind: string;
  readonly constant: number | string;
  readonly terms?: readonly OracleTerm[];
  readonly segments?: readonly (OracleModel & { readonly from?: number; readonly to?: number })[];
}

export interface OracleRow {
  readonly id: string;
  readonly group: string;
  readonly parameters: readonly string[];
  readonly noise: number;
  readonly truth?: { readonly constant: number; readonly terms: readonly OracleTerm[] };
  readonly in_search_space?: boolean;
  readonly points: readonly {
    readonly point: readonly number[];
    readonly values: readonly number[] | null;
    readonly mean: number;
    readonly median: number;
    readonly minimum: number;
    readonly maximum: number;
    readonly std: number;
    readonly repetitions: number;
  }[];
  readonly runs: readonly OracleRun[];
}

/** The rows, or undefined where the shared data is not there. */
export function oracleRows(): readonly OracleRow[] | undefined {
  const file = sharedData('models/oracle-dev.jsonl');
  if (file === undefined) return undefined;
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OracleRow)
    .filter((row) => (row as { load_error?: string }).load_error === undefined);
}

/** The points of a row as measurements. */
export function pointsOf(row: OracleRow): readonly MeasuredPoint[] {
  return row.points.map(({ std, values, ...point }) => ({
    ...point,
    deviation: std,
    ...(values === null ? {} : { values }),
  }));
}
