import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterMembers, type Member } from '../../../../../src/core/degradations/report/clusters';
import { defaultDynamicsOptions as options } from '../../../../../src/core/degradations/model/options';

const member = (rank: number, size: number, ...intervals: [number, number][]): Member => ({
  rank,
  thread: 0,
  size,
  intervals,
});
const ranksOf = (clusters: readonly (readonly Member[])[]) =>
  clusters.map((one) => one.map(({ rank }) => rank));

describe('clusters of ranks', () => {
  it('clusters: static severities are parted at gaps of a fifth of the mean, and two points at least', () => {
    expect(ranksOf(clusterMembers([member(0, 0.15), member(1, 0.1), member(2, 0.16)], 10, options))).toEqual([
      [0, 2],
      [1],
    ]);
    expect(
      ranksOf(clusterMembers([member(0, 0.05), member(1, 0.035), member(2, 0.06)], 10, options)),
    ).toEqual([[0, 1, 2]]);
  });

  it('clusters: at most five static rows, parted at the widest gaps', () => {
    const sizes = [0.05, 0.1, 0.16, 0.23, 0.31, 0.4, 0.5];
    const clusters = clusterMembers(
      sizes.map((size, rank) => member(rank, size)),
      10,
      options,
    );
    expect(ranksOf(clusters)).toEqual([[6], [5], [4], [3], [0, 1, 2]]);
  });

  it('clusters: of a problem that travels from rank to rank, each row is within twice the tolerance', () => {
    const travelling = Array.from({ length: 64 }, (_, rank) => member(rank, 0.1, [5 * rank, 5 * rank + 4]));
    const clusters = clusterMembers(travelling, 320, options);
    expect(
      ranksOf(clusters)
        .flat()
        .sort((a, b) => a - b),
    ).toEqual(travelling.map(({ rank }) => rank));
    for (const one of clusters) {
      const starts = one.map(({ intervals }) => intervals[0]![0]);
      expect(Math.max(...starts) - Math.min(...starts)).toBeLessThanOrEqual(2 * 0.02 * 320);
    }
  });

  it('clusters: intervals join when each border is within 2 % of the run', () => {
    const clusters = clusterMembers(
      [
        member(3, 0.2, [0, 100]),
        member(1, 0.2, [15, 110]),
        member(2, 0.2, [0, 400]),
        member(4, 0.2, [0, 100], [300, 400]),
      ],
      1000,
      options,
    );
    expect(ranksOf(clusters)).toEqual([[1, 3], [2], [4]]);
  });

  it('clusters: the order of ranks does not matter, and no rank is lost', () => {
    const members = fc.uniqueArray(
      fc.record({
        rank: fc.nat(200),
        thread: fc.constant(0),
        size: fc.double({ min: 0, max: 1, noNaN: true }),
        intervals: fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { maxLength: 2 }),
      }),
      { selector: ({ rank }) => rank, maxLength: 40 },
    );
    fc.assert(
      fc.property(members, (all) => {
        const clusters = clusterMembers(all, 100, options);
        expect(clusterMembers([...all].reverse(), 100, options)).toEqual(clusters);
        expect(clusters.flat()).toHaveLength(all.length);
      }),
    );
  });
});
