import { at } from '../at';
import { readPrettyName } from './prettyName';
import type { Region } from '../profile/profile';

/** Longer names would push the numbers out of sight. */
const mostCharacters = 80;

/** Names of regions for sentences: without result, parameters and template arguments where they are unique so. */
export function shownNames(regions: readonly Pick<Region, 'name' | 'paradigm'>[]): readonly string[] {
  const brief = regions.map(briefName);
  const seen = new Map<string, number>();
  for (const name of brief) seen.set(name, (seen.get(name) ?? 0) + 1);
  return regions.map((region, index) => {
    const name = at(brief, index);
    return shortened(seen.get(name) === 1 ? name : region.name);
  });
}

/** OpenMP and user regions have the names that the source gives them. */
function briefName({ name, paradigm }: Pick<Region, 'name' | 'paradigm'>): string {
  if (paradigm !== 'compiler' || !name.includes('(')) return name;
  const { qualifiedName } = readPrettyName(name);
  return qualifiedName === '' ? name : qualifiedName;
}

function shortened(name: string): string {
  const plain = name.replace(/\p{Cc}+/gu, ' ');
  return plain.length <= mostCharacters ? plain : `${plain.slice(0, mostCharacters - 1).trimEnd()}…`;
}
