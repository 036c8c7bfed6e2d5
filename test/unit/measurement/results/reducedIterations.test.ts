import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import type { Digest } from '../../../../src/core/digest/digest';
import { mergeDigests } from '../../../../src/core/digest/mergeDigests';
import { ReducedIterations } from '../../../../src/measurement/results/reduced/reducedIterations';
import { withIterations } from '../../core/digest/digests';

const program = {
  slots: ['main', 'solve', 'halo', 'sum'],
  graph: { functions: [], edges: [] },
  executable: '/bin/program',
};

const of = (numbers: readonly number[], ranks = [0, 1, 2]): Digest =>
  mergeDigests(ranks.map((rank) => withIterations(rank, numbers, 2)));

describe('the iterations of a reduced run', () => {
  it('are taken once each, with the sums, below the phase', () => {
    const iterations = new ReducedIterations(program);
    const samples = iterations.take(of([2, 3]));
    expect(samples.map(({ visits }) => [...visits])).toEqual([
      [9, 12, 15],
      [12, 15, 18],
    ]);
    expect(iterations.next).toBe(4);
    expect(iterations.before).toBe(2);
    expect(iterations.take(of([2, 3]))).toEqual([]);
    expect(iterations.take(of([3, 4, 7]))).toHaveLength(2);
    expect(iterations.lost).toBe(2);
    const { directory } = iterations;
    expect(directory?.phase).toBe('r0');
    expect(
      directory?.contexts.map(({ region, parent }) => [directory.regions[region]?.name, parent]),
    ).toEqual([
      ['r0', undefined],
      ['main', 0],
      ['solve', 0],
    ]);
    expect(directory?.regions[0]?.kind).toBe('phase');
    expect(at(samples, 0).preempted).toEqual([{ context: 0, seconds: 9 }]);
  });

  it('are not taken while a process lacks them: not one that has not begun, and not one whose agent was lost', () => {
    const iterations = new ReducedIterations(program);
    const late = of([1], [3]).clusters.map((cluster) => ({ ...cluster, iterating: 0, mostIterations: 0 }));
    const waiting = of([0, 1]);
    expect(iterations.take({ ...waiting, clusters: [...waiting.clusters, ...late] })).toEqual([]);
    expect(iterations.take(of([0, 1], [0, 1, 2, 3]))).toHaveLength(2);
    expect(iterations.take(of([2, 3], [0, 1, 2]))).toEqual([]);
    expect(iterations.take(of([2, 3], [0, 1, 2, 3]))).toHaveLength(2);
  });

  it('are taken without a process that has none after the others had many', () => {
    const iterations = new ReducedIterations(program);
    const [digest, none] = [of([0, 1]), of([1], [3])];
    const clusters = [
      ...digest.clusters.map((cluster) => ({ ...cluster, mostIterations: 300 })),
      ...none.clusters.map((cluster) => ({ ...cluster, iterating: 0, mostIterations: 0 })),
    ];
    expect(iterations.take({ ...digest, clusters })).toHaveLength(2);
  });

  it('know who takes longest', () => {
    const iterations = new ReducedIterations(program);
    iterations.take(of([0, 1, 2, 3]));
    // Phases take rank + number + 1 in the values, and rank + 1 as the longest: means of 2, 3, 4 and 5.
    expect(iterations.slowest).toEqual({ rank: 2, iterations: 4, of: 4, ratio: 12 / 14 });
  });
});
