import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import type { Digest, DigestIterations } from '../../../../src/core/digest/digest';
import { mergeDigests } from '../../../../src/core/digest/mergeDigests';
import { LiveIterations } from '../../../../src/measurement/results/live/liveIterations';
import { IterationSums } from '../../../../src/measurement/results/reduced/iterationSums';
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
    // Ranks 0, 1 and 2 compute 1, 2 and 3 s.
    expect(iterations.slowest).toEqual({ rank: 2, iterations: 4, of: 4, ratio: 1.5 });
  });
});

describe('the iterations of the processes of a host', () => {
  const regions = [
    { name: 'halo', kind: 'mpi' as const },
    { name: 'sum', kind: 'region' as const },
  ];
  const digestRegions = regions.map(({ name }) => ({ name, kind: 0, file: '', line: 0 }));

  /** As an agent has them, which knows no names of functions: two iterations of each rank, on two threads. */
  function ofHost(ranks: readonly number[], slotOfHalo: number): DigestIterations {
    const slots = program.slots.map((_, slot) => String(slot));
    const live = new LiveIterations({ ...program, slots, selectionId: 'ab' });
    const own = slotOfHalo === 4 ? regions : [...regions].reverse();
    for (const rank of ranks) {
      const stream = live.begin(() => rank, `Process ${rank}`);
      stream.define(1, [
        { thread: 0, parent: 0, slot: 1, above: [0] },
        { thread: 0, parent: 1, slot: 2 },
        { thread: 0, parent: 2, slot: slotOfHalo },
        { thread: 1, parent: 0, slot: 3 },
      ]);
      for (const number of [1, 2])
        stream.add(
          {
            ...{ number, lost: 0, cutShort: false, preemptedNanoseconds: 1e9 * number },
            node: Uint32Array.of(1, 2, 3, 4),
            visits: Float64Array.of(1, 2, 3, 4),
            ticks: Float64Array.of(100 * (rank + number), 50, 20, 80),
            childEvents: Float64Array.of(5, 3, 0, 0),
          },
          { regions: own, ticksPerSecond: 1 },
        );
    }
    const sums = new IterationSums(live);
    const iterations = live.take().map((sample) => sums.add(sample));
    return sums.digestOf(iterations, { slotCount: program.slots.length, regions: digestRegions });
  }

  it('are added up by call path, and get their names where the program is known', () => {
    const digest = (ranks: readonly number[], slotOfHalo: number): Digest => ({
      ...mergeDigests(ranks.map((rank) => ({ ...withIterations(rank, [], 0), regions: digestRegions }))),
      iterations: ofHost(ranks, slotOfHalo),
    });
    const merged = mergeDigests([digest([0, 1], 4), digest([2], 5)]);
    const reduced = new ReducedIterations(program);
    const samples = reduced.take(merged);
    const { directory } = reduced;
    const names = directory?.contexts.map(
      ({ region, parent, location }) => `${parent ?? '-'} ${directory.regions[region]?.name} ${location}`,
    );
    expect(names).toEqual(['- solve 0', '0 halo 0', '1 halo 0', '- sum 1']);
    expect(samples.map(({ seconds }) => [...seconds])).toEqual([
      [600, 150, 60, 240],
      [900, 150, 60, 240],
    ]);
    expect(samples.map(({ visits }) => [...visits])).toEqual([
      [3, 6, 9, 12],
      [3, 6, 9, 12],
    ]);
    expect(samples.map(({ preempted }) => preempted)).toEqual([
      [{ context: 0, seconds: 3 }],
      [{ context: 0, seconds: 6 }],
    ]);
    // Without the 20 s in MPI of each: 80, 180, 280, and then 180, 280, 380.
    expect(reduced.slowest).toEqual({ rank: 2, iterations: 2, of: 2, ratio: (280 + 380) / (180 + 280) });
  });
});
