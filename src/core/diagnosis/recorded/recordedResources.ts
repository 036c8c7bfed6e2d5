import { at, atFloat } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { PropertyContext } from '../../problems/context/propertyContext';
import type { ResourcePath, ResourceTree } from '../resources/focus';
import type { Amount } from './amounts';
import { codeResources, type CodeResources } from './codeResources';
import { machineResources, type MachineResources } from './machineResources';
import { pathKey } from '../resources/pathKey';

/** The three trees of resources of a profile. */
export interface RecordedResources {
  readonly code: CodeResources;
  readonly machine: MachineResources;
  /** Region of each function, by `pathKey`. */
  readonly regions: ReadonlyMap<string, number>;
  /** Names below each synchronisation object that something waited for, by `pathKey`. */
  readonly syncChildren: ReadonlyMap<string, readonly string[]>;
  readonly knows: (tree: ResourceTree, path: ResourcePath) => boolean;
}

export function recordedResources(
  { profile, activities, names }: PropertyContext,
  synchronisation: Amount,
): RecordedResources {
  const code = codeResources(profile, activities, names);
  const machine = machineResources(profile);
  const regions = new Map<string, number>();
  const modules = new Set<string>();
  code.paths.forEach((path, region) => {
    if (path === undefined) return;
    regions.set(pathKey(path), region);
    modules.add(pathKey(path.slice(0, 1)));
  });
  const syncChildren = namesBelow(syncObjects(profile, synchronisation));
  const syncs = new Set(
    [...syncChildren].flatMap(([above, names]) =>
      names.map((name) => (above === '' ? name : pathKey([above, name]))),
    ),
  );
  const knows = (tree: ResourceTree, path: ResourcePath): boolean => {
    const key = pathKey(path);
    if (path.length === 0) return true;
    if (tree === 'Code') return regions.has(key) || modules.has(key);
    return tree === 'Machine' ? machine.locations.has(key) : syncs.has(key);
  };
  return { code, machine, regions, syncChildren, knows };
}

function namesBelow(paths: readonly ResourcePath[]): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, Set<string>>();
  for (const path of paths)
    path.forEach((name, depth) => {
      getOrMake(below, pathKey(path.slice(0, depth)), () => new Set<string>()).add(name);
    });
  return new Map([...below].map(([key, names]) => [key, [...names]]));
}

/** Those with time. */
function syncObjects(
  { callPaths, locations }: PropertyContext['profile'],
  amount: Amount,
): readonly ResourcePath[] {
  const found = new Map<string, ResourcePath>();
  const width = locations.length;
  for (const { cells, counts, sync } of amount)
    callPaths.region.forEach((region, path) => {
      const object = sync === undefined ? undefined : at(sync, region);
      if (object === undefined || !counts(path) || found.has(pathKey(object))) return;
      for (let i = 0; i < width; i++)
        if (atFloat(cells, path * width + i) > 0) {
          found.set(pathKey(object), object);
          return;
        }
    });
  return [...found.values()];
}
