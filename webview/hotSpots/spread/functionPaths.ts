import { outermostOfRegion } from '../../../src/core/profile/regions';
import type { Extent } from '../../../src/core/views/rankRows';
import type { Model } from '../model';

/** Call paths whose values make the value of a function: all of it, or for inclusive values those without recursive calls. */
export function functionPaths(
  model: Pick<Model, 'count' | 'parent' | 'region' | 'names'>,
): (region: number, extent: Extent) => readonly number[] {
  let known: { readonly paths: readonly (readonly number[])[]; readonly outermost: Uint8Array } | undefined;
  const find = (): NonNullable<typeof known> => {
    const { count, parent, region, names } = model;
    const paths = names.map((): number[] => []);
    region.forEach((own, path) => paths[own]?.push(path));
    return { paths, outermost: outermostOfRegion({ callPaths: { count, parent, region }, regions: names }) };
  };
  return (region, extent) => {
    known ??= find();
    const { paths, outermost } = known;
    const own = paths[region] ?? [];
    return extent === 'exclusive' ? own : own.filter((path) => outermost[path] === 1);
  };
}
