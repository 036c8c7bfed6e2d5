import { remembered } from '../remembered';
import { atUint } from '../at';
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
    const at = atUint(callPaths.region, path);
    const region = regions[at];
    if (region === undefined || sourceFile(region) !== undefined) continue;
    const caller = nearestFunction(definitions, path);
    if (caller === undefined) continue;
    callers.set(path, caller);
    remembered(candidates, at, () => new Map<Region, number>()).set(caller, 0);
  }
  // The values are needed only where there is a choice.
  if ([...candidates.values()].some((known) => known.size > 1))
    rows.eachRow('time', (path, [values]) => {
      const caller = callers.get(path);
      const known = candidates.get(atUint(callPaths.region, path));
      const seconds = values?.reduce((sum, value) => sum + value, 0) ?? 0;
      if (caller !== undefined) known?.set(caller, (known.get(caller) ?? 0) + seconds);
    });
  return new Map([...candidates].flatMap(([at, known]) => heaviest(at, known)));
}

function heaviest(at: number, known: ReadonlyMap<Region, number>): [number, Region][] {
  const [first] = [...known].sort(([, a], [, b]) => b - a);
  return first === undefined ? [] : [[at, first[0]]];
}
