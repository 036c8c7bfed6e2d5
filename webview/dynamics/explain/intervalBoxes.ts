import type { IntervalNode } from '../../../src/core/signal/signal';
import type { SeriesModel } from '../base/seriesModel';

/** An interval for drawing. */
export interface TreeBox {
  readonly node: IntervalNode;
  /** First and last iteration, from 0. */
  readonly from: number;
  readonly to: number;
  /** Depth in the tree; 0 for roots. */
  readonly depth: number;
  /** Position of its parent; absent for roots. */
  readonly parent?: number;
}

export interface IntervalTree {
  /** Intervals from coarse to fine, parents before their children, siblings from left to right. */
  readonly boxes: readonly TreeBox[];
  /** Standard deviations of the kernels in iterations, finest first. */
  readonly sigmas: readonly number[];
  /** Inflection points over the scales: the iteration at the finest scale, at the next one, … as far as each exists. */
  readonly contours: readonly Float64Array[];
}

export const noTree: IntervalTree = { boxes: [], sigmas: [], contours: [] };

/** The interval tree of a series, level by level. */
export function treeOf(model: SeriesModel): IntervalTree {
  const { roots, sigmas, contours } = model.explanation;
  const { length } = model.detail.values;
  if (length < 2) return noTree;
  const boxes: TreeBox[] = [];
  const box = (node: IntervalNode, depth: number, parent?: number): TreeBox => {
    const [left, right] = [Math.ceil(node.left), Math.floor(node.right)];
    const first = Math.min(length - 1, Math.max(0, Math.min(left, right)));
    const last = Math.min(length - 1, Math.max(first, right));
    return {
      node,
      from: model.extent(first)[0],
      to: model.extent(last)[1],
      depth,
      ...(parent === undefined ? {} : { parent }),
    };
  };
  for (const root of roots) boxes.push(box(root, 0));
  // The loop appends to the list that it visits.
  for (let index = 0; index < boxes.length; index++) {
    const parent = boxes[index];
    for (const child of parent?.node.children ?? []) boxes.push(box(child, (parent?.depth ?? 0) + 1, index));
  }
  const scales = boxes.reduce((most, { node }) => Math.max(most, node.scaleHigh + 1), 0);
  return {
    boxes,
    sigmas: Array.from(sigmas.slice(0, scales), (sigma) => sigma * model.step),
    contours: contours.map(({ positions }) =>
      positions.map((position) => (position + 0.5) * model.step - 0.5),
    ),
  };
}
