import { at } from '../../core/at';
import { checkProcesses } from './limits';

/** A tree without hosts: for each process, level by level from the front end (position 0), the positions of its children. */
export type Shape = readonly { readonly children: readonly number[] }[];

/**
 * Makes a tree level by level.
 *
 * @param levels for each level, the numbers of children of its processes; the last level's children are leaves
 * @throws LayoutError `too-large`
 */
export function shapeOfLevels(levels: readonly (readonly number[])[]): Shape {
  const counts = levels.flat();
  checkProcesses(counts.reduce((sum, count) => sum + count, 1));
  let next = 1;
  const shape = counts.map((count) => {
    const children = Array.from({ length: count }, (_, i) => next + i);
    next += count;
    return { children };
  });
  while (shape.length < next) shape.push({ children: [] });
  return shape;
}

/** All processes of a level have equally many children. */
export function balancedShape(fanOuts: readonly number[]): Shape {
  let width = 1;
  return shapeOfLevels(
    fanOuts.map((fanOut) => {
      const level = new Array<number>(width).fill(fanOut);
      width *= fanOut;
      checkProcesses(width);
      return level;
    }),
  );
}

/**
 * The K-nomial tree of `count` processes: the parent of process i has i's lowest digit that is not 0, in base K, replaced by 0. The
 * child with the largest sub-tree comes first, because it takes longest.
 *
 * @throws LayoutError `too-large`
 */
export function nomialShape(base: number, count: number): Shape {
  checkProcesses(count);
  const members = [0];
  const shape: { readonly children: number[] }[] = [];
  for (let next = 0; next < members.length; next++) {
    const member = at(members, next);
    const children = nomialChildren(member, base, count).map((child) => {
      members.push(child);
      return members.length - 1;
    });
    shape.push({ children });
  }
  return shape;
}

/** Numbers of the children, those with the largest sub-trees first. */
function nomialChildren(member: number, base: number, count: number): readonly number[] {
  const children: number[] = [];
  for (let step = 1; step < count && member % (step * base) === 0; step *= base)
    for (let digit = 1; digit < base && member + digit * step < count; digit++)
      children.push(member + digit * step);
  return children.reverse();
}

/**
 * A balanced tree for any number of leaves: `depth` levels of at most `fanOut` children, and the numbers of children at a level differ by at
 * most one.
 *
 * @throws LayoutError `too-large`
 */
export function evenShape(leaves: number, fanOut: number, depth: number): Shape {
  let below = leaves;
  const widths = [leaves];
  for (let level = 1; level < depth; level++) {
    below = Math.ceil(below / fanOut);
    widths.unshift(below);
  }
  return shapeOfLevels(widths.map((width, level) => shares(width, level === 0 ? 1 : at(widths, level - 1))));
}

/** A number as a sum of `parts` whole numbers that differ by at most one, the larger ones first. */
function shares(total: number, parts: number): readonly number[] {
  return Array.from({ length: parts }, (_, i) => Math.floor(total / parts) + (i < total % parts ? 1 : 0));
}
