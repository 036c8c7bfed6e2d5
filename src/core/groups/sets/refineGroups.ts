import { at, atInt } from '../../at';

/**
 * Divides groups by an attribute, in place: members that have it are not with those that do not. Repeated for all attributes, this leaves processes
 * with equal sets together, and needs four bytes for each process.
 * @param has 1 for processes with the attribute
 * @param count number of groups so far
 * @returns number of groups; they have the order of their first members
 */
export function refineGroups(groupOf: Int32Array, has: Uint8Array, count: number): number {
  // Of each group before: the group of its members with and without the attribute; -1: none yet.
  const parts = new Int32Array(2 * count).fill(-1);
  let next = 0;
  for (let process = 0; process < groupOf.length; process++) {
    const part = 2 * atInt(groupOf, process) + at(has, process);
    let group = atInt(parts, part);
    if (group < 0) {
      group = next++;
      parts[part] = group;
    }
    groupOf[process] = group;
  }
  return next;
}

/** Of each group, its first process. */
export function firstMembers(groupOf: Int32Array, count: number): readonly number[] {
  const first = new Array<number>(count).fill(-1);
  groupOf.forEach((group, process) => {
    if (at(first, group) < 0) first[group] = process;
  });
  return first;
}
