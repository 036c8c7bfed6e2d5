import { csvText } from '../../core/csv';
import { intervalText, type ReportLine } from './rows';

const header = [
  ...['description', 'iterations', 'region', 'ranks', 'severity', 'excess'],
  ...['confidence', 'below threshold', 'kind', 'file', 'line'],
  ...['excess deviation', 'chance', 'period', 'jitter', 'cost of each', 'part of'],
];

/** One CSV line per row; severities are shares (0…1) of the phase time, and empty for rows without one. */
export function reportCsv(lines: readonly ReportLine[]): string {
  const rows = lines.map((line) => [
    line.title,
    intervalText(line),
    line.region,
    line.ranks,
    line.severity ?? '',
    line.excess ?? '',
    line.confidence,
    line.belowThreshold ? 'yes' : 'no',
    line.kind,
    line.file ?? '',
    line.line ?? '',
    line.excessDeviation ?? '',
    line.chance ?? '',
    line.periodic?.period ?? '',
    line.periodic?.jitter ?? '',
    line.periodic?.costEach ?? '',
    line.partOf ?? '',
  ]);
  return csvText([header, ...rows]);
}
