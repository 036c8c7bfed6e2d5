import { describe, expect, it } from 'vitest';
import { letterNodes, type LetteredPart } from '../../../../src/core/signal/episodes';
import type { TreeNode } from '../../../../src/core/signal/intervalTree';
import { summaryNodes } from '../../../../src/core/signal/summaryLevel';
import type { ScaleStack } from '../../../../src/core/transforms/scaleSpace';

function node(first: number, last: number, sign: -1 | 0 | 1, others: Partial<TreeNode> = {}): TreeNode {
  const place = { first, last, left: first - 0.5, right: last + 0.5 };
  return { ...place, sign, scaleLow: 0, scaleHigh: 4, stability: 5, children: [], ...others };
}

describe('letters of intervals', () => {
  const tolerances = { plateauTolerance: 0.02, flatTolerance: 0.05, linearTolerance: 0.1 };

  function letters(
    values: ArrayLike<number>,
    nodes: readonly TreeNode[],
    range: number,
    noise = 0,
  ): LetteredPart[] {
    const level = Float64Array.from(values);
    // Averages over four samples: noise is half of what it was.
    const sigmas = Float64Array.of(4 / (2 * Math.sqrt(Math.PI)));
    const stack: ScaleStack = { sigmas, length: level.length, level: () => level };
    return letterNodes(nodes, stack, { range, noise }, tolerances);
  }
  const text = (list: readonly LetteredPart[]): string =>
    list.map(({ letter, from, to }) => `${letter}${from}-${to}`).join(' ');

  it('are A and B around the top of a concave interval, D and C around the bottom of a convex one', () => {
    const hill = Float64Array.from({ length: 21 }, (_, i) => 100 - (i - 8) ** 2);
    expect(letters(hill, [node(0, 20, -1)], 144)).toEqual([
      { letter: 'A', from: 0, to: 8, net: 64, threshold: expect.closeTo(7.2, 9) as number, stability: 5 },
      { letter: 'B', from: 9, to: 20, net: -144, threshold: expect.closeTo(7.2, 9) as number, stability: 5 },
    ]);
    const dale = hill.map((value) => -value);
    expect(text(letters(dale, [node(0, 20, 1)], 144))).toBe('C0-8 D9-20');
    // An extremum at the beginning: the first sample belongs to what follows where it comes from below.
    expect(text(letters(hill, [node(0, 7, -1), node(8, 20, -1)], 10))).toBe('A0-7 A8-8 B9-20');
    expect(text(letters(hill, [node(0, 8, -1), node(9, 20, -1)], 144))).toBe('A0-8 B9-20');
    expect(text(letters(hill.slice(8), [node(0, 12, -1)], 144))).toBe('B0-12');
    expect(text(letters(hill, [node(8, 8, -1)], 0))).toBe('A8-8');
    expect(text(letters(dale, [node(8, 8, 1)], 0))).toBe('C8-8');
  });

  it('are G where the change is below a twentieth of the range, or could be noise', () => {
    const rise = Float64Array.from({ length: 12 }, (_, i) => Math.sqrt(i) * 2);
    const net = 2 * Math.sqrt(11);
    const only = (range: number, noise = 0): string => text(letters(rise, [node(0, 11, -1)], range, noise));
    expect(only(20 * net - 0.01)).toBe('A0-11');
    expect(only(20 * net + 0.01)).toBe('G0-11');
    // 2.5·√2 deviations of noise that is averaged over four samples.
    const limit = net / (2.5 * Math.SQRT2 * 0.5);
    expect(only(0, limit - 0.01)).toBe('A0-11');
    expect(only(0, limit + 0.01)).toBe('G0-11');
  });

  it('are E and F where no sample is a tenth of the change beside the line', () => {
    const bent = (by: number): number[] => [0, 10, 20, 30 + by, 40, 50, 60];
    expect(text(letters(bent(5.9), [node(0, 6, 1)], 60))).toBe('E0-6');
    expect(text(letters(bent(6.1), [node(0, 6, 1)], 60))).toBe('D0-6');
    expect(text(letters(bent(-6.1), [node(0, 6, -1)], 60))).toBe('A0-6');
    const falling = bent(5.9).map((value) => -value);
    expect(text(letters(falling, [node(0, 6, -1)], 60))).toBe('F0-6');
    // Four samples at least.
    expect(text(letters([0, 1, 2, 3], [node(0, 3, 1)], 3))).toBe('E0-3');
    expect(text(letters([0, 1, 2], [node(0, 2, 1)], 2))).toBe('D0-2');
  });

  it('are G on a plateau of at least half of the interval', () => {
    const shape = [0, 6, 10, 10, 10, 9.9, 9, 1, 0];
    expect(
      letters(shape, [node(0, 8, -1)], 10).map(({ letter, from, to, net }) => [letter, from, to, net]),
    ).toEqual([
      ['A', 0, 2, 10],
      ['B', 3, 8, -10],
    ]);
    const plateau = [0, 6, 10, 10, 10, 9.9, 9, 1];
    expect(
      letters(plateau, [node(0, 7, -1)], 10).map(({ letter, from, to, net }) => [letter, from, to, net]),
    ).toEqual([
      ['A', 0, 1, 6],
      ['G', 2, 5, expect.closeTo(-0.1, 9)],
      ['B', 6, 7, expect.closeTo(-8.9, 9)],
    ]);
    expect(text(letters([10, 10], [node(0, 1, -1)], 10))).toBe('G0-1');
  });

  it('are G without curvature, and neighbours of one straight letter are one; what rises slowly in many pieces is straight', () => {
    const slow = Float64Array.from({ length: 40 }, (_, i) => i / 10);
    const pieces = [0, 10, 20, 30].map((first) => node(first, first + 9, 0, { stability: first }));
    expect(letters(slow, pieces, 20)).toEqual([
      { letter: 'E', from: 0, to: 39, net: expect.closeTo(3.6, 9) as number, threshold: 1, stability: 30 },
    ]);
    expect(
      text(
        letters(
          slow.map((value) => -value),
          pieces,
          20,
        ),
      ),
    ).toBe('F0-39');
    expect(text(letters(slow, pieces, 73))).toBe('G0-39');
    expect(text(letters(new Float64Array(40), pieces, 0))).toBe('G0-39');
  });
});

describe('the summary level', () => {
  const leaf = (first: number, stability: number): TreeNode => node(first, first, 1, { stability });
  const tree = node(0, 3, 1, { stability: 3, children: [leaf(0, 2), leaf(1, 4), leaf(2, 3)] });

  it('cuts the tree where a node is more stable than its children are on average', () => {
    expect(summaryNodes([tree], 'stability-cut')).toEqual(tree.children);
    const stable = { ...tree, stability: 4 };
    expect(summaryNodes([tree, stable], 'stability-cut')).toEqual([...tree.children, stable]);
    const deep = node(0, 3, 1, { stability: 1, children: [stable, leaf(9, 1)] });
    expect(summaryNodes([deep], 'stability-cut')).toEqual(deep.children);
  });

  it('is the most stable depth, with leaves carried down or not, or the most stable slice; of equals the coarsest', () => {
    const roots = [tree, leaf(5, 6)];
    expect(summaryNodes(roots, 'depth')).toEqual(roots);
    expect(summaryNodes([tree, leaf(5, 5)], 'depth')).toEqual(tree.children);
    expect(summaryNodes(roots, 'depth-carried')).toEqual([...tree.children, leaf(5, 6)]);
    const at = (
      scaleLow: number,
      scaleHigh: number,
      stability: number,
      children: TreeNode[] = [],
    ): TreeNode => node(stability, stability, 1, { scaleLow, scaleHigh, stability, children });
    const low = [at(0, 1, 2), at(0, 1, 3)];
    const parent = at(2, 3, 4, low);
    expect(summaryNodes([parent, at(0, 3, 9)], 'slice')).toEqual([...low, at(0, 3, 9)]);
    expect(summaryNodes([{ ...parent, stability: 5 }, at(0, 3, 9)], 'slice')).toEqual([
      { ...parent, stability: 5 },
      at(0, 3, 9),
    ]);
  });
});
