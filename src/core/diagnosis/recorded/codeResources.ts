import { at, atInt, atUint } from '../../at';
import type { Activity } from '../../functions/activities';
import { getOrMake } from '../../getOrMake';
import { nearestFunction, sourceFile } from '../../profile/place';
import type { Profile, Region } from '../../profile/profile';
import { codeName, moduleNames } from '../resources/codeNames';
import type { ResourcePath } from '../resources/focus';

/** The functions of a profile as a tree of modules, and their calls. */
export interface CodeResources {
  /**
   * Per region: its module (file) and name. Undefined for what is no code of the program: MPI, waiting for threads, calls of input, output and memory, and roots. Their time
   * belongs to the function that calls them.
   */
  readonly paths: readonly (ResourcePath | undefined)[];
  /** Per region: the function that it is in, for OpenMP constructs whose line is not known. */
  readonly within: readonly (Region | undefined)[];
  /** Regions that no other code calls, in the order of the call tree. */
  readonly entries: readonly number[];
  /** Per region, those that it calls, through MPI and the like, too. */
  readonly callees: readonly (readonly number[])[];
}

export function codeResources(
  profile: Profile,
  activities: readonly Activity[],
  names: readonly string[],
): CodeResources {
  const isCode = activities.map((activity) => activity === 'computation');
  const modules = moduleNames(
    profile.regions.flatMap((region, index) => (isCode[index] === true ? fileOf(region) : [])),
  );
  const within = enclosing(profile, isCode);
  const nameOf = new Map(profile.regions.map((region, index) => [region, at(names, index)]));
  const name = codeName();
  const paths = profile.regions.map((region, index): ResourcePath | undefined => {
    if (isCode[index] !== true) return undefined;
    const outer = within[index];
    const [file] = fileOf(outer ?? region);
    const own = `${at(names, index)}${outer === undefined ? '' : ` in ${nameOf.get(outer) ?? outer.name}`}`;
    return name(file === undefined ? undefined : modules.get(file), own);
  });
  return { paths, within, ...callsOf(profile, isCode) };
}

/** The same construct may be called from several functions: then none is it in. */
function enclosing(profile: Profile, isCode: readonly boolean[]): readonly (Region | undefined)[] {
  const { callPaths, regions } = profile;
  const found = new Map<number, Set<Region | undefined>>();
  callPaths.region.forEach((own, path) => {
    const region = at(regions, own);
    if (isCode[own] === true && region.paradigm === 'openmp' && fileOf(region).length === 0)
      getOrMake(found, own, () => new Set<Region | undefined>()).add(nearestFunction(profile, path));
  });
  return regions.map((_, index) => {
    const [first, ...others] = found.get(index) ?? [];
    return others.length === 0 ? first : undefined;
  });
}

function callsOf(
  { callPaths, regions }: Profile,
  isCode: readonly boolean[],
): Pick<CodeResources, 'entries' | 'callees'> {
  const { count, parent, region } = callPaths;
  // The nearest code at or above each call path, -1 where there is none.
  const nearest = new Int32Array(count);
  const entries = new Set<number>();
  const callees = regions.map(() => new Set<number>());
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    const caller = above < 0 ? -1 : atInt(nearest, above);
    const own = atUint(region, path);
    nearest[path] = at(isCode, own) ? own : caller;
    if (!at(isCode, own)) continue;
    if (caller < 0) entries.add(own);
    else if (caller !== own) at(callees, caller).add(own);
  }
  return { entries: [...entries], callees: callees.map((own) => [...own]) };
}

function fileOf(region: Region): readonly string[] {
  const file = sourceFile(region);
  return file === undefined ? [] : [file];
}
