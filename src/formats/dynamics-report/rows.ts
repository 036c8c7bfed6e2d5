import { allText } from '../../core/properties/property';
import { present } from '../../core/present';
import { staticRule } from '../../core/rules/catalogue';
import { quantityOf } from '../../core/rules/rule';
import type { AnalysedSeries, DynamicsResult, ReportRow } from '../../core/degradations/model/result';

/** Fields of a row that all kinds of tables show. */
export type ReportLine = Pick<
  ReportRow,
  | 'kind'
  | 'title'
  | 'ranks'
  | 'iterations'
  | 'all'
  | 'severity'
  | 'excess'
  | 'excessDeviation'
  | 'chance'
  | 'periodic'
  | 'confidence'
  | 'belowThreshold'
> & {
  readonly region: string;
  readonly file?: string;
  readonly line?: number;
  /** What is a part or a consequence of an event: the first row of it. */
  readonly partOf?: string;
};

export function reportLines({ rows }: Pick<DynamicsResult, 'rows'>): readonly ReportLine[] {
  const events = new Map(rows.map(({ property, title, region }) => [property, `${title} of ${region.name}`]));
  return rows.map((row) => {
    const { kind, title, region, ranks, iterations, confidence, belowThreshold, partOf } = row;
    const { severity, excess, excessDeviation, chance, periodic, all } = row;
    return {
      kind,
      title,
      region: region.name,
      ...present({ file: region.file, line: region.line }),
      ranks,
      iterations,
      ...present({ all, severity, excess, excessDeviation, chance, periodic }),
      confidence,
      belowThreshold,
      ...present({ partOf: partOf === undefined ? undefined : events.get(partOf) }),
    };
  });
}

const legend =
  'Severities are shares of the phase time of the process, or of a thread’s own time where that is longer: what the region takes in these iterations; ' +
  'excess is what the degradation itself costs, also after them. Rows are in order of excess, or of severity where there is none; └ marks parts of the row above.';

/** What the columns of a table for readers mean. */
export function headOf({ iterations, rows }: DynamicsResult, phase: string | undefined): string {
  const head = `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}${phase === undefined ? '' : ` of ${phase}`}. ${legend}`;
  return hasChances(rows)
    ? `${head} Chance is how many series without a change show evidence as strong.`
    : head;
}

/** Stands behind the excess or title of a row that is shown although its problem is below the threshold of the report. */
export function belowText({ excess, belowThreshold }: Pick<ReportRow, 'excess' | 'belowThreshold'>): string {
  return excess !== undefined && belowThreshold ? ' (below the threshold)' : '';
}

/** ` (waiting time)`: what a series has values of, where it is not the time of its region. */
export function quantityText({ rule, context: { metric } }: AnalysedSeries): string {
  const own = staticRule.get(rule)?.definition;
  // A series of an imbalance has the metric of the times that differ.
  if ((metric === 'time' || metric === '') && own?.kind !== 'imbalance') return '';
  return ` (${own === undefined ? metric : quantityOf(own).toLowerCase()})`;
}

/** Whether a table needs a column for them: the published method has none. */
export function hasChances(rows: readonly Pick<ReportRow, 'chance'>[]): boolean {
  return rows.some(({ chance }) => chance !== undefined);
}

/** Sentences that a table of rows does not have: relations between them, and what is periodic. */
export function relatedTitles({ rows, properties }: DynamicsResult): readonly string[] {
  const own = new Set(rows.map(({ property }) => property));
  const related = properties.filter(({ id, kind }) => !own.has(id) || kind === 'periodic-peaks');
  return [...new Set(related.map(({ title }) => title))];
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
