import { describe, expect, it } from 'vitest';
import { Clusters } from '../../../../src/core/digest/clusters';
import { rangeText, type Cluster } from '../../../../src/core/digest/digest';

/** `main` with two functions below it. */
const parents = Int32Array.from([-1, 0, 0]);

/** A process whose two functions took so long, in so many visits each. */
function processOf(rank: number, a: number, b: number, visits = [1, 1, 1]): Cluster {
  const counts = { processes: 1, threads: 1, cpuSeconds: a + b, iterating: 0, suspended: 0, ended: 0 };
  return {
    ...{ ...counts, ranks: [[rank, rank]], leastIterations: rank, mostIterations: rank },
    amounts: new Map([
      ['visits', Float64Array.from(visits)],
      ['seconds', Float64Array.from([a + b, a, b])],
    ]),
  };
}

function clustered(most: number, ...all: readonly Cluster[]): readonly string[] {
  const clusters = new Clusters(parents, most);
  for (const cluster of all) clusters.add(cluster);
  return clusters.all.map(({ ranks }) => rangeText(ranks));
}

describe('clusters of processes', () => {
  it('are of those whose mean times differ by at most 2 %, in the order of their ranks', () => {
    // |Δ| / sum: 2 / 202 and 6 / 206.
    expect(clustered(8, processOf(2, 50, 56), processOf(1, 50, 50), processOf(0, 50, 52))).toEqual([
      '0-1',
      '2',
    ]);
  });

  it('have exclusive times: what callees take is not compared twice', () => {
    // Of the time in `main`, which contains both, nothing is its own: 2 / 102 of what there is, not 3 / 204.
    expect(clustered(8, processOf(0, 25, 25), processOf(1, 25, 27.2))).toEqual(['0', '1']);
    expect(clustered(8, processOf(0, 25, 25), processOf(1, 25, 26.8))).toEqual(['0-1']);
  });

  it('are of means, so that many are near to one like them', () => {
    const many = Array.from({ length: 10 }, (_, rank) => processOf(rank, 10, 10));
    expect(clustered(8, ...many, processOf(10, 10, 10.1))).toEqual(['0-10']);
  });

  it('are together while they have no time yet, and in order wherever they come from', () => {
    expect(clustered(8, processOf(1, 0, 0), processOf(0, 0, 0))).toEqual(['0-1']);
    expect(clustered(8, processOf(1, 1, 9), processOf(2, 5, 5), processOf(0, 9, 1))).toEqual(['0', '1', '2']);
  });

  it('are apart where other call paths were visited', () => {
    expect(clustered(8, processOf(0, 50, 0), processOf(1, 50, 0, [1, 1, 0]))).toEqual(['0', '1']);
  });

  it('become one where they are nearest, when there are too many; those with the same call paths first', () => {
    const others = [processOf(0, 10, 90), processOf(1, 90, 10), processOf(2, 80, 20)];
    expect(clustered(2, ...others)).toEqual(['0', '1-2']);
    expect(clustered(2, processOf(0, 90, 0, [1, 1, 0]), processOf(1, 10, 90), processOf(2, 90, 10))).toEqual([
      '0',
      '1-2',
    ]);
  });

  it('have the sums of their processes', () => {
    const clusters = new Clusters(parents, 1);
    clusters.add(processOf(3, 1, 2));
    clusters.add(processOf(5, 10, 20));
    const [one] = clusters.all;
    expect(one).toMatchObject({
      ranks: [
        [3, 3],
        [5, 5],
      ],
      processes: 2,
      threads: 2,
      cpuSeconds: 33,
      leastIterations: 3,
      mostIterations: 5,
    });
    expect(one?.amounts.get('seconds')).toEqual(Float64Array.from([33, 11, 22]));
  });
});
