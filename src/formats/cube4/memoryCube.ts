import type { Profile } from '../../core/profile/profile';
import type { CubeFile, RowVisitor } from './cubeFile';
import type { CubeLimits } from './archive/limits';
import { anyIn } from './values/valueTypes';

/** A profile in memory behind the interface of a file. */
export function memoryCube(profile: Profile, limits: CubeLimits, file = 'the profile'): CubeFile {
  const { stored, components, exact, ...rest } = profile;
  const width = profile.locations.length;
  const partsOf = (metric: string): readonly Float64Array[] | undefined => {
    const column = stored.get(metric);
    return components?.get(metric) ?? (column === undefined ? undefined : [column]);
  };
  const rowParts = (metric: string, callPath: number): readonly Float64Array[] | undefined => {
    const from = callPath * width;
    const parts = partsOf(metric);
    if (parts?.some((part) => anyIn(part, from, from + width)) !== true) return undefined;
    return parts.map((part) => part.slice(from, from + width));
  };
  return {
    file,
    definitions: { ...rest, stored: new Map() },
    limits,
    parts: partsOf,
    exact: (metric) => exact?.get(metric),
    row: (metric, callPath) =>
      stored.get(metric)?.slice(callPath * width, (callPath + 1) * width) ?? new Float64Array(width),
    rowParts,
    eachRow(metric: string, visit: RowVisitor, first = 0, end = profile.callPaths.count) {
      for (let callPath = first; callPath < end; callPath++) {
        const parts = rowParts(metric, callPath);
        if (parts !== undefined) visit(callPath, parts);
      }
    },
  };
}
