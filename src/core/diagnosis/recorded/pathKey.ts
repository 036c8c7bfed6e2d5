import type { ResourcePath } from '../resources/focus';

/** For maps: names contain no NUL. */
export function pathKey(path: ResourcePath): string {
  return path.join('\0');
}
