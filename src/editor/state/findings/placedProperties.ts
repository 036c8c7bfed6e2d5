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

/** Properties with a place by the files that they name. */
export function propertiesByFile(
  properties: readonly FoundProperty[],
): ReadonlyMap<string, readonly FoundProperty[]> {
  const byFile = new Map<string, FoundProperty[]>();
  for (const one of properties) {
    const { file, line } = one.region ?? {};
    if (file === undefined || line === undefined) continue;
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [one]);
    else known.push(one);
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
  for (const one of properties) {
    const place = map.placeOf(one.region?.line ?? 1, one.endLine);
    if (place === undefined || place.line > lineCount) continue;
    const stale = place.stale || one.stale === true;
    const known = lines.get(place.line);
    if (known === undefined) lines.set(place.line, { stale, properties: [one] });
    else {
      known.properties.push(one);
      known.stale ||= stale;
    }
  }
  return [...lines]
    .map(([line, { stale, properties: found }]) => ({
      line,
      stale,
      properties: found.sort(bySeverity),
    }))
    .sort((a, b) => a.line - b.line);
}
