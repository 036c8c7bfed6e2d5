import type { Property } from '../../core/properties/property';
import { propertiesCsv } from './csv';
import { propertiesMarkdown } from './markdown';
import { propertiesSarif } from './sarif';

type Write = (properties: readonly Property[], root: string) => string;

/** Endings of files with what writes them; the longest first. */
const writers: readonly (readonly [ending: string, write: Write])[] = [
  ['.sarif.json', propertiesSarif],
  ['.sarif', propertiesSarif],
  ['.json', (properties) => `${JSON.stringify({ properties }, undefined, 1)}\n`],
  ['.csv', propertiesCsv],
  ['.md', propertiesMarkdown],
];

export const propertyEndings: readonly string[] = writers.map(([ending]) => ending);

/**
 * Properties in the format that a file's ending names; undefined for an ending that names none.
 * @param root absolute path of the workspace: files below it are named relative to it
 */
export function propertiesText(
  properties: readonly Property[],
  file: string,
  root: string,
): string | undefined {
  const write = writers.find(([ending]) => file.toLowerCase().endsWith(ending))?.[1];
  return write?.(properties, root);
}
