import { pushTo } from '../../remembered';
import type { ResourcePath } from './focus';
import { pathKey } from './pathKey';

/** Module of functions without a source file. */
const noSource = 'no source';

/** @returns the resource of one function after the other: their names are made unique in each module, so the same order gives the same names */
export function codeName(): (module: string | undefined, name: string) => ResourcePath {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (module = noSource, name) => {
    const key = `${module}\0${name}`;
    let count = counts.get(key) ?? 0;
    let path: ResourcePath;
    // A function may have the name that another one was given.
    do path = [module, ++count === 1 ? name : `${name} (${count})`];
    while (taken.has(pathKey(path)));
    counts.set(key, count);
    taken.add(pathKey(path));
    return path;
  };
}

/** The last parts of each path, as many as tell it apart from the others. */
export function moduleNames(files: readonly string[]): ReadonlyMap<string, string> {
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
