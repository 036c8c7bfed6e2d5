import type { ResourcePath } from './focus';

/** For maps: names contain no NUL. */
export function pathKey(path: ResourcePath): string {
  return path.join('\0');
}

export function distinctPaths(paths: readonly ResourcePath[]): readonly ResourcePath[] {
  return [...new Map(paths.map((path) => [pathKey(path), path])).values()];
}
