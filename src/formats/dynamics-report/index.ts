import type { DynamicsResult } from '../../core/degradations/model/result';
import { reportCsv } from './csv';
import { dynamicsJson } from './document';
import { reportMarkdown } from './markdown';
import { reportLines } from './rows';

export const reportFormats = ['json', 'csv', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * A report in one of the formats; all surfaces export the same text.
 * @param log inputs and options that reproduce the report; CSV has no room for it
 */
export function dynamicsReport(result: DynamicsResult, log: unknown, format: ReportFormat): string {
  switch (format) {
    case 'json':
      return dynamicsJson(result, log);
    case 'csv':
      return reportCsv(reportLines(result));
    case 'markdown':
      return `${reportMarkdown(result)}\n## How it was made\n\n${indented(log)}\n`;
  }
}

/** A block of code needs no escapes. */
function indented(log: unknown): string {
  return JSON.stringify(log, undefined, 1)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
