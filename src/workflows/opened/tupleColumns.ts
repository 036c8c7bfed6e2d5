import type { CubeTuple } from '../../core/views/cubePieces';
import type { CubeFile } from '../../formats/cube4/cubeFile';

/** Whether a data type stores tuples: number, minimum, maximum and sum of several values (docs/formats/cube4.md). */
export function isTuple(dtype: string): boolean {
  return dtype.trim().toUpperCase() === 'TAU_ATOMIC';
}

/** Number, minimum and maximum of the values recorded in each call path itself, over all locations. */
export function tupleColumns(cube: CubeFile, metric: string): CubeTuple {
  const { count: callPaths } = cube.definitions.callPaths;
  const count = new Float64Array(callPaths);
  const minimum = new Float64Array(callPaths);
  const maximum = new Float64Array(callPaths);
  cube.eachRow(metric, (callPath, [counts, minima, maxima]) => {
    let least = Infinity;
    let most = -Infinity;
    let all = 0;
    counts?.forEach((number, location) => {
      if (!(number > 0)) return;
      all += number;
      least = Math.min(least, minima?.[location] ?? 0);
      most = Math.max(most, maxima?.[location] ?? 0);
    });
    if (all === 0) return;
    count[callPath] = all;
    minimum[callPath] = least;
    maximum[callPath] = most;
  });
  return { count, minimum, maximum };
}
