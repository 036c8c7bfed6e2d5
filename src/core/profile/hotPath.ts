import { atFloat, atInt } from '../at';
import { metricNamed } from './metrics';
import type { Profile } from './profile';
import { isTaskTree } from './taskTrees';
import { childLinks, type ChildLinks } from './tree';
import { inclusive } from './values';

/**
 * The metric's value of the whole run: its inclusive values at the roots, combined over locations. What is measured while a task runs is
 * part of the program's tree, too, unless it is counted where it happens.
 */
export function total(profile: Profile, metric = 'time'): number {
  const values = inclusive(profile, metric);
  const withTasks = metricNamed(profile, metric).stored !== 'inclusive';
  let sum = 0;
  for (let i = 0; i < values.length; i++)
    if (atInt(profile.callPaths.parent, i) < 0 && (withTasks || !isTaskTree(profile, i)))
      sum += atFloat(values, i);
  return sum;
}

/**
 * The hot path: from the root with the largest inclusive value down to the child with the largest one, as long as that child
 * has at least `threshold` (0…1) of its parent. Positions of call paths, root first; empty when nothing was measured.
 */
export function hotPath(profile: Profile, metric = 'time', threshold = 0.5): number[] {
  return hottestPath(childLinks(profile.callPaths.parent), inclusive(profile, metric), threshold);
}

/** The hot path of a tree by its inclusive values; from `from` (which is its first element), or from the hottest root. */
export function hottestPath(
  links: ChildLinks,
  values: Float64Array,
  threshold: number,
  from?: number,
): number[] {
  const path: number[] = from === undefined ? [] : [from];
  let level = from === undefined ? links.firstRoot : atInt(links.firstChild, from);
  let least = from === undefined ? 0 : atFloat(values, from) * threshold;
  for (;;) {
    const best = hottest(links, values, level);
    if (best < 0) return path;
    const value = atFloat(values, best);
    if (!(value > 0) || value < least) return path;
    path.push(best);
    least = value * threshold;
    level = atInt(links.firstChild, best);
  }
}

/** The one with the largest value among `first` and its following siblings; −1: none. */
function hottest({ nextSibling }: ChildLinks, values: Float64Array, first: number): number {
  let best = first;
  for (let at = first; at >= 0; at = atInt(nextSibling, at))
    if (atFloat(values, at) > atFloat(values, best)) best = at;
  return best;
}
