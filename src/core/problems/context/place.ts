import type { Profile, Region } from '../../profile/profile';
import type { Property } from '../../properties/property';

/** Where a region is defined, as properties show it. */
export function placeOf(region: Region): NonNullable<Property['region']> {
  const file = sourceFile(region);
  return {
    name: region.name,
    ...(file === undefined ? {} : { file }),
    ...(region.firstLine === undefined || region.firstLine <= 0 || isPseudoFile(region.file)
      ? {}
      : { line: region.firstLine }),
  };
}

/** The source file of a region. Score-P writes `MPI`, `OMP` and the like where there is none. */
export function sourceFile({ file }: Region): string | undefined {
  return file === '' || isPseudoFile(file) ? undefined : file;
}

function isPseudoFile(file: string | undefined): boolean {
  return file !== undefined && /^[A-Z]*$/.test(file);
}

/** The nearest function with a source above a call path: where a library is called, or an OpenMP construct stands. */
export function nearestFunction({ callPaths, regions }: Profile, path: number): Region | undefined {
  for (let at = callPaths.parent[path] ?? -1; at >= 0; at = callPaths.parent[at] ?? -1) {
    const region = regions[callPaths.region[at] ?? -1];
    if (region !== undefined && region.paradigm !== 'openmp' && sourceFile(region) !== undefined)
      return region;
  }
  return undefined;
}
