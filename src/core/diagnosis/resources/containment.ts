import { resourceTrees, type Focus, type ResourcePath } from './focus';

/** Whether a resource is another one of the same tree or below it. */
export function isWithin(part: ResourcePath, whole: ResourcePath): boolean {
  return part.length >= whole.length && whole.every((name, level) => part[level] === name);
}

/** Whether all that is measured at `part` is measured at `whole` as well. */
export function isPartOf(part: Focus, whole: Focus): boolean {
  return resourceTrees.every((tree) => isWithin(part[tree], whole[tree]));
}
