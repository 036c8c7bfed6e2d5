import { describe, expect, it } from 'vitest';
import { defaultDynamicsOptions } from '../../../../../src/core/degradations/model/options';
import { inEvents, withParts } from '../../../../../src/core/degradations/report/events';
import { findLateRanks, type ImpactOn } from '../../../../../src/core/degradations/report/lateRanks';
import { makeRows } from '../../../../../src/core/degradations/report/makeRows';
import { toProperties as propertiesIn } from '../../../../../src/core/degradations/report/toProperties';
import { finding, found, pattern, problemRule, solve, wait } from './made';

const toProperties = (rows: Parameters<typeof propertiesIn>[0]) => propertiesIn(rows, 's');

const peaks = (...places: readonly number[]) => places.map((at) => pattern('peak', at, at + 1));

describe('late ranks', () => {
  const withPeaks = (rank: number, rule = 'communication') =>
    found(rank, 0.5, {
      rule: problemRule(rule),
      dynamics: [finding('degradation-peak', peaks(4, 10))],
      confidence: 1,
    });
  const high = [4, 5, 10, 11];
  const impact = (height: number, series?: number): ReturnType<ImpactOn> => ({
    values: Float64Array.from({ length: 20 }, (_, i) => 1 + (high.includes(i) ? height : 0)),
    valueLength: 1,
    ...(series === undefined ? {} : { series }),
  });
  const late = (
    ranks: readonly number[],
    lateOnes: ReadonlyMap<number, ReturnType<ImpactOn>>,
    rule = 'communication',
  ) => {
    const members = ranks.filter((rank) => !lateOnes.has(rank)).map((rank) => withPeaks(rank, rule));
    const rows = makeRows(members, 20, defaultDynamicsOptions);
    const impactOn: ImpactOn = (_, { rank }) => (lateOnes.has(rank) ? lateOnes.get(rank) : impact(8));
    const found = findLateRanks(rows, ranks, impactOn);
    titles = toProperties(withParts(rows, found)).properties.map(({ title }) => title);
    return found;
  };
  let titles: readonly string[] = [];
  const ranks = (list: ReturnType<typeof late>) => list.map(({ row }) => row.ranks);

  it('lack the peaks that the others have while they wait', () => {
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const [only, ...more] = late(all, new Map([[3, impact(0, 9)]]));
    expect(more).toEqual([]);
    expect(only?.row).toEqual({
      ...{ kind: 'late-rank', title: 'Late rank: lacks the peaks in communication time' },
      ...{
        region: wait,
        metric: 'time',
        ranks: '3',
        iterations: [
          [5, 6],
          [11, 12],
        ],
        severity: 0.25,
      },
      ...{
        excess: expect.closeTo(0.08, 12) as number,
        confidence: 0.5 * (7 / 8),
        belowThreshold: true,
        rule: 'late-rank',
        series: [9],
      },
    });
    expect(only?.quantities).toEqual({ ranksWithPeaks: 7, ranksWithout: 1, peakHeight: 8 });
    expect(titles.at(-1)).toBe(
      'Rank 3 has none of the peaks of MPI_Wait in iterations 5–6, 11–12 that the others have: they wait for it',
    );
  });

  it('are a quarter of all at most, and have a quarter of the height at most', () => {
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(
      ranks(
        late(
          all,
          new Map([
            [3, impact(2)],
            [4, undefined],
          ]),
        ),
      ),
    ).toEqual(['3-4']);
    expect(
      ranks(
        late(
          all,
          new Map([
            [3, impact(2.1)],
            [4, undefined],
          ]),
        ),
      ),
    ).toEqual(['4']);
    expect(ranks(late(all, new Map([[3, impact(2.1)]])))).toEqual([]);
    expect(late(all, new Map([2, 3, 4].map((rank) => [rank, impact(0)])))).toEqual([]);
    expect(late(all, new Map())).toEqual([]);
    expect(ranks(late([0, 1], new Map([[1, impact(0)]])))).toEqual([]);
    expect(ranks(late([0, 1, 2], new Map()))).toEqual([]);
    expect(ranks(late([0, 1, 2, 3], new Map([[1, impact(0)]])))).toEqual(['1']);
    expect(ranks(late([0, 1, 2, 3], new Map([[1, impact(0)]]), 'synchronisation'))).toEqual(['1']);
    expect(late([0, 1, 2, 3], new Map([[1, impact(0)]]), 'hot-spot')).toEqual([]);
    late(
      all,
      new Map([
        [3, impact(0)],
        [6, impact(0)],
      ]),
    );
    expect(titles.at(-1)).toMatch(/^Ranks 3,6 have none .* they wait for them$/);
  });

  it('refine the row of the peaks', () => {
    const all = [0, 1, 2, 3];
    const rows = makeRows(
      [0, 1, 2].map((rank) => withPeaks(rank)),
      20,
      defaultDynamicsOptions,
    );
    const impactOn: ImpactOn = (_, { rank }) => impact(rank === 3 ? 0 : 8);
    const { properties } = toProperties(withParts(rows, findLateRanks(rows, all, impactOn)));
    const peaksOf = properties.find(({ kind }) => kind === 'degradation-peaks');
    expect(properties.find(({ kind }) => kind === 'late-rank')?.refines).toBe(peaksOf?.id);
    // Of trends nobody is late.
    const rising = [0, 1, 2].map((rank) =>
      found(rank, 0.5, { dynamics: [finding('degradation-trend', [pattern('trend', 4, 11)])] }),
    );
    expect(findLateRanks(makeRows(rising, 20, defaultDynamicsOptions), all, impactOn)).toEqual([]);
  });

  describe('agree with the event that they are a part of', () => {
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const inSolve = (rank: number) =>
      found(rank, 0.5, {
        rule: problemRule('hot-spot'),
        context: { region: solve, metric: 'time', rank, thread: 0 },
        dynamics: [finding('degradation-peak', peaks(4, 10))],
      });
    const allBut = (rank: number) => all.filter((other) => other !== rank).map((other) => withPeaks(other));
    /** With low waiting on rank 3 only. */
    const lateIn = (...problems: readonly ReturnType<typeof found>[]) => {
      const rows = inEvents(makeRows(problems, 20, defaultDynamicsOptions), 20);
      const found = findLateRanks(rows, all, (_, { rank }) => impact(rank === 3 ? 0 : 8));
      const { rows: listed } = toProperties(withParts(rows, found));
      const late = listed.filter(({ kind }) => kind === 'late-rank');
      const first = listed.find(({ property }) => property === late[0]?.partOf);
      return late.map(({ ranks }) => [ranks, first?.region.name]);
    };

    it('which begins with the rank that they name', () => {
      expect(lateIn(inSolve(3), ...allBut(3))).toEqual([['3', 'solve']]);
      expect(lateIn(inSolve(5), ...allBut(3))).toEqual([]);
      expect(lateIn(inSolve(5), inSolve(3), ...allBut(3))).toEqual([['3', 'solve']]);
    });

    it('in which they have no peak in any waiting, and are told once', () => {
      const elsewhere = (rank: number) => ({
        ...withPeaks(rank, 'synchronisation'),
        context: { region: { ...wait, name: 'MPI_Barrier' }, metric: 'time', rank, thread: 0 },
      });
      const others = all.filter((rank) => rank !== 3);
      expect(lateIn(...allBut(3), ...others.map(elsewhere))).toHaveLength(1);
      expect(lateIn(...allBut(3), elsewhere(3))).toEqual([]);
    });
  });
});
