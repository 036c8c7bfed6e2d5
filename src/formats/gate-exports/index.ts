import type { GateReport } from '../../core/gate/report';
import { propertiesSarif } from '../property-exports/sarif';
import { gateJunit } from './junit';
import { gateMarkdown } from './markdown';
import { gateProperties } from './properties';

type Write = (report: GateReport, root: string) => string;

const sarif: Write = (report, root) => propertiesSarif(gateProperties(report), root);

/** File name endings and their writers. */
const writers: readonly (readonly [ending: string, write: Write])[] = [
  ['.sarif', sarif],
  ['.sarif.json', sarif],
  ['.xml', gateJunit],
  ['.md', gateMarkdown],
  ['.json', (report) => `${JSON.stringify(report, undefined, 1)}\n`],
];

export const gateEndings: readonly string[] = writers.map(([ending]) => ending);

/**
 * A report in the format of a file name ending; undefined for unknown endings.
 * @param root absolute path of the workspace: paths of files in it are relative to it
 */
export function gateText(report: GateReport, file: string, root: string): string | undefined {
  const fitting = writers.filter(([ending]) => file.toLowerCase().endsWith(ending));
  const longest = fitting.sort(([a], [b]) => b.length - a.length)[0];
  return longest?.[1](report, root);
}
