import type { ResourcePath } from './focus';

/** For maps: names contain no NUL. */
export function pathKey(path: ResourcePath): string {
  return path.join('\0');
}
