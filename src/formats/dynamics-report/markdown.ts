import { formatPercent, shareWithDeviation } from '../../core/format';
import { markdownCell as cell } from '../../core/markdown';
import type { DynamicsResult } from '../../core/degradations/model/result';
import { chanceText } from '../../core/properties/chance';
import {
  belowText,
  hasChances,
  headOf,
  intervalText,
  quantityText,
  relatedTitles,
  reportLines,
  seriesOfRows,
  type ReportLine,
} from './rows';

/** A report for readers: a table of rows, the sentences of the series, related findings, and notes. */
export function reportMarkdown(result: DynamicsResult): string {
  const { phase, notes, rows } = result;
  const withChance = hasChances(rows);
  return [
    '# Performance dynamics',
    '',
    headOf(result, phase === undefined ? undefined : cell(phase)),
    '',
    `| property | iterations | region | ranks | severity | excess | ${withChance ? 'chance | ' : ''}where |`,
    `| --- | --- | --- | --- | ---: | ---: | ${withChance ? '---: | ' : ''}--- |`,
    ...reportLines(result).map((line) => `| ${lineCells(line, withChance).map(cell).join(' | ')} |`),
    ...section('Related', relatedTitles(result).map(cell)),
    ...section(
      'In words',
      seriesOfRows(result)
        .slice(0, mostSentences)
        .map(
          (series) =>
            `${cell(series.context.region.name)}${quantityText(series)}, rank ${series.context.rank}: ${cell(series.sentence)}`,
        ),
    ),
    ...section('Notes', notes.map(cell)),
    '',
  ].join('\n');
}

const mostSentences = 20;

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${item}`)];
}

/** @param withChance whether the table has a column for it */
export function lineCells(line: ReportLine, withChance = false): readonly string[] {
  const { title, region, file, ranks, severity, excess, excessDeviation, chance } = line;
  return [
    line.partOf === undefined ? title : `└ ${title}`,
    intervalText(line),
    region,
    ranks,
    severity === undefined ? '-' : formatPercent(severity),
    excess === undefined ? '' : `${shareWithDeviation(excess, excessDeviation)}${belowText(line)}`,
    ...(withChance ? [chance === undefined ? '' : chanceText(chance)] : []),
    file === undefined ? '' : `${file}:${line.line ?? 1}`,
  ];
}
