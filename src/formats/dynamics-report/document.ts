import { present } from '../../core/present';
import type { SeriesRegion } from '../../core/series/series';
import type { Episode, Pattern } from '../../core/signal/signal';
import type {
  AnalysedSeries,
  DynamicsResult,
  ReportRow,
  RuleTrace,
} from '../../core/degradations/model/result';

/**
 * The result of `kymo dynamics --json` (docs/INTERFACES.md): all surfaces export the same document. Iterations count from 1.
 *
 * @param log inputs and options, sufficient to reproduce the analysis
 */
export function dynamicsDocument(
  result: DynamicsResult,
  log: unknown,
  options: { readonly trace?: boolean } = {},
): Readonly<Record<string, unknown>> {
  const { iterations, unit, phase, series, rows, properties, trace, noDynamics, notes } = result;
  return {
    kymoDynamics: 1,
    iterations,
    unit,
    ...present({ phase }),
    noDynamics,
    notes,
    series: series.map(seriesOf),
    rows: rows.map(rowOf),
    properties,
    ...(options.trace === true ? { trace: trace.map(traceOf) } : {}),
    log,
  };
}

/** The document as text of a file. */
export function dynamicsJson(result: DynamicsResult, log: unknown): string {
  return `${JSON.stringify(dynamicsDocument(result, log))}\n`;
}

function seriesOf(series: AnalysedSeries): Readonly<Record<string, unknown>> {
  const { context, rule, kind, impact, impactShare, phaseTime, energies, noise } = series;
  const { others, sentence, period, missing } = series;
  const { region, callPath, metric, rank, thread } = context;
  return {
    ...place(region),
    ...present({ callPath: callPath?.map(({ name }) => name) }),
    metric,
    rank,
    thread,
    rule,
    ...present({ kind }),
    impact,
    impactShare,
    phaseTime,
    energies,
    noise,
    episodes: series.episodes.map(episodeOf),
    patterns: series.patterns.map(patternOf),
    ...(others.count === 0 ? {} : { others }),
    sentence,
    ...present({ period }),
    missing,
  };
}

function episodeOf({ letter, from, to, sum, stability }: Episode): Readonly<Record<string, unknown>> {
  return { letter, from: from + 1, to: to + 1, sum, stability };
}

function patternOf(pattern: Pattern): Readonly<Record<string, unknown>> {
  const { from, to, core, at, onset, end, ...rest } = pattern;
  const fromOne = (range: readonly [number, number] | undefined): readonly number[] | undefined =>
    range?.map((iteration) => iteration + 1);
  return {
    ...rest,
    from: from + 1,
    to: to + 1,
    ...present({
      core: fromOne(core),
      at: at === undefined ? undefined : at + 1,
      onset: fromOne(onset),
      end: fromOne(end),
    }),
  };
}

function rowOf(row: ReportRow): Readonly<Record<string, unknown>> {
  const { title, kind, region, callPath, metric, ranks, iterations, severity, excess } = row;
  const { all, excessDeviation, chance, onset, periodic, partOf } = row;
  return {
    title,
    kind,
    ...place(region),
    ...present({ callPath: callPath?.map(({ name }) => name) }),
    metric,
    ranks,
    iterations,
    ...present({ all, severity, excess, excessDeviation, onset, chance, periodic }),
    confidence: row.confidence,
    belowThreshold: row.belowThreshold,
    rule: row.rule,
    property: row.property,
    ...present({ partOf }),
  };
}

function traceOf({ context, series, ...rest }: RuleTrace): Readonly<Record<string, unknown>> {
  const { region, metric, rank, thread } = context;
  return { ...place(region), metric, rank, thread, ...rest, ...present({ series }) };
}

function place({ name, file, line }: SeriesRegion): Readonly<Record<string, unknown>> {
  return {
    region: name,
    ...present({ file, line }),
  };
}
