import { at } from '../../at';
import type { SearchedProgram } from '../search/messages';
import type { ResourcePath } from '../resources/focus';
import type { RecordedRuns } from './recordedRuns';
import { distinctPaths, pathKey } from '../resources/pathKey';
import type { RecordedValues } from './recordedValues';

/** The program of one or several measurements: the functions that they recorded, and what each of them saw of hosts, processes, threads and what waits for it. */
export function recordedProgram({ runs }: RecordedRuns): SearchedProgram {
  return {
    entries: distinctPaths(
      runs.flatMap(({ resources: { code } }) => code.entries.flatMap((region) => pathOf(code.paths, region))),
    ),
    callees: (of) => distinctPaths(runs.flatMap((run) => calleesOf(run, of))),
    children: (tree, of) => [
      ...new Set(
        runs.flatMap(({ resources: { machine, syncChildren } }) => {
          const children = tree === 'Machine' ? machine.children : syncChildren;
          return children.get(pathKey(of)) ?? [];
        }),
      ),
    ],
    predictedCost: () => 0,
  };
}

function calleesOf(
  { resources: { code, regions } }: RecordedValues,
  of: ResourcePath,
): readonly ResourcePath[] {
  const region = regions.get(pathKey(of));
  return region === undefined ? [] : at(code.callees, region).flatMap((callee) => pathOf(code.paths, callee));
}

function pathOf(paths: readonly (ResourcePath | undefined)[], region: number): readonly ResourcePath[] {
  const path = paths[region];
  return path === undefined ? [] : [path];
}
