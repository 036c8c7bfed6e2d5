import type { PropertyKind } from '../../core/properties/kinds';
import { KymoError } from '../../core/errors';
import { intervalText, readIntervals, type ReportLine } from './rows';

const header = [
  ...['description', 'iterations', 'region', 'ranks', 'severity', 'excess'],
  ...['confidence', 'below threshold', 'kind', 'file', 'line'],
];

/** Rows of a report by RFC 4180, lines end with CRLF; severities are shares (0…1) of the phase time, empty where there are none. */
export function reportCsv(lines: readonly ReportLine[]): string {
  const rows = lines.map((one) => [
    one.title,
    intervalText(one.iterations),
    one.region,
    one.ranks,
    String(one.severity ?? ''),
    String(one.excess ?? ''),
    String(one.confidence),
    one.belowThreshold ? 'yes' : 'no',
    one.kind,
    one.file ?? '',
    String(one.line ?? ''),
  ]);
  return [header, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/**
 * Reads what `reportCsv` wrote.
 * @throws KymoError `bad-report` when it is something else
 */
export function readReportCsv(text: string): readonly ReportLine[] {
  const [first, ...rows] = cellsOf(text);
  if (first?.join() !== header.join())
    throw new KymoError(
      'bad-report',
      `This is no report of dynamics: its first line is not "${header.join(',')}".`,
    );
  return rows.map(([title = '', iterations = '', region = '', ranks = '', severity, excess, ...rest]) => {
    const [confidence = '', below, kind = '', file, line] = rest;
    return {
      kind: kind as PropertyKind,
      title,
      region,
      ...(file === undefined || file === '' ? {} : { file }),
      ...(line === undefined || line === '' ? {} : { line: Number(line) }),
      ranks,
      iterations: readIntervals(iterations),
      ...(severity === undefined || severity === '' ? {} : { severity: Number(severity) }),
      ...(excess === undefined || excess === '' ? {} : { excess: Number(excess) }),
      confidence: Number(confidence),
      belowThreshold: below === 'yes',
    };
  });
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new KymoError('bad-report', 'This is no CSV: a quote is not closed.');
    const [, inQuotes, plain = '', end] = match;
    row.push(inQuotes?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
