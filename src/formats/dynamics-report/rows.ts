import { allText } from '../../core/properties/property';
import { present } from '../../core/present';
import type { AnalysedSeries, DynamicsResult, ReportRow } from '../../core/degradations/model/result';

/** Fields of a row that all kinds of tables show. */
export type ReportLine = Pick<
  ReportRow,
  'kind' | 'title' | 'ranks' | 'iterations' | 'all' | 'severity' | 'excess' | 'confidence' | 'belowThreshold'
> & {
  readonly region: string;
  readonly file?: string;
  readonly line?: number;
  /** What is a part or a consequence of an event: the first row of it. */
  readonly partOf?: string;
};

export function reportLines({ rows }: Pick<DynamicsResult, 'rows'>): readonly ReportLine[] {
  const events = new Map(rows.map(({ property, title, region }) => [property, `${title} of ${region.name}`]));
  return rows.map(
    ({
      kind,
      title,
      region,
      ranks,
      iterations,
      all,
      severity,
      excess,
      confidence,
      belowThreshold,
      partOf,
    }) => ({
      kind,
      title,
      region: region.name,
      ...present({ file: region.file, line: region.line }),
      ranks,
      iterations,
      ...present({ all, severity, excess }),
      confidence,
      belowThreshold,
      ...present({ partOf: partOf === undefined ? undefined : events.get(partOf) }),
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

/** `[1-1028],[1650-2048]`, the notation of the published tables; `[25-19975] (400 iterations)` of more than is listed. */
export function intervalText({ iterations, all }: Pick<ReportRow, 'iterations' | 'all'>): string {
  if (all !== undefined) return allText(all);
  return iterations.map(([from, to]) => `[${from}-${to}]`).join(',');
}
