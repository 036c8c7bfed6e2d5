import { formatPercent, shareWithDeviation } from '../../../core/format';
import { chanceText } from '../../../core/properties/chance';
import type {
  AnalysedSeries,
  DynamicsResult,
  ReportRow,
  RuleTrace,
} from '../../../core/degradations/model/result';
import { allText } from '../../../core/properties/property';
import { rankSet } from '../../../core/properties/rankSet';
import {
  belowText,
  hasChances,
  headOf,
  quantityText,
  relatedTitles,
  seriesOfRows,
} from '../../../formats/dynamics-report/rows';
import { printable, rowsText, shortened, type Rows } from '../table';

/** Maximum number of printed rows, the most severe first. */
export const mostRows = 60;
/** Maximum number of sentences that fit on a screen beside the table. */
const mostSentences = 12;
/** Maximum number of printed conditions; the JSON has all. */
const mostTraces = 200;

/** The printed text: rows, series in words, and notes; it also says that there are no dynamics. */
export function dynamicsText(result: DynamicsResult, options: { readonly explain: boolean }): string {
  const { phase, rows, notes, trace } = result;
  return [
    headOf(result, phase === undefined ? undefined : printable(phase)),
    ...block([rowsText(dynamicsRows(result))]),
    ...(rows.length > mostRows ? [`and ${rows.length - mostRows} more (--json and --out have all)`] : []),
    ...block(relatedTitles(result).map(printable)),
    ...block(seriesSentences(result)),
    ...block(notes.map(printable)),
    ...(options.explain ? block(explained(trace)) : []),
  ].join('\n');
}

/** A row for each of the most severe findings. */
export function dynamicsRows({ rows, series }: Pick<DynamicsResult, 'rows' | 'series'>): Rows {
  const withChance = hasChances(rows);
  return {
    heads: [
      'severity',
      'excess',
      ...(withChance ? ['chance'] : []),
      'what',
      'iterations',
      'region',
      'ranks',
      'where',
    ],
    cells: rows.slice(0, mostRows).map((row) => cells(row, series, withChance)),
    numbers: withChance ? 3 : 2,
  };
}

function block(lines: readonly string[]): readonly string[] {
  return lines.every((line) => line === '') ? [] : ['', ...lines];
}

function cells(row: ReportRow, series: readonly AnalysedSeries[], withChance: boolean): readonly string[] {
  const { severity, excess, excessDeviation, chance, title, region, callPath, partOf } = row;
  const { file, line } = region;
  const names = callPath?.map(({ name }) => shortened(name, 40)).join(' > ');
  return [
    severity === undefined ? '-' : formatPercent(severity),
    excess === undefined ? '' : shareWithDeviation(excess, excessDeviation),
    ...(withChance ? [chance === undefined ? '' : chanceText(chance)] : []),
    // What happens at the same time as the row above, because of it or with it.
    `${partOf === undefined ? '' : '└ '}${title}${belowText(row)}`,
    intervalsText(row),
    names ?? shortened(region.name),
    ranksText(row, series),
    file === undefined ? '' : `${file}:${line ?? 1}`,
  ];
}

/** Ranks of a row. Threads are named only if one of them is not the first of its process. */
function ranksText({ ranks, series: of }: ReportRow, series: readonly AnalysedSeries[]): string {
  const threads = new Set(of.flatMap((position) => series[position]?.context.thread ?? []));
  if ([...threads].every((thread) => thread === 0)) return ranks;
  return `${ranks} (${threads.size === 1 ? 'thread' : 'threads'} ${rankSet(threads)})`;
}

/** Maximum number of shown intervals of a row. */
const mostIntervals = 5;

function intervalsText({ iterations, all }: ReportRow): string {
  if (all !== undefined) return allText(all);
  const shown = iterations
    .slice(0, mostIntervals)
    .map(([from, to]) => (from === to ? `[${from}]` : `[${from}-${to}]`));
  const more = iterations.length - shown.length;
  return `${shown.join(',')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A sentence on one series per row, because the ranks of a row behave alike. @param command as of `remarks` */
export function seriesSentences(result: DynamicsResult, command = ''): readonly string[] {
  const lines = seriesOfRows(result)
    .slice(0, mostSentences)
    .map((analysed) => `${seriesName(analysed)}: ${printable(analysed.sentence)}`);
  const more = result.series.length - lines.length;
  return more > 0 ? [...lines, `(${more} more series: ${command}--json has all)`] : lines;
}

export function seriesName(series: AnalysedSeries): string {
  const { region, rank, thread } = series.context;
  const place = thread === 0 ? `rank ${rank}` : `rank ${rank}, thread ${thread}`;
  return `${shortened(printable(region.name))}${printable(quantityText(series))}, ${place}`;
}

function explained(trace: readonly RuleTrace[]): readonly string[] {
  const lines = trace.slice(0, mostTraces).map(({ rule, context, tests, holds }) => {
    const numbers = tests.map(
      ({ text, left, operator, right }) => `${text} (${digits(left)} ${operator} ${digits(right)})`,
    );
    return `${holds ? 'yes' : 'no '}  ${rule}, ${shortened(printable(context.region.name))}, ${ranksOfTrace(context)}: ${numbers.join('; ')}`;
  });
  return trace.length > mostTraces
    ? [...lines, `and ${trace.length - mostTraces} more (--json has all)`]
    : lines;
}

/** Conditions on all ranks together have none of their own. */
function ranksOfTrace({ rank }: RuleTrace['context']): string {
  return rank < 0 ? 'all ranks' : `rank ${rank}`;
}

function digits(value: number): string {
  return Number(value.toPrecision(4)).toString();
}
