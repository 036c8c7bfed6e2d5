import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Layout } from '../../../../src/overlay/layout/layout';
import { LayoutError } from '../../../../src/overlay/layout/layoutError';
import {
  depthOf,
  hopsBetween,
  leavesBelow,
  nodeOf,
  pathUp,
  treeDepth,
} from '../../../../src/overlay/layout/treeQueries';
import { layouts } from './trees';

/** Ranks of leaves and depths, found by a walk from the front end. */
function walk(
  { nodes, root }: Layout,
  rank = root,
  depth = 0,
): { readonly depths: Map<number, number>; readonly leaves: number[] } {
  const depths = new Map([[rank, depth]]);
  const leaves: number[] = [];
  const { children } = nodes[rank]!;
  if (children.length === 0) leaves.push(rank);
  for (const child of children) {
    expect(nodes[child]!.parent).toBe(rank);
    const below = walk({ nodes, root, leaves: 0 }, child, depth + 1);
    leaves.push(...below.leaves);
    for (const [of, value] of below.depths) depths.set(of, value);
  }
  return { depths, leaves };
}

describe('ranks and queries', () => {
  test('N3: leaves are ranks 0 to B-1, and parents, children, depths and leaves below agree with a walk, on 100 random trees', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const { nodes, leaves, root } = layout;
        expect(nodes.map(({ rank }) => rank)).toEqual(nodes.map((_, rank) => rank));
        expect(nodes.flatMap(({ rank, children }) => (children.length === 0 ? [rank] : []))).toEqual(
          Array.from({ length: leaves }, (_, rank) => rank),
        );
        const { depths } = walk(layout);
        expect(depths.size).toBe(nodes.length);
        for (const [rank, depth] of depths) {
          expect(depthOf(layout, rank)).toBe(depth);
          expect(leavesBelow(layout, rank)).toEqual(walk(layout, rank).leaves.sort((a, b) => a - b));
        }
        expect(treeDepth(layout)).toBe(Math.max(...depths.values()));
        expect(pathUp(layout, 0).at(-1)).toBe(root);
      }),
      { numRuns: 100 },
    );
  });

  test('N3: hops between two processes go over their nearest common ancestor', () => {
    fc.assert(
      fc.property(layouts, fc.nat(), fc.nat(), (layout, first, second) => {
        const [a, b] = [first % layout.nodes.length, second % layout.nodes.length];
        const shared = pathUp(layout, a).filter((rank) => pathUp(layout, b).includes(rank)).length;
        expect(hopsBetween(layout, a, b)).toBe(depthOf(layout, a) + depthOf(layout, b) - 2 * (shared - 1));
      }),
    );
  });

  test('N3: an unknown rank is an error that names it', () => {
    const layout: Layout = { nodes: [{ rank: 0, host: 'a', index: 0, children: [] }], root: 0, leaves: 0 };
    for (const rank of [-1, 1, 0.5, NaN]) expect(() => nodeOf(layout, rank)).toThrow(LayoutError);
    expect(() => nodeOf(layout, 7)).toThrow('no process of rank 7');
    expect(treeDepth(layout)).toBe(0);
  });
});
