import type { Digest } from '../../../core/digest/digest';
import { regionKinds, type NamedRegion } from '../../../formats/kymo-result/resultFile';

/** The regions of a digest as results have them. */
export function namedRegions({ regions }: Digest): readonly NamedRegion[] {
  return regions.map(({ name, kind, file, line }) => ({
    name,
    kind: regionKinds[kind] ?? 'region',
    ...(file === '' ? {} : { file }),
    ...(line === 0 ? {} : { line }),
  }));
}
