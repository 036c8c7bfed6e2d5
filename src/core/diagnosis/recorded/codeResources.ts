import { at, atInt, atUint } from '../../at';
import type { Activity } from '../../functions/activities';
import { sourceFile } from '../../profile/place';
import type { Profile, Region } from '../../profile/profile';
import { pushTo } from '../../remembered';
import type { ResourcePath } from '../resources/focus';

/** The functions of a profile as a tree of modules, and their calls. */
export interface CodeResources {
  /**
   * Per region: its module (file) and name. Undefined for what is no code of the program: MPI, waiting for threads, calls of input, output and memory, and roots. Their time
   * belongs to the function that calls them.
   */
  readonly paths: readonly (ResourcePath | undefined)[];
  /** Regions that no other code calls, in the order of the call tree. */
  readonly entries: readonly number[];
  /** Per region, those that it calls, through MPI and the like, too. */
  readonly callees: readonly (readonly number[])[];
}

/** Module of functions without a source file. */
const noSource = 'no source';

export function codeResources(
  profile: Profile,
  activities: readonly Activity[],
  names: readonly string[],
): CodeResources {
  const isCode = activities.map((activity) => activity === 'computation');
  const modules = shortNames(
    profile.regions.flatMap((region, index) => (isCode[index] === true ? fileOf(region) : [])),
  );
  const taken = new Map<string, number>();
  const paths = profile.regions.map((region, index): ResourcePath | undefined => {
    if (isCode[index] !== true) return undefined;
    const [file] = fileOf(region);
    const module = (file === undefined ? undefined : modules.get(file)) ?? noSource;
    const name = at(names, index);
    const count = (taken.get(`${module}\0${name}`) ?? 0) + 1;
    taken.set(`${module}\0${name}`, count);
    return [module, count === 1 ? name : `${name} (${count})`];
  });
  return { paths, ...callsOf(profile, isCode) };
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

/** The last parts of each path, as many as tell it apart from the others. */
export function shortNames(files: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let open = [...new Set(files)].map((file) => ({ file, parts: file.split('/') }));
  for (let length = 1; open.length > 0; length++) {
    const byName = new Map<string, typeof open>();
    for (const one of open) pushTo(byName, one.parts.slice(-length).join('/'), one);
    open = [...byName].flatMap(([name, same]) => {
      const ended = same.filter(({ parts }) => same.length === 1 || parts.length <= length);
      for (const { file } of ended) names.set(file, name);
      return same.filter((one) => !ended.includes(one));
    });
  }
  return names;
}
