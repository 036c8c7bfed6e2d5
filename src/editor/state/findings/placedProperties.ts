import type { LineMap } from '../../../core/lines/lineMap';
import type { FoundProperty } from '../../../workflows/views/dynamicsInSource';
import { bySeverity } from '../../../core/properties/property';

/** The findings in the regions that begin on one line. */
export interface PropertiesAtLine {
  /** 1-based, in the current text. */
  readonly line: number;
  /** The region's text differs from the measured one. */
  readonly stale: boolean;
  /** The most severe first; never empty. */
  readonly properties: readonly FoundProperty[];
}

/** Properties by the file that they name, without those that have no place. */
export function propertiesByFile(
  properties: readonly FoundProperty[],
): ReadonlyMap<string, readonly FoundProperty[]> {
  const byFile = new Map<string, FoundProperty[]>();
  for (const property of properties) {
    const { file, line } = property.region ?? {};
    if (file === undefined || line === undefined) continue;
    const inFile = byFile.get(file);
    if (inFile === undefined) byFile.set(file, [property]);
    else inFile.push(property);
  }
  return byFile;
}

/** Properties of one file by their current lines, ascending, without those of deleted functions. */
export function placeProperties(
  properties: readonly FoundProperty[],
  map: LineMap,
  lineCount: number,
): readonly PropertiesAtLine[] {
  const lines = new Map<number, { stale: boolean; readonly properties: FoundProperty[] }>();
  for (const property of properties) {
    const place = map.placeOf(property.region?.line ?? 1, property.endLine);
    if (place === undefined || place.line > lineCount) continue;
    const stale = place.stale || property.stale === true;
    const group = lines.get(place.line);
    if (group === undefined) lines.set(place.line, { stale, properties: [property] });
    else {
      group.properties.push(property);
      group.stale ||= stale;
    }
  }
  return [...lines]
    .map(([line, { stale, properties: unsorted }]) => ({
      line,
      stale,
      properties: unsorted.sort(bySeverity),
    }))
    .sort((a, b) => a.line - b.line);
}
