import { atInt, atUint } from '../at';
import { present } from '../present';
import type { Profile, Region } from './profile';

/** Where a region is defined, as properties show it. */
export interface RegionPlace {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

export function placeOf(region: Region): RegionPlace {
  const { name, firstLine } = region;
  const hasLine = firstLine !== undefined && firstLine > 0 && !isPseudoFile(region.file);
  return { name, ...present({ file: sourceFile(region), line: hasLine ? firstLine : undefined }) };
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
  for (let above = atInt(callPaths.parent, path); above >= 0; above = atInt(callPaths.parent, above)) {
    const region = regions[atUint(callPaths.region, above)];
    if (region !== undefined && region.paradigm !== 'openmp' && sourceFile(region) !== undefined)
      return region;
  }
  return undefined;
}
