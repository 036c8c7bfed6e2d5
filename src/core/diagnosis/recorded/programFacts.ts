import { at } from '../../at';
import { placeOf } from '../../profile/place';
import type { ResourcePath } from '../resources/focus';
import type { ProgramFacts, SearchedFunction, SearchNode } from '../search/searchRecord';
import { distinctPaths, pathKey } from '../resources/pathKey';
import type { RecordedRuns } from './recordedRuns';

/** The program of measurements that were searched together, with the functions of these experiments. Its threads are those of the first one. */
export function programFacts(runs: RecordedRuns, nodes: readonly SearchNode[]): ProgramFacts {
  const { base, threads } = runs.first;
  const named = distinctPaths(nodes.map(({ focus }) => focus.Code));
  return { base, threads, functions: named.flatMap((code) => functionOf(runs, code) ?? []) };
}

function functionOf({ runs }: RecordedRuns, code: ResourcePath): SearchedFunction | undefined {
  for (const { resources, context } of runs) {
    const region = resources.regions.get(pathKey(code));
    if (region === undefined) continue;
    const outer = resources.code.within[region];
    return {
      code,
      key: at(context.keys, region),
      name: outer === undefined ? at(context.names, region) : (code.at(-1) ?? ''),
      place: placeOf(outer ?? at(context.profile.regions, region)),
    };
  }
  return undefined;
}
