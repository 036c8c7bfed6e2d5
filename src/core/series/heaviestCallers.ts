import { remembered } from '../remembered';
import { at, atUint } from '../at';
import type { Region } from '../profile/profile';
import { nearestFunction, sourceFile } from '../profile/place';
import type { ProfileRows } from './profileSeries';

/**
 * For regions without a source (MPI, I/O, runtime libraries): the function with a source below which they take most of their time. Keys are
 * positions of regions; regions without any such caller are absent.
 */
export function heaviestCallers(rows: ProfileRows): ReadonlyMap<number, Region> {
  const { definitions } = rows;
  const { callPaths, regions } = definitions;
  const candidates = new Map<number, Map<Region, number>>();
  const callers = new Map<number, Region>();
  for (let path = 0; path < callPaths.count; path++) {
    const callee = atUint(callPaths.region, path);
    if (sourceFile(at(regions, callee)) !== undefined) continue;
    const caller = nearestFunction(definitions, path);
    if (caller === undefined) continue;
    callers.set(path, caller);
    remembered(candidates, callee, () => new Map<Region, number>()).set(caller, 0);
  }
  // The values are needed only where there is a choice.
  if ([...candidates.values()].some((secondsByCaller) => secondsByCaller.size > 1))
    rows.eachRow('time', (path, [values]) => {
      const caller = callers.get(path);
      const secondsByCaller = candidates.get(atUint(callPaths.region, path));
      const seconds = values?.reduce((sum, value) => sum + value, 0) ?? 0;
      if (caller !== undefined) secondsByCaller?.set(caller, (secondsByCaller.get(caller) ?? 0) + seconds);
    });
  return new Map([...candidates].flatMap(([callee, secondsByCaller]) => heaviest(callee, secondsByCaller)));
}

function heaviest(callee: number, secondsByCaller: ReadonlyMap<Region, number>): [number, Region][] {
  const [first] = [...secondsByCaller].sort(([, a], [, b]) => b - a);
  return first === undefined ? [] : [[callee, first[0]]];
}
