import { anonymousNamespace, spellAnonymous } from '../names/anonymous';
import { openmpConstruct } from '../names/openmpConstruct';
import type { CallGraphFunction } from './callGraph';
import type { Profile, Region } from '../profile/profile';

interface KnownFunctions {
  readonly functions: readonly Pick<CallGraphFunction, 'key' | 'name' | 'mangledName' | 'file' | 'line'>[];
}

/**
 * The function key of each region of a profile: by mangled name where only one function has it (files and libraries may have static
 * functions of the same name), else by name and place of the definition, else by place or name alone if that is unambiguous. A region
 * that is not in the graph gets a key of the same form, and so does an OpenMP construct: the function that the compiler makes of it has its line.
 */
export function regionKeys(profile: Pick<Profile, 'regions'>, graph: KnownFunctions): readonly string[] {
  return profile.regions.map(keysAmong(graph));
}

/** The function that maps a region to its key, as in `regionKeys`. */
export function keysAmong(graph: KnownFunctions): (region: Region) => string {
  const byMangled = new Map<string, string | undefined>();
  const byPlace = new Map<string, string | undefined>();
  const byName = new Map<string, string | undefined>();
  for (const f of graph.functions) {
    if (f.mangledName !== undefined)
      byMangled.set(f.mangledName, byMangled.has(f.mangledName) ? undefined : f.key);
    const place = placeOf(f.file, f.line);
    if (place !== undefined) {
      byPlace.set(`${plainName(f.name)}@${place}`, f.key);
      byPlace.set(place, byPlace.has(place) ? undefined : f.key);
    }
    byName.set(f.name, byName.has(f.name) ? undefined : f.key);
  }
  return (region) => {
    const isConstruct = openmpConstruct(region.name) !== undefined;
    const place = isConstruct ? undefined : placeOf(region.file, region.firstLine);
    return (
      byMangled.get(region.mangledName ?? region.name) ??
      (place === undefined
        ? undefined
        : (byPlace.get(`${plainName(region.name)}@${place}`) ?? byPlace.get(place))) ??
      byName.get(region.mangledName ?? region.name) ??
      regionKey(region)
    );
  };
}

/** The key of a function that is known only from a profile. */
export function regionKey(region: Region): string {
  if (region.mangledName !== undefined) return region.mangledName;
  return region.file === undefined || region.firstLine === undefined
    ? region.name
    : `${region.name}@${region.file}:${region.firstLine}`;
}

/** File name without its folders: the compiler may record it relative, the profile absolute. */
function placeOf(file: string | undefined, line: number | undefined): string | undefined {
  if (file === undefined || line === undefined || line <= 0) return undefined;
  return `${file.slice(file.lastIndexOf('/') + 1)}:${line}`;
}

/** `double ns::Grid<int>::at(int) const` → `at`, as is `ns::Grid::at [T = int]`, gcc's way to show it. */
export function plainName(name: string): string {
  const qualified = qualifiedName(name);
  return qualified.slice(qualified.lastIndexOf(':') + 1);
}

/** The name with namespaces and classes, without result, arguments and template arguments: `ns::Grid::at`. */
export function qualifiedName(name: string): string {
  const shown = spellAnonymous(name)
    .replace(/ \[(?:with )?\w+ = .*$/s, '')
    .replaceAll(`${anonymousNamespace}::`, '');
  const head = withoutTemplateArguments(shown).replace(/[(<].*$/s, '');
  return head.slice(Math.max(head.lastIndexOf(' '), head.lastIndexOf('*')) + 1);
}

/** An angle bracket that is not closed, such as that of `operator<`, stays. */
function withoutTemplateArguments(name: string): string {
  const kept: string[] = [];
  const opened: number[] = [];
  for (const character of name) {
    const begin = character === '>' ? opened.pop() : undefined;
    if (begin !== undefined) kept.length = begin;
    else {
      if (character === '<') opened.push(kept.length);
      kept.push(character);
    }
  }
  return kept.join('');
}
