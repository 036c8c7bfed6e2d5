import type { KnownFunction } from './matchFunctions';

/**
 * Functions as they are known where some of them are a part of what calls them: the callers of such a function call what it calls. Which functions are recorded
 * differs between measurements, and so nothing may be known by a caller that only one of them was to record.
 * @param folded keys of the functions that are a part of their callers
 */
export function withoutFolded<T extends KnownFunction>(
  all: readonly T[],
  folded: ReadonlySet<string>,
): readonly T[] {
  if (folded.size === 0) return all;
  const known = new Map(all.map((one) => [one.key, one]));
  const through = (keys: ReadonlySet<string>, next: (one: T) => ReadonlySet<string>): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...keys].reverse();
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (seen.has(key)) continue;
      seen.add(key);
      const one = folded.has(key) ? known.get(key) : undefined;
      if (one !== undefined) open.push(...[...next(one)].reverse());
    }
    return new Set([...seen].filter((key) => !folded.has(key)));
  };
  return all
    .filter(({ key }) => !folded.has(key))
    .map((one) => ({
      ...one,
      callees: through(one.callees, ({ callees }) => callees),
      callers: through(one.callers, ({ callers }) => callers),
    }));
}
