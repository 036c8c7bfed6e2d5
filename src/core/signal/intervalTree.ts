/**
 * The interval tree of a signal (Witkin; specification of performance dynamics, §6.7): intervals between neighbouring inflection points,
 * over the scales where they exist.
 */
import { atFloat, atInt } from '../at';
import type { Crossings, TrackedContours } from '../transforms/contours';
import type { IntervalNode } from './signal';

/** With the samples that the interval holds; children tile their parent. */
export interface TreeNode extends IntervalNode {
  readonly first: number;
  readonly last: number;
  readonly children: readonly TreeNode[];
}

/** A node under construction. Crossings are positions at the scale that was reached; -1 and count are the ends of the domain. */
interface OpenNode {
  leftCrossing: number;
  rightCrossing: number;
  scaleLow: number;
  readonly scaleHigh: number;
  readonly sign: -1 | 0 | 1;
  children: OpenNode[];
}

/** Roots from left to right; they tile the domain. Without curvature: one node. */
export function intervalTree({ crossings, finer }: TrackedContours, length: number): TreeNode[] {
  const finest = crossings[0];
  if (finest === undefined) return [flatNode(length)];
  const top = crossings.length - 1;
  const roots = intervalsAt(crossings, top, -1, crossings[top]?.count ?? 0);
  let alive = roots;
  for (let k = top - 1; k >= 0; k--) alive = descend(alive, crossings, finer[k + 1] ?? new Int32Array(0), k);
  return roots.map((root) => close(root, finest, length));
}

function flatNode(length: number): TreeNode {
  return {
    left: -0.5,
    right: length - 0.5,
    first: 0,
    last: length - 1,
    sign: 0,
    scaleLow: 0,
    scaleHigh: 0,
    stability: 1,
    children: [],
  };
}

/** New nodes between the crossings `left` and `right` of scale k. */
function intervalsAt(
  crossings: TrackedContours['crossings'],
  k: number,
  left: number,
  right: number,
): OpenNode[] {
  const nodes: OpenNode[] = [];
  const start = crossings[k]?.startSign ?? 0;
  for (let leftCrossing = left; leftCrossing < right; leftCrossing++) {
    const sign = leftCrossing % 2 === 0 ? opposite(start) : start;
    nodes.push({
      leftCrossing,
      rightCrossing: leftCrossing + 1,
      scaleLow: 0,
      scaleHigh: k,
      sign,
      children: [],
    });
  }
  return nodes;
}

function opposite(sign: -1 | 0 | 1): -1 | 0 | 1 {
  return sign === 1 ? -1 : sign === -1 ? 1 : 0;
}

/** Takes the nodes that live at scale k+1 to scale k: each lives on, or is split into its children. */
function descend(
  alive: readonly OpenNode[],
  crossings: TrackedContours['crossings'],
  links: Int32Array,
  k: number,
): OpenNode[] {
  const next: OpenNode[] = [];
  const count = crossings[k]?.count ?? 0;
  for (const node of alive) {
    const left = node.leftCrossing < 0 ? -1 : atInt(links, node.leftCrossing);
    const right = node.rightCrossing < links.length ? atInt(links, node.rightCrossing) : count;
    if (right - left === 1) {
      node.leftCrossing = left;
      node.rightCrossing = right;
      next.push(node);
    } else {
      node.scaleLow = k + 1;
      node.children = intervalsAt(crossings, k, left, right);
      for (const child of node.children) next.push(child);
    }
  }
  return next;
}

/** Places from the finest scale; the depth is at most the number of scales. */
function close(node: OpenNode, finest: Crossings, length: number): TreeNode {
  const { sign, scaleLow, scaleHigh } = node;
  const children = node.children.map((child) => close(child, finest, length));
  const [first, last] = [children[0], children.at(-1)];
  const left = first ?? startOf(node.leftCrossing, finest);
  const right = last ?? endOf(node.rightCrossing, finest, length);
  return {
    left: left.left,
    right: right.right,
    first: left.first,
    last: right.last,
    sign,
    scaleLow,
    scaleHigh,
    stability: scaleHigh - scaleLow + 1,
    children,
  };
}

function startOf(crossing: number, { positions, samples }: Crossings): Pick<TreeNode, 'left' | 'first'> {
  return crossing < 0
    ? { left: -0.5, first: 0 }
    : { left: atFloat(positions, crossing), first: atInt(samples, crossing) };
}

function endOf(crossing: number, finest: Crossings, length: number): Pick<TreeNode, 'right' | 'last'> {
  const { positions, samples, count } = finest;
  return crossing >= count
    ? { right: length - 0.5, last: length - 1 }
    : { right: atFloat(positions, crossing), last: atInt(samples, crossing) - 1 };
}
