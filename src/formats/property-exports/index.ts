import type { Property } from '../../core/properties/property';
import { propertiesCsv } from './csv';
import { propertiesMarkdown } from './markdown';
import { propertiesSarif } from './sarif';

type Write = (properties: readonly Property[], root: string) => string;

/** File name endings and their writers, the longest ending first. */
const writers: readonly (readonly [ending: string, write: Write])[] = [
  ['.sarif.json', propertiesSarif],
  ['.sarif', propertiesSarif],
  ['.json', (properties) => `${JSON.stringify({ properties }, undefined, 1)}\n`],
  ['.csv', propertiesCsv],
  ['.md', propertiesMarkdown],
];

export const propertyEndings: readonly string[] = writers.map(([ending]) => ending);

/**
 * Exports properties in the format of a file name ending; undefined for unknown endings.
 * @param root absolute path of the workspace: paths of files in it are relative to it
 */
export function propertiesText(
  properties: readonly Property[],
  file: string,
  root: string,
): string | undefined {
  const write = writers.find(([ending]) => file.toLowerCase().endsWith(ending))?.[1];
  return write?.(properties, root);
}
