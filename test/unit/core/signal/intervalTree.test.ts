import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trackContours, type Crossings } from '../../../../src/core/transforms/contours';
import { explainSeries } from '../../../../src/core/signal/explainSeries';
import { intervalTree, type TreeNode } from '../../../../src/core/signal/intervalTree';
import { CrossingMatcher } from '../../../../src/core/transforms/matchCrossings';
import { prepare } from '../../../../src/core/signal/prepare';
import { planFor } from '../../../../src/core/transforms/scaleSpace';
import { summaryNodes } from '../../../../src/core/signal/summaryLevel';
import { sampled, signals } from '../../../fixtures/dynamics/signals';

function treeOf(values: Float64Array): TreeNode[] {
  const signal = prepare(values);
  return intervalTree(
    trackContours(planFor(values.length, 0.5, 4).open(signal.values), signal.range),
    values.length,
  );
}

function nodesOf(roots: readonly TreeNode[]): TreeNode[] {
  return roots.flatMap((root) => [root, ...nodesOf(root.children)]);
}

/** The optimal assignment by trying all: for small lists. */
function cheapest(coarse: Crossings, fine: Crossings): number {
  const polarity = (list: Crossings, n: number): boolean => (n % 2 === 0) === (list.startSign === 1);
  const best = (a: number, from: number): number => {
    if (a === coarse.count) return 0;
    let least = Infinity;
    for (let j = from; j < fine.count; j++) {
      if (polarity(coarse, a) !== polarity(fine, j)) continue;
      least = Math.min(least, Math.abs(coarse.positions[a]! - fine.positions[j]!) + best(a + 1, j + 1));
    }
    return least;
  };
  return best(0, 0);
}

/** The sample beyond an end is that beside it. */
function mirrored(values: Float64Array, i: number): number {
  return values[Math.min(values.length - 1, Math.max(0, i))]!;
}

const crossingsAt = (positions: readonly number[], startSign: -1 | 1): Crossings => ({
  count: positions.length,
  positions: Float64Array.from(positions),
  samples: Int32Array.from(positions, (x) => Math.ceil(x)),
  startSign,
});

describe('contours', () => {
  const bumps = sampled(
    128,
    (i) => Math.exp(-0.5 * ((i - 40) / 3) ** 2) + Math.exp(-0.5 * ((i - 80) / 3) ** 2),
  );

  it('contours: inflection points of two bumps are found at the finest scale within 1', () => {
    const { contours } = explainSeries(bumps);
    for (const wanted of [37, 43, 77, 83]) {
      const nearest = Math.min(...contours.map(({ positions }) => Math.abs(positions[0]! - wanted)));
      expect(nearest).toBeLessThanOrEqual(1);
    }
  });

  it('contours: at each scale they stand where the curvature of the smoothed series changes its sign, and name the sign right of it', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const explained = explainSeries(sampled(100, (i) => Math.sin(i / 9), 0.3, seed));
      const { contours, sigmas } = explained;
      const tallest = Math.max(...contours.map(({ positions }) => positions.length));
      expect(tallest).toBeGreaterThan(sigmas.length / 2);
      for (let k = 0; k < tallest; k++) {
        const values = explained.smoothed(k);
        const curvature = (i: number): number =>
          mirrored(values, i - 1) - values[i]! + (mirrored(values, i + 1) - values[i]!);
        const changes = Array.from({ length: values.length - 1 }, (_, i) => i).filter(
          (i) => curvature(i) > 0 !== curvature(i + 1) > 0,
        );
        const alive = contours.filter(({ positions }) => positions.length > k);
        expect(alive.map(({ positions }) => Math.floor(positions[k]!))).toEqual(changes);
        for (const { positions, sign } of alive) {
          const [left, right] = [Math.floor(positions[k]!), Math.floor(positions[k]!) + 1];
          expect(Math.sign(curvature(right))).toBe(sign);
          // In proportion to the curvatures beside it.
          expect(positions[k]! - left).toBeCloseTo(curvature(left) / (curvature(left) - curvature(right)), 6);
        }
      }
    }
  });

  it('contours: at every scale they are ordered, alternate in sign, and go down to the finest scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 160 }), fc.integer(), (length, seed) => {
        const { contours } = explainSeries(sampled(length, (i) => Math.sin(i / 9), 0.3, seed));
        const tallest = Math.max(0, ...contours.map(({ positions }) => positions.length));
        for (let k = 0; k < tallest; k++) {
          const alive = contours.filter(({ positions }) => positions.length > k);
          for (let n = 1; n < alive.length; n++) {
            expect(alive[n]!.positions[k]!).toBeGreaterThan(alive[n - 1]!.positions[k]!);
            expect(alive[n]!.sign).toBe(-alive[n - 1]!.sign);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('contours: the assignment between two scales has the least sum of distances', () => {
    const positions = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 9 });
    const sign = fc.constantFrom<1 | -1>(1, -1);
    fc.assert(
      fc.property(positions, positions, sign, sign, (a, b, signA, signB) => {
        const ordered = [a, b].map((list) => list.sort((x, y) => x - y)).sort((x, y) => x.length - y.length);
        const [coarse, fine] = [crossingsAt(ordered[0]!, signA), crossingsAt(ordered[1]!, signB)];
        const links = new CrossingMatcher().match(coarse, fine, 20);
        const least = cheapest(coarse, fine);
        if (links === undefined) expect(least).toBe(Infinity);
        else {
          const sum = links.reduce(
            (total, j, n) => total + Math.abs(coarse.positions[n]! - fine.positions[j]!),
            0,
          );
          expect(sum).toBeCloseTo(least, 9);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the interval tree', () => {
  it('tree: roots tile the domain, children their parent, and stability is the number of scales', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 200 }), fc.integer(), (length, seed) => {
        const roots = treeOf(sampled(length, () => 1, 0.3, seed));
        expect([roots[0]!.first, roots.at(-1)!.last]).toEqual([0, length - 1]);
        expect([roots[0]!.left, roots.at(-1)!.right]).toEqual([-0.5, length - 0.5]);
        const expectTiling = (tiles: readonly TreeNode[]): void => {
          for (let n = 1; n < tiles.length; n++) {
            expect(tiles[n]!.first).toBe(tiles[n - 1]!.last + 1);
            expect(tiles[n]!.left).toBe(tiles[n - 1]!.right);
            expect(tiles[n]!.sign).toBe(-tiles[n - 1]!.sign);
          }
        };
        expectTiling(roots);
        for (const node of nodesOf(roots)) {
          expect(node.stability).toBe(node.scaleHigh - node.scaleLow + 1);
          expect(node.last).toBeGreaterThanOrEqual(node.first);
          if (node.children.length === 0) {
            expect(node.scaleLow).toBe(0);
            continue;
          }
          expect(node.children.length).toBeGreaterThanOrEqual(2);
          expectTiling(node.children);
          expect(node.children[0]!.first).toBe(node.first);
          expect(node.children.at(-1)!.last).toBe(node.last);
          expect(node.children.every(({ scaleHigh }) => scaleHigh === node.scaleLow - 1)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('tree: nodes split into three, at the boundary into two', () => {
    const counts = new Map<number, number>();
    for (let seed = 1; seed <= 20; seed++) {
      for (const { children } of nodesOf(treeOf(signals.white(seed)))) {
        counts.set(children.length, (counts.get(children.length) ?? 0) + 1);
      }
    }
    const splits = [...counts].filter(([children]) => children > 0);
    const all = splits.reduce((sum, [, count]) => sum + count, 0);
    expect(counts.get(3)! / all).toBeGreaterThan(0.6);
    expect(counts.get(2)! / all).toBeLessThan(0.3);
  });

  it('tree: the same signal gives the same tree, and any unit of it', () => {
    const values = signals.cx();
    expect(treeOf(values)).toEqual(treeOf(values.slice()));
    expect(treeOf(values.map((value) => value * 2 ** 40))).toEqual(treeOf(values));
  });
});

describe('an explained series', () => {
  const values = sampled(200, (i) => Math.sin(i / 9), 0.3, 5);
  const explained = explainSeries(values);
  const { sigmas, averagedOver } = explained;
  const roughness = (list: Float64Array): number =>
    list.reduce((sum, value, i) => sum + (i === 0 ? 0 : Math.abs(value - list[i - 1]!)), 0);

  it('can be had at each of its scales, the smoother the coarser, with its mean', () => {
    expect(averagedOver).toBe(1);
    const mean = (list: Float64Array) => list.reduce((sum, value) => sum + value, 0) / list.length;
    let before = Infinity;
    for (const scale of sigmas.keys()) {
      const list = explained.smoothed(scale);
      expect(list).toHaveLength(values.length);
      expect(mean(list)).toBeCloseTo(mean(values), 6);
      expect(roughness(list)).toBeLessThan(before);
      before = roughness(list);
    }
  });

  it('is as it was at a scale that does not exist', () => {
    explained.smoothed(sigmas.length).forEach((value, i) => {
      expect(value).toBeCloseTo(values[i]!, 9);
    });
  });
});

describe('the summary level', () => {
  it('summary: the stability cut of a noisy ramp has few episodes, the literal reading carries the finest ones', () => {
    const { analysis } = explainSeries(signals.ramp(1));
    expect(analysis.episodes.length).toBeLessThanOrEqual(15);
    let [sum, most] = [0, 0];
    for (let seed = 1; seed <= 59; seed++) {
      const { length } = explainSeries(signals.ramp(seed)).analysis.episodes;
      sum += length;
      most = Math.max(most, length);
    }
    expect(sum / 59).toBeLessThanOrEqual(2.7);
    expect(most).toBeLessThanOrEqual(15);
    // Intervals of the prototype's literal reading, which is why it is not the default.
    const carried = [3, 33, 34].map(
      (seed) => summaryNodes(treeOf(signals.ramp(seed)), 'depth-carried').length,
    );
    expect(carried).toEqual([93, 94, 88]);
  });

  it('summary: all modes but the exact depth tile the domain', () => {
    const roots = treeOf(signals.pepcTwo());
    for (const mode of ['stability-cut', 'depth-carried', 'slice'] as const) {
      const nodes = summaryNodes(roots, mode);
      expect(nodes[0]!.first).toBe(0);
      expect(nodes.at(-1)!.last).toBe(2047);
      nodes.slice(1).forEach((node, n) => expect(node.first).toBe(nodes[n]!.last + 1));
    }
    expect(summaryNodes(roots, 'depth').length).toBeGreaterThan(0);
  });
});
