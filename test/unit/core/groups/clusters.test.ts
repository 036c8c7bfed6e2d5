import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logChanceOfAtLeast, logFactorial, logWays } from '../../../../src/core/groups/clusters/chance';
import { clusterProcesses, linkageOfGroups } from '../../../../src/core/groups/clusters/clusterProcesses';
import { completeLinkage, cutLinkage } from '../../../../src/core/groups/clusters/linkage';
import { findPrototypes } from '../../../../src/core/groups/clusters/prototypes';
import type { ProcessContext } from '../../../../src/core/groups/context';
import { measureMatrix } from '../../../../src/core/groups/measures';
import { addMember, bitSetOf, membersOf } from '../../../../src/core/groups/sets/bitSet';
import { contextOfBlocks } from './examples';
import { adjustedRandIndex, contextOf, planted, randomSets } from './planted';

/** Ranks, as they are numbered from 1, by cluster. */
function clusters(context: ProcessContext, threshold?: number): readonly (readonly number[])[] {
  const found = clusterProcesses(context, threshold === undefined ? {} : { threshold });
  return found.clusters.map(({ processes }) => processes.map((process) => process + 1));
}

const wrf = contextOfBlocks({ all: 109, ranks: 216, first: 95, threads: 33 }, [
  [1, ['all', 'ranks', 'first']],
  [3, ['all', 'ranks']],
  [12, ['all', 'threads']],
]);
const bt = contextOfBlocks({ all: 56, ranks: 68, first: 1, threads: 1 }, [
  [1, ['all', 'ranks', 'first']],
  [3, ['all', 'ranks']],
  [12, ['all', 'threads']],
]);
/** First and last process differ from the others by 3 %. */
const fd4 = contextOfBlocks({ all: 97, ends: 3 }, [
  [1, ['all', 'ends']],
  [4094, ['all']],
  [1, ['all', 'ends']],
]);
const threads = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

describe('clusters by a threshold', () => {
  test('W13 WRF', () => {
    for (const threshold of [1, 0.95, 0.78])
      expect(clusters(wrf, threshold)).toEqual([[1], [2, 3, 4], threads]);
    for (const threshold of [0.77, 0.25]) expect(clusters(wrf, threshold)).toEqual([[1, 2, 3, 4], threads]);
    expect(clusters(wrf, 0.24)).toEqual([[1, 2, 3, 4, ...threads]]);
  });

  test('W14 BT', () => {
    expect(clusters(bt, 0.95)).toEqual([[1, 2, 3, 4], threads]);
  });

  test('W15 FD4', () => {
    expect(clusters(fd4, 0.95)).toHaveLength(1);
    expect(clusters(fd4, 0.98).map(({ length }) => length)).toEqual([2, 4094]);
  });

  test('D2 a smaller threshold never gives more clusters, and all pairs of a cluster reach it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 12 }), (seed, count) => {
        const context = contextOf(randomSets(seed, count, 12, 0.7), 12);
        const groups = context.sets.length;
        const matrix = measureMatrix(context.sets);
        const merges = linkageOfGroups(context);
        let fewer = 0;
        for (let threshold = 0; threshold <= 1; threshold += 0.05) {
          const clusterOf = cutLinkage(merges, groups, threshold);
          expect(Math.max(...clusterOf)).toBeGreaterThanOrEqual(fewer);
          fewer = Math.max(...clusterOf);
          for (let a = 0; a < groups; a++)
            for (let b = 0; b < groups; b++)
              if (clusterOf[a] === clusterOf[b])
                expect(matrix[a * groups + b]).toBeGreaterThanOrEqual(threshold);
        }
      }),
    );
  });

  test('D2 linkage is that of the definition, with ties by the smallest process', () => {
    const few = [0.2, 0.5, 0.5, 0.8, 1];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.infiniteStream(fc.nat(4)),
        fc.nat(),
        (items, stream, turn) => {
          const matrix = new Float64Array(items * items).fill(1);
          for (let a = 0; a < items; a++)
            for (let b = 0; b < a; b++)
              matrix[a * items + b] = matrix[b * items + a] = few[stream.next().value as number]!;
          const first = Array.from({ length: items }, (_, item) => (item + turn) % items);
          expect(completeLinkage(matrix, first)).toEqual(linkageByDefinition(matrix, first));
        },
      ),
    );
  });

  test('of more groups than are compared, prototypes are merged, with a notice', () => {
    const context = contextOf(randomSets(3, 1500, 120, 0.97), 120);
    expect(context.sets.length).toBeGreaterThan(1024);
    const found = clusterProcesses(context, { threshold: 0.9 });
    expect([found.isApproximate, found.clusters.length]).toEqual([true, 1]);
    expect(clusterProcesses(wrf, { threshold: 0.9 }).isApproximate).toBe(false);
  });
});

function linkageByDefinition(matrix: Float64Array, first: readonly number[]) {
  const items = first.length;
  let open = first.map((_, item) => [item]);
  const lead = (members: readonly number[]) => members.reduce((a, b) => (first[b]! < first[a]! ? b : a));
  const merges = [];
  while (open.length > 1) {
    open = open.sort((a, b) => first[lead(a)]! - first[lead(b)]!);
    let best: { a: number[]; b: number[]; similarity: number } | undefined;
    for (const [place, a] of open.entries())
      for (const b of open.slice(place + 1)) {
        const similarity = Math.min(...a.flatMap((one) => b.map((other) => matrix[one * items + other]!)));
        if (best === undefined || similarity > best.similarity) best = { a, b, similarity };
      }
    const { a, b, similarity } = best!;
    merges.push({ into: lead(a), from: lead(b), similarity });
    open = [...open.filter((one) => one !== a && one !== b), [...a, ...b]];
  }
  return merges;
}

describe('clusters by default', () => {
  test('D1 ten processes and ninety threads of π', () => {
    const pi = contextOfBlocks({ both: 4, ranks: 6, threads: 3 }, [
      [10, ['both', 'ranks']],
      [90, ['both', 'threads']],
    ]);
    const found = clusterProcesses(pi);
    expect(found.clusters.map(({ processes }) => processes.length)).toEqual([10, 90]);
    expect([found.verdict, found.noise, found.reason]).toEqual(['regular', 0, undefined]);
    expect(found.clusters[0]!.similarity).toEqual({ least: 1, mean: 1 });
  });

  test('D3 FD4 is one cluster; WRF and BT are as by 0.95', () => {
    expect(clusters(fd4)).toHaveLength(1);
    expect(clusters(wrf)).toEqual([[1], [2, 3, 4], threads]);
    expect(clusters(bt)).toEqual([[1, 2, 3, 4], threads]);
    expect(clusterProcesses(fd4).clusters[0]!.similarity.least).toBe(0.97);
  });

  test('D3 one of many processes that does more is by itself', () => {
    const context = contextOfBlocks({ all: 663, first: 111 }, [
      [1, ['all', 'first']],
      [63, ['all']],
    ]);
    expect(clusters(context).map(({ length }) => length)).toEqual([1, 63]);
  });

  test('D3 two of two, none, and one of none', () => {
    const two = contextOfBlocks({ a: 20, b: 20 }, [
      [1, ['a']],
      [1, ['b']],
    ]);
    expect(clusters(two)).toEqual([[1], [2]]);
    expect(clusterProcesses(contextOf([], 3)).clusters).toEqual([]);
    const [only] = clusterProcesses(contextOf([bitSetOf([], 3)], 3)).clusters;
    expect([only!.processes, membersOf(only!.prototype), only!.similarity.least]).toEqual([[0], [], 1]);
  });

  test('a function that sampling missed on one process makes no cluster; the same ones on many do', () => {
    const sets = Array.from({ length: 40 }, () =>
      bitSetOf(
        Array.from({ length: 12 }, (_, f) => f),
        14,
      ),
    );
    sets[3] = bitSetOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 14);
    sets[7] = bitSetOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 14);
    expect(clusters(contextOf(sets, 14))).toHaveLength(1);
    for (let process = 20; process < 40; process++) {
      addMember(sets[process]!, 12);
      addMember(sets[process]!, 13);
    }
    expect(clusters(contextOf(sets, 14)).map(({ length }) => length)).toEqual([20, 20]);
  });

  test('noise is what divides small differences from large ones', () => {
    /** Processes with 30 attributes, of which one of them lacks the given number, and the others as many in all as given, one each. */
    const sets = (lacking: number, missed: number) =>
      Array.from({ length: 30 }, (_, process) =>
        bitSetOf(
          Array.from({ length: 30 }, (_, f) => f).filter((f) =>
            process === 0 ? f >= lacking : process > missed || f !== process,
          ),
          30,
        ),
      );
    const count = (lacking: number, missed: number) => clusters(contextOf(sets(lacking, missed), 30)).length;
    // Nobody else lacks anything, so nothing is by chance; less than 5 % is not worth a cluster.
    expect([count(1, 0), count(2, 0)]).toEqual([1, 2]);
    expect([count(4, 29), count(9, 29)]).toEqual([1, 2]);
  });

  test('very few processes: less than 5 % is no cluster, more is', () => {
    const pair = (extra: number) =>
      clusters(
        contextOfBlocks({ both: 20, first: extra }, [
          [1, ['both', 'first']],
          [3, ['both']],
        ]),
      ).length;
    expect([pair(1), pair(2), pair(4)]).toEqual([1, 2, 2]);
  });

  test.each([
    [0, 128],
    [0.01, 128],
    [0.02, 128],
    [0.02, 12],
  ])(
    'D1 planted groups with %d missing, up to %d processes a group, 40 seeds: adjusted Rand index',
    (missing, largest) => {
      const indices = Array.from({ length: 40 }, (_, seed) => {
        const { context, truth } = planted(seed, missing, largest);
        return adjustedRandIndex(clusterProcesses(context).clusterOf, truth);
      });
      expect(indices.reduce((sum, index) => sum + index, 0) / indices.length).toBeGreaterThanOrEqual(0.99);
      expect(Math.min(...indices)).toBeGreaterThanOrEqual(0.85);
    },
  );

  test('clusters are a partition of the groups, in the order of processes, and prototypes are majorities', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.constantFrom(0, 0.02, 0.1, 0.5), (seed, missing) => {
        const { context } = planted(seed, missing, 20);
        const found = clusterProcesses(context);
        found.clusters.forEach(({ processes, groups, prototype }, cluster) => {
          expect(processes).toEqual(
            [...found.clusterOf.keys()].filter((p) => found.clusterOf[p] === cluster),
          );
          expect(new Set(groups)).toEqual(new Set(processes.map((p) => context.groupOf[p])));
          const counts = new Map<number, number>();
          for (const p of processes)
            for (const attribute of membersOf(context.sets[context.groupOf[p]!]!))
              counts.set(attribute, (counts.get(attribute) ?? 0) + 1);
          expect(membersOf(prototype)).toEqual(
            [...counts].flatMap(([f, n]) => (2 * n > processes.length ? [f] : [])).sort((a, b) => a - b),
          );
        });
        const firsts = found.clusters.map(({ processes }) => processes[0]!);
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });
});

describe('verdicts', () => {
  test.each([
    [40, 30, 0.5],
    [100, 60, 0.5],
    [128, 100, 0.8],
    [700, 100, 0.5],
  ])(
    'D11 %d processes that a scheduler gives tasks at random: %d tasks, each with %d',
    (count, tasks, share) => {
      expect(clusterProcesses(contextOf(randomSets(5, count, tasks, share), tasks)).verdict).toBe(
        'irregular',
      );
    },
  );

  test('D11 the reason', () => {
    const reasonOf = (count: number, share: number) =>
      clusterProcesses(contextOf(randomSets(5, count, 100, share), 100)).reason;
    expect([reasonOf(600, 0.5), reasonOf(600, 0.85), reasonOf(600, 0.98)]).toEqual([
      'many clusters',
      'much noise',
      undefined,
    ]);
  });

  test('D11 groups above the limit, and a quarter of the processes above fifty', () => {
    /** Clusters of the given number of processes, all different. */
    const distinct = (count: number, processes: number) =>
      contextOf(
        Array.from({ length: count * processes }, (_, p) =>
          bitSetOf([2 * (p % count), 2 * (p % count) + 1], 2 * count),
        ),
        2 * count,
      );
    const verdict = (count: number, processes: number, limit = 250) => {
      const found = clusterProcesses(distinct(count, processes), { limit, threshold: 0.95 });
      return [found.clusters.length, found.verdict];
    };
    expect(verdict(50, 4)).toEqual([50, 'regular']);
    expect(verdict(51, 4)).toEqual([51, 'irregular']);
    expect(verdict(51, 5)).toEqual([51, 'regular']);
    expect(verdict(10, 2)).toEqual([10, 'regular']);
    expect(verdict(11, 2)).toEqual([11, 'irregular']);
    expect(verdict(9, 5, 9)).toEqual([9, 'regular']);
    expect(verdict(9, 5, 8)).toEqual([9, 'irregular']);
  });

  test('D11 the default stops at the limit', () => {
    const context = contextOf(randomSets(1, 400, 100, 0.5), 100);
    const sets = { sets: context.sets, weights: context.sets.map(() => 1), attributes: 100 };
    const found = findPrototypes(sets, 20);
    expect(found.isCutOff).toBe(true);
    expect(found.parts.length).toBeLessThanOrEqual(20);
    expect(clusterProcesses(context, { limit: 20 }).reason).toBe('many clusters');
    const blocks = contextOf(
      Array.from({ length: 150 }, (_, p) =>
        bitSetOf(
          [4, 5, 6, 7].map((f) => 8 * (p % 30) + f),
          240,
        ),
      ),
      240,
    );
    const weighted = { sets: blocks.sets, weights: blocks.sets.map(() => 5), attributes: 240 };
    expect(findPrototypes(weighted, 20)).toMatchObject({ isCutOff: true, parts: { length: 20 } });
    expect(findPrototypes(weighted, 31)).toMatchObject({ isCutOff: false, parts: { length: 30 } });
  });
});

describe('chance', () => {
  test('of at least as many events', () => {
    // By hand: 1 - 0.7^3; 3 · 0.3² · 0.7 + 0.3³.
    expect(Math.exp(logChanceOfAtLeast(1, 3, 0.3))).toBeCloseTo(0.657, 12);
    expect(Math.exp(logChanceOfAtLeast(2, 3, 0.3))).toBeCloseTo(0.216, 12);
    expect(Math.exp(logChanceOfAtLeast(3, 3, 0.3))).toBeCloseTo(0.027, 12);
    expect(logChanceOfAtLeast(2000, 2000, 0.01)).toBeCloseTo(2000 * Math.log(0.01), 6);
    expect([logChanceOfAtLeast(0, 5, 0.1), logChanceOfAtLeast(1, 5, 0)]).toEqual([0, -Infinity]);
    expect(logChanceOfAtLeast(1, 2, 0.5)).toBe(0);
  });

  test('logarithms of factorials and ways', () => {
    let sum = 0;
    for (let n = 1; n < 200; n++) expect(logFactorial(n)).toBeCloseTo((sum += Math.log(n)), 8);
    expect(Math.exp(logWays(10, 3))).toBeCloseTo(120, 5);
  });
});
