import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinRanges, mostClusters, rangeText, type Digest } from '../../../../src/core/digest/digest';
import { mergeDigests } from '../../../../src/core/digest/mergeDigests';
import { ofProcess, rows, slotCount, totals } from './digests';

const ranksOf = ({ clusters }: Digest): readonly number[] =>
  clusters.flatMap(({ ranks }) =>
    ranks.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
  );
const shown = ({ clusters }: Digest): readonly string[] => clusters.map(({ ranks }) => rangeText(ranks));

/** Merges in a tree that the numbers choose: neighbours become one, again and again. */
function inTree(digests: readonly Digest[], choices: readonly number[]): Digest {
  let level = digests;
  for (const [step, choice] of choices.entries()) {
    const width = 1 + (choice % 5);
    const from = (choice * 7 + step) % level.length;
    level = [
      ...level.slice(0, from),
      mergeDigests(level.slice(from, from + width)),
      ...level.slice(from + width),
    ];
  }
  return mergeDigests(level);
}

describe('digests of processes', () => {
  it('have the sums of all processes, each rank once, and few clusters, whatever the tree that merged them', () => {
    fc.assert(
      fc.property(
        fc.array(rows, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(1000), { maxLength: 20 }),
        fc.nat(1000),
        (processes, choices, turn) => {
          const digests = processes.map((own, rank) => ofProcess(rank, own));
          const first = turn % digests.length;
          const merged = inTree([...digests.slice(first), ...digests.slice(0, first)], choices);
          expect(totals([merged])).toEqual(totals(digests));
          expect([...ranksOf(merged)].sort((a, b) => a - b)).toEqual(digests.map((_, rank) => rank));
          expect(merged.clusters.length).toBeLessThanOrEqual(mostClusters);
          expect(Math.max(...merged.clusters.map(({ mostIterations }) => mostIterations))).toBe(
            digests.length - 1,
          );
          expect(Math.min(...merged.clusters.map(({ leastIterations }) => leastIterations))).toBe(0);
        },
      ),
    );
  });

  it('put processes together that spend their time alike, and keep apart who does not', () => {
    const solve = (seconds: number): Parameters<typeof ofProcess>[1] => [
      { parent: 0, slot: 0, visits: 10, seconds: 900 },
      { parent: 1, slot: 1, visits: 10, seconds },
    ];
    const merged = mergeDigests([
      ofProcess(0, solve(500)),
      ofProcess(1, solve(505)),
      ofProcess(2, solve(800)),
      ofProcess(3, solve(495)),
    ]);
    expect(shown(merged)).toEqual(['0-1,3', '2']);
    expect(merged.clusters[0]?.amounts.get('seconds')).toEqual(Float64Array.of(3000, 2700, 1500));
  });

  it('keep those apart that visit other call paths, however alike the times are', () => {
    const own = (visits: number): Parameters<typeof ofProcess>[1] => [
      { parent: 0, slot: 0, visits: 10, seconds: 900 },
      { parent: 0, slot: 1, visits, seconds: 0 },
    ];
    expect(shown(mergeDigests([0, 1, 0, 7].map((visits, rank) => ofProcess(rank, own(visits)))))).toEqual([
      '0,2',
      '1,3',
    ]);
  });

  it('join the nearest when there are too many, and those with the same call paths before any others', () => {
    const digests = Array.from({ length: 2 * mostClusters }, (_, rank) =>
      ofProcess(rank, [
        { parent: 0, slot: 0, visits: 1, seconds: 10 + 30 * Math.floor(rank / 2) + (rank % 2) },
        // The last one is nearest by its times, and does something else.
        { parent: 0, slot: 1, visits: rank === 2 * mostClusters - 1 ? 1 : 0, seconds: 0 },
      ]),
    );
    const merged = mergeDigests(digests);
    expect(merged.clusters).toHaveLength(mostClusters);
    expect(shown(merged)).toContain(String(2 * mostClusters - 1));
  });

  it('know a region of the source by its name, whatever its number in a process', () => {
    const a = ofProcess(0, [{ parent: 0, slot: slotCount, visits: 1, seconds: 1 }]);
    const b = {
      ...ofProcess(1, [{ parent: 0, slot: slotCount + 1, visits: 1, seconds: 1 }]),
      regions: ['r7', 'r2'].map((name) => ({ name, kind: 0, file: 'a.c', line: 3 })),
    };
    const { regions, slots, clusters } = mergeDigests([a, b]);
    expect(regions.map(({ name }) => name)).toEqual(['r2', 'r1', 'r0', 'r7']);
    expect([...slots]).toEqual([0xffff_ffff, slotCount]);
    expect(clusters).toHaveLength(1);
  });

  it('of nothing are nothing', () => {
    expect(mergeDigests([])).toMatchObject({ clusters: [], ranks: 0, costs: [] });
  });

  it('have the least costs of recording of any process', () => {
    const [a, b] = [ofProcess(0, []), ofProcess(1, [])];
    expect(
      mergeDigests([
        { ...a, costs: [3, 1] },
        { ...b, costs: [2, 5] },
        { ...b, costs: [] },
      ]).costs,
    ).toEqual([2, 1]);
  });
});

describe('ranges of ranks', () => {
  it('are joined where they meet, and written as people do', () => {
    const joined = joinRanges(
      [
        [0, 3],
        [8, 8],
      ],
      [
        [4, 5],
        [10, 12],
      ],
    );
    expect(rangeText(joined)).toBe('0-5,8,10-12');
  });
});
