import { formatPercent } from '../../core/format';
import type { DynamicsResult } from '../../core/properties/dynamics/result';
import { intervalText, reportLines, type ReportLine } from './rows';

/** A report for people: rows as a table, then the sentences of the series, what else is related, and what must be known. */
export function reportMarkdown(result: DynamicsResult): string {
  const { iterations, phase, properties, rows, notes, series } = result;
  const own = new Set(rows.map(({ property }) => property));
  const related = properties.filter(({ id }) => !own.has(id));
  const sentences = series.filter(({ rule }) => rule !== '').slice(0, mostSentences);
  return [
    '# Performance dynamics',
    '',
    `${iterations} iterations${phase === undefined ? '' : ` of ${cell(phase)}`}. Severities are shares of the phase time of the process; excess is what the degradation itself costs.`,
    '',
    '| property | iterations | region | ranks | severity | excess |',
    '| --- | --- | --- | --- | ---: | ---: |',
    ...reportLines(result).map((line) => `| ${lineCells(line).map(cell).join(' | ')} |`),
    ...section(
      'Related',
      related.map(({ title }) => cell(title)),
    ),
    ...section(
      'In words',
      sentences.map(
        ({ context: { region, rank }, sentence }) => `${cell(region.name)}, rank ${rank}: ${cell(sentence)}`,
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

/** Cells of the table's rows as text, for what reads reports. */
export function readReportMarkdown(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(/(?<!\\) \| /)
      .map((one) => unescaped(one)),
  );
}

export function lineCells(line: ReportLine): readonly string[] {
  const { title, iterations, region, ranks, severity, excess, belowThreshold } = line;
  return [
    title,
    intervalText(iterations),
    region,
    ranks,
    severity === undefined ? '-' : formatPercent(severity),
    excess === undefined ? '' : `${formatPercent(excess)}${belowThreshold ? ' (below the threshold)' : ''}`,
  ];
}

/** Names come from programs: they are text, whatever they look like. */
function cell(text: string): string {
  return text
    .replace(/[\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|]/g, '\\$&');
}

function unescaped(text: string): string {
  return text
    .replace(/\\([\\`*_[\]|])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
