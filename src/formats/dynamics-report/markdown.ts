import { formatPercent } from '../../core/format';
import { markdownCell as cell } from '../../core/markdown';
import type { DynamicsResult } from '../../core/degradations/model/result';
import { intervalText, reportLines, seriesOfRows, type ReportLine } from './rows';

/** A report for readers: a table of rows, the sentences of the series, related findings, and notes. */
export function reportMarkdown(result: DynamicsResult): string {
  const { iterations, phase, properties, rows, notes } = result;
  const own = new Set(rows.map(({ property }) => property));
  const related = new Set(properties.filter(({ id }) => !own.has(id)).map(({ title }) => title));
  return [
    '# Performance dynamics',
    '',
    `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}${phase === undefined ? '' : ` of ${cell(phase)}`}. Severities are shares of the phase time of the process, or of a thread’s own time where that is longer; excess is what the degradation itself costs.`,
    '',
    '| property | iterations | region | ranks | severity | excess | where |',
    '| --- | --- | --- | --- | ---: | ---: | --- |',
    ...reportLines(result).map((line) => `| ${lineCells(line).map(cell).join(' | ')} |`),
    ...section('Related', [...related].map(cell)),
    ...section(
      'In words',
      seriesOfRows(result)
        .slice(0, mostSentences)
        .map(
          ({ context: { region, rank }, sentence }) =>
            `${cell(region.name)}, rank ${rank}: ${cell(sentence)}`,
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

export function lineCells(line: ReportLine): readonly string[] {
  const { title, region, file, ranks, severity, excess, belowThreshold } = line;
  return [
    line.partOf === undefined ? title : `└ ${title}`,
    intervalText(line),
    region,
    ranks,
    severity === undefined ? '-' : formatPercent(severity),
    excess === undefined ? '' : `${formatPercent(excess)}${belowThreshold ? ' (below the threshold)' : ''}`,
    file === undefined ? '' : `${file}:${line.line ?? 1}`,
  ];
}
