import { lastRunShare } from '../../../core/functions/shareOrder';
import type { PlacedGroup } from '../../state/places/placedGroups';

/** Lower bounds of the levels: exclusive share (0…1) of the run time. Below the first there is no heat. */
export const heatBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5] as const;

/** Lines, 1-based and inclusive. */
export type LineRange = readonly [first: number, last: number];

/** Level 0…6; undefined for a share that is too small. */
export function heatLevel(share: number): number | undefined {
  const above = heatBounds.filter((bound) => share >= bound).length;
  return above === 0 ? undefined : above - 1;
}

/**
 * Sum of the exclusive shares in the last run, over all instances in a group. The time of functions that the run did not record counts for
 * their callers' lines.
 */
function exclusiveShareOf({ functions }: PlacedGroup): number {
  return Math.min(
    1,
    functions.reduce((sum, row) => sum + (lastRunShare(row, 'exclusiveShare') ?? 0), 0),
  );
}

/** The lines of each level. A line belongs to the innermost function around it. */
export function heatRanges(groups: readonly PlacedGroup[]): readonly (readonly LineRange[])[] {
  const levels: LineRange[][] = heatBounds.map(() => []);
  /** Enclosing groups, the outermost first; `next` is the first line of the group without a level. */
  const open: { readonly group: PlacedGroup; next: number }[] = [];
  const give = (entry: { readonly group: PlacedGroup; next: number }, last: number): void => {
    const level = heatLevel(exclusiveShareOf(entry.group));
    if (level !== undefined && entry.next <= last) levels[level]?.push([entry.next, last]);
    entry.next = Math.max(entry.next, last + 1);
  };
  const closeBefore = (line: number): void => {
    for (let top = open.at(-1); top !== undefined && top.group.endLine < line; top = open.at(-1)) {
      give(top, top.group.endLine);
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined) outer.next = Math.max(outer.next, top.next);
    }
  };
  for (const group of groups) {
    closeBefore(group.line);
    const outer = open.at(-1);
    if (outer !== undefined) give(outer, group.line - 1);
    open.push({ group, next: group.line });
  }
  closeBefore(Number.MAX_SAFE_INTEGER);
  return levels;
}
