import { at, atFloat, atInt, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import { hasTime } from '../../profile/metrics';
import type { Profile } from '../../profile/profile';
import { exclusiveCells, hasVisits, inclusivePerLocation } from '../../profile/values';
import type { AttributeKind, FunctionPair, Process, ProcessContext } from '../context';
import { GroupRefiner } from '../sets/refineGroups';
import { artificialNames, type AttributeOptions } from './artificial';
import { AttributeNumbers } from './attributeNumbers';

/**
 * What each location of a profile called: the edges of its call tree that it visited; of a profile without visits, those with inclusive time.
 * Iterations should be folded before, else each is a function.
 */
export function profileContext(profile: Profile, options: AttributeOptions = {}): ProcessContext {
  const kind = options.kind ?? 'pairs';
  const { locations } = profile;
  const width = locations.length;
  const { attributes, paths } = pathsOfAttributes(profile, kind, artificialNames(options));
  const values = presence(profile);
  return contextOfAttributes(
    kind,
    attributes,
    locations.map(({ name, rank, thread }) => ({ name, rank, thread })),
    (attribute, has) => {
      for (const path of at(paths, attribute)) {
        const from = path * width;
        for (let process = 0; process < width; process++)
          if (atFloat(values, from + process) > 0) has[process] = 1;
      }
    },
  );
}

/**
 * A context whose attributes become known one after the other, for more processes and attributes than memory has room for sets.
 * @param mark sets the elements of processes that have an attribute to 1; all are 0 before
 */
export function contextOfAttributes(
  kind: AttributeKind,
  attributes: readonly FunctionPair[],
  processes: readonly Process[],
  mark: (attribute: number, has: Uint8Array) => void,
): ProcessContext {
  const refiner = new GroupRefiner(processes.length, attributes.length);
  const has = new Uint8Array(processes.length);
  for (let attribute = 0; attribute < attributes.length; attribute++) {
    has.fill(0);
    mark(attribute, has);
    refiner.refine(attribute, has);
  }
  return { kind, attributes, processes, ...refiner.groups() };
}

/** Positive where a location visited a call path, `[callPath * locations + location]`. */
function presence(profile: Profile): Float64Array {
  if (!hasVisits(profile)) {
    const cells = profile.callPaths.count * profile.locations.length;
    // A function that only calls others has no time of its own.
    return hasTime(profile) ? inclusivePerLocation(profile, 'time', 'as-stored') : new Float64Array(cells);
  }
  return exclusiveCells(profile, 'visits', 'as-stored');
}

/** The attributes, and by attribute the call paths that it stands for. */
export function pathsOfAttributes(
  { callPaths: { count, parent, region }, regions }: Profile,
  kind: AttributeKind,
  artificial: ReadonlySet<string>,
): { readonly attributes: readonly FunctionPair[]; readonly paths: readonly (readonly number[])[] } {
  const names = distinctNames(regions);
  const isArtificial = regions.map(({ name }) => artificial.has(name));
  const numbers = new AttributeNumbers(kind);
  const paths: number[][] = [];
  // The nearest caller that is no artificial function; -1: the virtual root.
  const callers = new Int32Array(count);
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    const skips = above >= 0 && at(isArtificial, atUint(region, above));
    callers[path] = skips ? atInt(callers, above) : above;
    const own = atUint(region, path);
    if (at(isArtificial, own)) continue;
    const by = atInt(callers, path);
    const caller = by < 0 ? undefined : at(names, atUint(region, by));
    (paths[numbers.of(caller, at(names, own))] ??= []).push(path);
  }
  return { attributes: numbers.attributes, paths };
}

/** By region; functions of one name in several files are not the same. */
function distinctNames(regions: Profile['regions']): readonly string[] {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of regions) getOrMake(files, name, () => new Set()).add(file);
  return regions.map(({ name, file }) =>
    file !== undefined && (files.get(name)?.size ?? 0) > 1 ? `${name} (${file})` : name,
  );
}
