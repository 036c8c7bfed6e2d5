import type { DynamicsResult } from '../../core/properties/dynamics/result';
import { dynamicsCsv } from './csv';
import { dynamicsJson } from './document';
import { dynamicsMarkdown } from './markdown';

export const reportFormats = ['json', 'csv', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** A report in one of the formats; the same text wherever it is made. `log` says how, so that it can be made again. */
export function dynamicsReport(result: DynamicsResult, log: unknown, format: ReportFormat): string {
  switch (format) {
    case 'json':
      return dynamicsJson(result, log);
    case 'csv':
      return dynamicsCsv(result);
    case 'markdown':
      return dynamicsMarkdown(result, log);
  }
}
