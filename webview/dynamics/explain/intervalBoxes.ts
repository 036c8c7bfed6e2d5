import type { IntervalNode } from '../../../src/core/signal/signal';
import type { SeriesModel } from '../base/seriesModel';

/** An interval as it is drawn. */
export interface TreeBox {
  readonly node: IntervalNode;
  /** First and last iteration, from 0. */
  readonly from: number;
  readonly to: number;
  /** 0: a root. */
  readonly depth: number;
  /** Position of its parent; absent at a root. */
  readonly parent?: number;
}

export interface IntervalTree {
  /** From coarse to fine, parents before their children; those of one parent from left to right. */
  readonly boxes: readonly TreeBox[];
  /** Standard deviations of the kernels in iterations, finest first. */
  readonly sigmas: readonly number[];
  /** Inflection points followed over the scales: iteration at the finest scale, the next one, … as far as each exists. */
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
  // The list grows while it is walked.
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
