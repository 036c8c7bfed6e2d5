import { csvText } from '../../core/csv';
import { intervalText, type ReportLine } from './rows';

const header = [
  ...['description', 'iterations', 'region', 'ranks', 'severity', 'excess'],
  ...['confidence', 'below threshold', 'kind', 'file', 'line'],
];

/** One CSV line per row; severities are shares (0…1) of the phase time, and empty for rows without one. */
export function reportCsv(lines: readonly ReportLine[]): string {
  const rows = lines.map((one) => [
    one.title,
    intervalText(one.iterations),
    one.region,
    one.ranks,
    one.severity ?? '',
    one.excess ?? '',
    one.confidence,
    one.belowThreshold ? 'yes' : 'no',
    one.kind,
    one.file ?? '',
    one.line ?? '',
  ]);
  return csvText([header, ...rows]);
}
