import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { profileContext } from '../../../../src/core/groups/attributes/profileContext';
import { clusterProcesses } from '../../../../src/core/groups/clusters/clusterProcesses';
import { kMeans } from '../../../../src/core/groups/clusters/kMeans';
import { representative } from '../../../../src/core/groups/clusters/representative';
import { functionRows } from '../../../../src/core/groups/clusters/timeClusters';
import { heaviestRows } from '../../../../src/core/groups/clusters/timeVectors';
import { profileTimes } from '../../../../src/core/groups/differences/processTimes';
import { condensedNames } from '../../../../src/core/groups/processNames';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { call, profileOfCalls, w1 } from './examples';
import { adjustedRandIndex } from './planted';

const rows = (...lists: readonly number[][]) => lists.map((list) => Float64Array.from(list));

describe('representatives', () => {
  test('D9 the medoid of exclusive times, the first of several', () => {
    const vectors = { processes: 5, rows: rows([9, 1, 2, 3, 9], [0, 0, 0, 0, 5]) };
    expect(representative(vectors, [1, 2, 3])).toBe(2);
    expect(representative(vectors, [1, 2])).toBe(1);
    expect(representative(vectors, [0, 2, 4])).toBe(0);
    expect(representative(vectors, [4])).toBe(4);
    expect(representative({ processes: 5, rows: [] }, [3, 4])).toBe(3);
  });

  test('D9 up to 64 members, the medoid by definition', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 64 }), (seed, count) => {
        const random = randomNumbers(seed);
        const vectors = {
          processes: count,
          rows: [0, 1, 2].map(() => Float64Array.from({ length: count }, random)),
        };
        const cost = (p: number) =>
          vectors.rows.reduce(
            (sum, row) => row.reduce((own, value) => own + Math.abs(value - row[p]!), sum),
            0,
          );
        const costs = Array.from({ length: count }, (_, p) => cost(p));
        const chosen = representative(vectors, [...costs.keys()]);
        expect(costs[chosen]).toBeCloseTo(Math.min(...costs), 9);
      }),
    );
  });

  test('D9 of a large cluster, the process nearest to the medians', () => {
    const values = Array.from({ length: 201 }, (_, p) => (p * 37) % 201);
    const vectors = { processes: 201, rows: rows(values) };
    expect(values[representative(vectors, [...values.keys()])]).toBe(100);
  });

  test('times by function, whatever calls it', () => {
    const profile = profileOfCalls([...w1, [call('main', call('a', 'main'))]]);
    const context = profileContext(profile);
    const rowOf = new Map(
      [...new Set(context.attributes.map(({ callee }) => callee))].map((callee, place) => [callee, place]),
    );
    const found = functionRows(context, profileTimes(profile, context));
    const of = (name: string) => [...(found[rowOf.get(name)!] ?? [])];
    expect(found).toHaveLength(5);
    expect(['main', 'MPI_Init', 'fopen', 'fclose', 'a'].map(of)).toEqual([
      [0, 0, 1],
      [0, 0, 0],
      [2, 1, 0],
      [2, 1, 0],
      [0, 0, 0],
    ]);
    expect(heaviestRows(rows([1, 1], [5, 0], [0, 3]), 2).map((row) => [...row])).toEqual([
      [5, 0],
      [0, 3],
    ]);
  });

  test('D9 a profile’s clusters and who stands for them', () => {
    const rank = [call('main', 'MPI_Init', 'work', 'write', 'MPI_Finalize')];
    const thread = [call('loop', 'work', 'barrier')];
    const profile = profileOfCalls([
      thread,
      ...Array.from({ length: 4 }, () => rank),
      ...Array.from({ length: 4 }, () => thread),
    ]);
    const context = profileContext(profile);
    const { clusters } = clusterProcesses(context);
    const vectors = {
      processes: 9,
      rows: functionRows(context, profileTimes(profile, context)),
    };
    expect(context.sets).toHaveLength(2);
    expect(clusters.map(({ processes }) => processes)).toEqual([
      [0, 5, 6, 7, 8],
      [1, 2, 3, 4],
    ]);
    expect(clusters.map(({ processes }) => representative(vectors, processes))).toEqual([0, 1]);
  });
});

describe('names of processes', () => {
  const ranks = Array.from({ length: 100 }, (_, rank) => ({ name: `Rank ${rank}`, rank, thread: 0 }));

  test('D13 ranks', () => {
    expect(condensedNames(ranks, [2, 3, 4])).toBe('2–4');
    expect(condensedNames(ranks, [50, ...Array.from({ length: 25 }, (_, place) => 63 + place)])).toBe(
      '50, 63–87',
    );
    expect(condensedNames(ranks, [])).toBe('');
  });

  test('D13 threads, where there are several', () => {
    const all = [0, 1, 2].flatMap((rank) => [0, 1, 2].map((thread) => ({ name: '', rank, thread })));
    expect(condensedNames(all, [0, 3, 6])).toBe('0–2 (thread 0)');
    expect(condensedNames(all, [1, 2, 4, 5, 7, 8])).toBe('0–2 (threads 1–2)');
    expect(condensedNames(all, [0, 1, 2, 3])).toBe('0 (threads 0–2), 1 (thread 0)');
  });

  test('D10 D13 runs, where there are several, and processes without ranks', () => {
    const two = ['a', 'b'].flatMap((run) => ranks.slice(0, 3).map((process) => ({ ...process, run })));
    expect(condensedNames(two, [0, 1, 4])).toBe('a: 0–1; b: 1');
    expect(condensedNames(two.slice(0, 3), [0, 1])).toBe('0–1');
    const streams = [
      ...ranks,
      { name: 'Stream 7', rank: -1, thread: 0 },
      { name: 'Stream 8', rank: -1, thread: 0 },
    ];
    expect(condensedNames(streams, [1, 100, 101])).toBe('1, Stream 7, Stream 8');
    expect(condensedNames(streams, [100, 101])).toBe('Stream 7, Stream 8');
  });
});

describe('k-means', () => {
  test('E3 with two clusters mixes the processes and threads of π', () => {
    const random = randomNumbers(4);
    const truth = Int32Array.from({ length: 100 }, (_, process) => (process % 10 === 0 ? 0 : 1));
    const on = (group: number, value: () => number) =>
      Float64Array.from(truth, (own) => (group === 2 || own === group ? value() : 0));
    const vectors = {
      processes: 100,
      rows: [
        on(2, () => 2 + 8 * random()),
        on(2, () => 10 + 4 * random()),
        on(0, () => 0.5 + 0.2 * random()),
        on(0, () => 0.2),
      ],
    };
    const clusterOf = kMeans(vectors, 2, 1);
    for (const group of [0, 1])
      expect(new Set([...clusterOf].filter((_, process) => truth[process] === group)).size).toBe(2);
    expect(adjustedRandIndex(clusterOf, truth)).toBeLessThan(0.1);
    expect(kMeans(vectors, 2, 1)).toEqual(clusterOf);
  });

  test('E3 finds what lies apart in the ten heaviest dimensions, and ignores the eleventh', () => {
    const truth = Int32Array.from({ length: 30 }, (_, process) => process % 3);
    const heavy = Array.from({ length: 10 }, () => Float64Array.from(truth, (group) => 100 * (group + 1)));
    const light = Float64Array.from({ length: 30 }, (_, process) => process * 3);
    const found = kMeans({ processes: 30, rows: [light, ...heavy] }, 3, 7);
    expect(adjustedRandIndex(found, truth)).toBe(1);
    expect([...kMeans({ processes: 0, rows: [] }, 3, 1)]).toEqual([]);
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 4 }), (seed, count) => {
        // Each process is with the nearest mean.
        const random = randomNumbers(seed);
        const times = Float64Array.from({ length: 40 }, random);
        const clusterOf = kMeans({ processes: 40, rows: [times] }, count, seed);
        const meanOf = (cluster: number) => {
          const own = [...times].filter((_, process) => clusterOf[process] === cluster);
          return own.reduce((sum, time) => sum + time, 0) / own.length;
        };
        const means = [...new Set(clusterOf)].map(meanOf);
        times.forEach((time, process) => {
          const own = Math.abs(time - meanOf(clusterOf[process]!));
          expect(own).toBeLessThanOrEqual(Math.min(...means.map((mean) => Math.abs(time - mean))) + 1e-12);
        });
      }),
    );
    expect(new Set(kMeans({ processes: 2, rows: rows([1, 2]) }, 5, 1)).size).toBe(2);
  });
});
