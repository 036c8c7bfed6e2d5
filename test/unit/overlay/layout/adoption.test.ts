import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import type { Member } from '../../../../src/overlay/control/configuration';
import { adoptionCandidates, newParents, type Orphan } from '../../../../src/overlay/layout/adoption';
import { generateShape } from '../../../../src/overlay/layout/generate';
import { placeOnHosts } from '../../../../src/overlay/layout/placement';
import { ranksBelow } from '../../../../src/overlay/layout/treeQueries';
import { parentOrder } from '../../../../src/overlay/members/parentChoice';
import { layouts } from './trees';

const of = (spec: string) =>
  placeOnHosts(generateShape(spec), { kind: 'shared', hosts: [{ host: 'h', slots: 1000 }] });
const tree = of('b:4^2');
/** Leaves are 0 to 15, the front end is 16, inner processes are 17 to 20. */
const orphan: Orphan = { tree, rank: 2, lost: new Set([17]), inner: [17, 18, 19, 20] };

describe('the choice of a new parent', () => {
  test('N19: in 4×4, after one loss, the front end scores 2.5 and the siblings of the lost process 1.0', () => {
    expect(adoptionCandidates(orphan)).toEqual([
      { rank: 16, score: 2.5 },
      { rank: 18, score: 1 },
      { rank: 19, score: 1 },
      { rank: 20, score: 1 },
    ]);
  });

  test('N19: a parent that lies deeper or farther away scores less', () => {
    // Ranks: leaf 0 below 3; leaf 1 below 5, which is below 4; the front end is 2.
    const uneven = of('g:2:2x1:0,1');
    const found = adoptionCandidates({ tree: uneven, rank: 0, lost: new Set([3]), inner: [3, 4, 5] });
    expect(found.map(({ rank }) => rank)).toEqual([2, 4, 5]);
    [2.5, 2 + 1 / 3, 1.5 + 1 / 6].forEach((score, i) => expect(found[i]!.score).toBeCloseTo(score, 12));
  });

  test('N19: 1000 weighted draws follow the order of the scores', () => {
    const deep = of('g:3:2,1,3:2,3,1,3x2');
    const inner = deep.nodes.flatMap(({ rank }) => (rank >= deep.leaves ? [rank] : []));
    const parent = deep.nodes[0]!.parent!;
    const question: Orphan = { tree: deep, rank: 0, lost: new Set([parent]), inner };
    const random = randomNumbers(19);
    const firsts = new Map<number, number>();
    for (let draw = 0; draw < 1000; draw++) {
      const [first] = newParents(question, random);
      firsts.set(first!, (firsts.get(first!) ?? 0) + 1);
    }
    const candidates = adoptionCandidates(question);
    const sum = candidates.reduce((total, { score }) => total + score, 0);
    expect(new Set(candidates.map(({ score }) => score)).size).toBeGreaterThan(2);
    // The key u^(1/score) draws each with a probability in proportion to its score; 0.05 is three standard deviations.
    for (const { rank, score } of candidates)
      expect(Math.abs((firsts.get(rank) ?? 0) / 1000 - score / sum)).toBeLessThan(0.05);
  });

  test('N19: the same seed gives the same order, and each candidate is in it once', () => {
    const order = newParents(orphan, randomNumbers(7));
    expect(newParents(orphan, randomNumbers(7))).toEqual(order);
    expect([...order].sort((a, b) => a - b)).toEqual([16, 18, 19, 20]);
  });

  test('N19: siblings in a network draw differently, and ask each other inner process and the front end', () => {
    const members = tree.nodes.map(({ rank, parent = rank, children }): Member => ({
      rank,
      parent,
      role: rank === 16 ? 'front-end' : children.length > 0 ? 'inner' : 'back-end',
      host: 'h',
      port: 1,
      state: 'up',
      since: 1,
      attempt: 1,
    }));
    const orders = tree.nodes[17]!.children.map((rank) => parentOrder(rank, [18, 19, 20], members));
    for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual([16, 18, 19, 20]);
    expect(new Set(orders.map(([first]) => first)).size).toBeGreaterThan(1);
  });

  test('N19: what is below any lost process is no candidate, nor are back ends', () => {
    expect(adoptionCandidates({ ...orphan, lost: new Set([17, 19]) }).map(({ rank }) => rank)).toEqual([
      16, 18, 20,
    ]);
    fc.assert(
      fc.property(layouts, fc.nat(), (layout, choice) => {
        const inner = layout.nodes.flatMap(({ rank }) => (rank >= layout.leaves ? [rank] : []));
        const lost = inner[choice % inner.length]!;
        const below = ranksBelow(layout, lost);
        for (const rank of layout.nodes[lost]!.children) {
          const found = adoptionCandidates({ tree: layout, rank, lost: new Set([lost]), inner });
          expect(found.map((candidate) => candidate.rank)).toEqual(
            inner.filter((other) => !below.includes(other)).sort((a, b) => a - b),
          );
          for (const { score } of found) expect(score >= 0 && score <= 2.5).toBe(true);
        }
      }),
    );
  });

  test('N19: without a front end there is nobody to ask', () => {
    const inner = [16, 17, 18, 19, 20];
    expect(newParents({ tree, rank: 18, lost: new Set([16]), inner }, randomNumbers(1))).toEqual([]);
  });

  test('N19: scores of shallow trees are finite', () => {
    const shallow = of('b:1^2');
    const [only] = adoptionCandidates({ tree: shallow, rank: 0, lost: new Set([2]), inner: [2] });
    expect(only).toEqual({ rank: 1, score: 2.5 });
    const flat = of('b:3');
    expect(adoptionCandidates({ tree: flat, rank: 0, lost: new Set(), inner: [] })).toEqual([]);
  });
});
