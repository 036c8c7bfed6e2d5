import { hasNumbers } from '../../core/profile/metrics';
import type { Profile, Region } from '../../core/profile/profile';
import { depths } from '../../core/profile/tree';
import { exclusive, inclusive } from '../../core/profile/values';

/** A column that is not of the profile itself: computed from it, one value per call path. */
export interface ComputedColumn {
  readonly title: string;
  readonly values: Float64Array;
}

/**
 * A table (RFC 4180, lines end with CRLF): one line per call path in pre-order, with its position, its parent's (empty at a
 * root), depth, region, mangled name, file and lines, then for each metric with values the inclusive and the exclusive value,
 * combined over locations, then what was computed. Numbers are exact (the shortest text that reads back as the same double).
 */
export function* csvLines(profile: Profile, computed: readonly ComputedColumn[] = []): Generator<string> {
  const metrics = profile.metrics.filter(hasNumbers);
  const columns = metrics.flatMap(({ name }) => [inclusive(profile, name), exclusive(profile, name)]);
  const header = ['callPath', 'parent', 'depth', 'region', 'mangledName', 'file', 'line', 'endLine'];
  yield line([
    ...header,
    ...metrics.flatMap(({ name }) => [`${name} (inclusive)`, `${name} (exclusive)`]),
    ...computed.map(({ title }) => title),
  ]);
  const { count, parent, region } = profile.callPaths;
  const depth = depths(profile.callPaths);
  for (let i = 0; i < count; i++) {
    const above = parent[i] ?? -1;
    yield line([
      i,
      above < 0 ? '' : above,
      depth[i] ?? 0,
      ...regionCells(profile.regions[region[i] ?? -1]),
      ...columns.map((column) => column[i] ?? 0),
      ...computed.map(({ values }) => values[i] ?? 0),
    ]);
  }
}

function regionCells(region: Region | undefined): (string | number)[] {
  if (region === undefined) return ['', '', '', '', ''];
  const { name, mangledName = '', file = '', firstLine = '', lastLine = '' } = region;
  return [name, mangledName, file, firstLine, lastLine];
}

function line(cells: readonly (string | number)[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
