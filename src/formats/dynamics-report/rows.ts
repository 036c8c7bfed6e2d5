import { present } from '../../core/present';
import type { AnalysedSeries, DynamicsResult, ReportRow } from '../../core/degradations/model/result';

/** Fields of a row that all kinds of tables show. */
export type ReportLine = Pick<
  ReportRow,
  'kind' | 'title' | 'ranks' | 'iterations' | 'severity' | 'excess' | 'confidence' | 'belowThreshold'
> & {
  readonly region: string;
  readonly file?: string;
  readonly line?: number;
};

export function reportLines({ rows }: Pick<DynamicsResult, 'rows'>): readonly ReportLine[] {
  return rows.map(
    ({ kind, title, region, ranks, iterations, severity, excess, confidence, belowThreshold }) => ({
      kind,
      title,
      region: region.name,
      ...present({ file: region.file, line: region.line }),
      ranks,
      iterations,
      ...present({ severity, excess }),
      confidence,
      belowThreshold,
    }),
  );
}

/** One series for each row, without repetitions: the ranks of a row behave alike. */
export function seriesOfRows({
  rows,
  series,
}: Pick<DynamicsResult, 'rows' | 'series'>): readonly AnalysedSeries[] {
  const first = rows.flatMap((row) => row.series.slice(0, 1));
  return [...new Set(first)].flatMap((index) => series[index] ?? []);
}

/** `[1-1028],[1650-2048]`, the notation of the published tables. */
export function intervalText(iterations: ReportRow['iterations']): string {
  return iterations.map(([from, to]) => `[${from}-${to}]`).join(',');
}
