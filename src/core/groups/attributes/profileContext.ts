import { at, atFloat, atInt, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import { present } from '../../present';
import type { Profile } from '../../profile/profile';
import { exclusivePerLocation, hasVisits } from '../../profile/values';
import type { AttributeKind, FunctionPair, ProcessContext } from '../context';
import { addMember, emptySet } from '../sets/bitSet';
import { firstMembers, refineGroups } from '../sets/refineGroups';

export interface AttributeOptions {
  /** Default: pairs. */
  readonly kind?: AttributeKind;
  /** Names of functions that are no part of the program: their callees are those of their caller. */
  readonly artificial?: readonly string[];
}

/** Inserted by Score-P where it records no functions of the program. */
export const usualArtificial: readonly string[] = ['PARALLEL'];

/**
 * What each location of a profile called: the edges of its call tree that it visited; of a profile without visits, those that took time.
 * Iterations should be folded before, else each is a function.
 */
export function profileContext(profile: Profile, options: AttributeOptions = {}): ProcessContext {
  const { kind = 'pairs' } = options;
  const { locations } = profile;
  const width = locations.length;
  const attributes = pathsOfAttributes(profile, kind, new Set(options.artificial ?? usualArtificial));
  const values = exclusivePerLocation(profile, hasVisits(profile) ? 'visits' : 'time', 'as-stored');
  const has = new Uint8Array(width);
  const mark = (paths: readonly number[]): void => {
    has.fill(0);
    for (const path of paths)
      for (let process = 0; process < width; process++)
        if (atFloat(values, path * width + process) > 0) has[process] = 1;
  };
  const groupOf = new Int32Array(width);
  let count = width === 0 ? 0 : 1;
  for (const { paths } of attributes) {
    mark(paths);
    count = refineGroups(groupOf, has, count);
  }
  const first = firstMembers(groupOf, count);
  const sets = first.map(() => emptySet(attributes.length));
  attributes.forEach(({ paths }, attribute) => {
    mark(paths);
    first.forEach((process, group) => {
      if (has[process] === 1) addMember(at(sets, group), attribute);
    });
  });
  return {
    kind,
    attributes: attributes.map(({ pair }) => pair),
    processes: locations.map(({ name, rank, thread }) => ({ name, rank, thread })),
    sets,
    groupOf,
  };
}

/** The attributes, and the call paths that each of them stands for. */
export function pathsOfAttributes(
  { callPaths: { count, parent, region }, regions }: Profile,
  kind: AttributeKind,
  artificial: ReadonlySet<string>,
): readonly { readonly pair: FunctionPair; readonly paths: readonly number[] }[] {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of regions) getOrMake(files, name, () => new Set()).add(file);
  // Functions of one name in several files are not the same.
  const names = regions.map(({ name, file }) =>
    file !== undefined && (files.get(name)?.size ?? 0) > 1 ? `${name} (${file})` : name,
  );
  const isArtificial = regions.map(({ name }) => artificial.has(name));
  const found = new Map<string, { readonly pair: FunctionPair; readonly paths: number[] }>();
  // The nearest caller that is no artificial function; -1: the virtual root.
  const callers = new Int32Array(count);
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    const skips = above >= 0 && at(isArtificial, atUint(region, above));
    callers[path] = skips ? atInt(callers, above) : above;
    const own = atUint(region, path);
    if (at(isArtificial, own)) continue;
    const callee = at(names, own);
    const by = atInt(callers, path);
    const caller = kind === 'functions' || by < 0 ? undefined : at(names, atUint(region, by));
    const key = `${caller === undefined ? '' : `1${caller}`}\0${callee}`;
    getOrMake(found, key, () => ({ pair: { ...present({ caller }), callee }, paths: [] })).paths.push(path);
  }
  return [...found.values()];
}
