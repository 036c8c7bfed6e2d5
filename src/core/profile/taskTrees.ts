import { atByte, atInt, atUint } from '../at';
import type { Profile } from './profile';

/**
 * OpenMP tasks have a call tree of their own, below the artificial region TASKS, as Score-P writes and the Cube library reads it.
 * In the program's tree a call path of the task's region, where a thread ran tasks while it waited, has the same time.
 */
export function isTaskTree(
  { callPaths, regions }: Pick<Profile, 'callPaths' | 'regions'>,
  root: number,
): boolean {
  const region = regions[atUint(callPaths.region, root)];
  return atInt(callPaths.parent, root) < 0 && region?.name === 'TASKS' && region.role === 'artificial';
}

/** Call paths of the program's tree that contain the time of tasks; the task trees split this time by function. */
export function tasksWithinProgram(profile: Pick<Profile, 'callPaths' | 'regions'>): readonly number[] {
  const { count, parent, region } = profile.callPaths;
  const taskRegions = new Set<number>();
  const isTask = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const above = atInt(parent, i);
    isTask[i] = above < 0 ? Number(isTaskTree(profile, i)) : atByte(isTask, above);
    if (above >= 0 && isTaskTree(profile, above)) taskRegions.add(atUint(region, i));
  }
  if (taskRegions.size === 0) return [];
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (isTask[i] === 0 && taskRegions.has(atUint(region, i))) found.push(i);
  return found;
}
