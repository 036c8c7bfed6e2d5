import { at, atFloat, atInt, atUint } from '../../core/at';
import { csvText } from '../../core/csv';
import { hasNumbers } from '../../core/profile/metrics';
import type { Profile } from '../../core/profile/profile';
import { depths } from '../../core/profile/tree';
import { exclusive, inclusive } from '../../core/profile/values';

/** A computed column, which the profile does not contain: one value per call path. */
export interface ComputedColumn {
  readonly title: string;
  readonly values: Float64Array;
}

/**
 * A table as CSV: one line per call path in pre-order, with its position, its parent's (empty at a root), depth, region, mangled name,
 * file and lines, then for each metric with values the inclusive and the exclusive value, combined over locations, then the computed
 * columns. Numbers are exact (the shortest text that reads back as the same double).
 */
export function* csvLines(profile: Profile, computed: readonly ComputedColumn[] = []): Generator<string> {
  const metrics = profile.metrics.filter(hasNumbers);
  const columns = [
    ...metrics.flatMap(({ name }) => [inclusive(profile, name), exclusive(profile, name)]),
    ...computed.map(({ values }) => values),
  ];
  const header = ['callPath', 'parent', 'depth', 'region', 'mangledName', 'file', 'line', 'endLine'];
  yield csvText([
    [
      ...header,
      ...metrics.flatMap(({ name }) => [`${name} (inclusive)`, `${name} (exclusive)`]),
      ...computed.map(({ title }) => title),
    ],
  ]);
  const { count, parent, region } = profile.callPaths;
  const depth = depths(profile.callPaths);
  for (let i = 0; i < count; i++) {
    const above = atInt(parent, i);
    const {
      name,
      mangledName = '',
      file = '',
      firstLine = '',
      lastLine = '',
    } = at(profile.regions, atUint(region, i));
    const place = [i, above < 0 ? '' : above, at(depth, i), name, mangledName, file, firstLine, lastLine];
    yield csvText([[...place, ...columns.map((column) => atFloat(column, i))]]);
  }
}
