import { describe, expect, it } from 'vitest';
import { rankSeries } from '../../../../../src/core/degradations/report/rankSeries';
import { withSharedRises } from '../../../../../src/core/degradations/report/shared';
import { analyseByLikelihood } from '../../../../../src/core/detect/detectedSeries';
import { finished } from '../../../../../src/core/steps';
import { pepc } from '../../../../fixtures/dynamics/published';
import { sampled } from '../../../../fixtures/dynamics/signals';

const analyse = (values: Float64Array, alarm = 0.01) => analyseByLikelihood(values, { alarm });

interface Given {
  readonly place: string;
  readonly values: Float64Array;
}

/** The rises of each series, where those of one place may share them. */
function analysesOf(all: readonly Given[], alarm = 0.01) {
  const analysed = (values: Float64Array) => analyse(values, alarm);
  const given = all.map(({ place, values }) =>
    rankSeries(place, values, analysed(values), () => analysed(values)),
  );
  return finished(withSharedRises(given, analysed, alarm));
}

const patternsOf = (all: readonly Given[], alarm?: number) =>
  analysesOf(all, alarm).map(({ patterns }) => patterns.filter(({ type }) => type !== 'peak'));

const risesOf = (all: readonly Given[], alarm?: number) =>
  patternsOf(all, alarm).map((own) => own.map(({ from, to }) => [from, to]));

const rise = (from: number, height: number, seed: number): Float64Array =>
  sampled(200, (i) => 1 + (height * Math.max(0, i - from)) / (199 - from), 0.05, seed);

describe('rises that ranks share', () => {
  it('are at the same place on all ranks, with the height of each', () => {
    const all = [1, 0.8, 0.6, 0.4].map((height, i) => ({ place: 'a', values: rise(80, height, i + 1) }));
    const rises = risesOf(all);
    expect(rises[0]).toHaveLength(1);
    for (const own of rises) expect(own).toEqual(rises[0]);
    expect(Math.abs((rises[0]?.[0]?.[0] ?? 0) - 80)).toBeLessThanOrEqual(4);
  });

  it('are shared by two ranks already, whatever the unit of their times', () => {
    const values = [1, 2].map((seed) => rise(80, 0.4, seed));
    const alone = values.map((own) => risesOf([{ place: 'a', values: own }])[0]);
    expect(alone[0]).not.toEqual(alone[1]);
    for (const unit of [1, 1e-6]) {
      const [first, second] = risesOf(
        values.map((own) => ({ place: 'a', values: own.map((value) => value * unit) })),
      );
      expect(first).toHaveLength(1);
      expect(first).toEqual(second);
    }
  });

  it('have the level of each rank, although its height is that of all of them', () => {
    const values = [1, 2, 3, 4].map((seed) =>
      sampled(200, (i) => 100 * seed + Math.max(0, i - 79), 30, seed),
    );
    const rises = patternsOf(values.map((own) => ({ place: 'a', values: own })));
    for (const [i, own] of rises.entries()) {
      const [before = NaN, after = NaN] = own[0]?.levels ?? [];
      expect(Math.abs(before - 100 * (i + 1)), `rank ${String(i)}`).toBeLessThan(15);
      expect(after - before).toBeCloseTo(
        (rises[0]?.[0]?.levels[1] ?? NaN) - (rises[0]?.[0]?.levels[0] ?? NaN),
        6,
      );
    }
  });

  it('are drawn below a peak that all ranks have, as before it', () => {
    const values = [1, 2, 3].map((seed) => rise(80, 1, seed).map((value, i) => value + (i === 120 ? 9 : 0)));
    for (const { model } of analysesOf(values.map((own) => ({ place: 'a', values: own }))))
      expect(model?.()[120]).toBe(model?.()[119]);
  });

  it('are found although in each iteration some rank has a peak', () => {
    const values = Array.from({ length: 10 }, (_, rank) =>
      rise(80, 0.3, rank + 1).map((value, i) => value + (i % 10 === rank ? 9 : 0)),
    );
    const rises = risesOf(values.map((own) => ({ place: 'a', values: own })));
    expect(new Set(rises.map((own) => JSON.stringify(own)))).toEqual(new Set([JSON.stringify(rises[0])]));
    expect(Math.abs((rises[0]?.[0]?.[0] ?? 0) - 80)).toBeLessThanOrEqual(4);
  });

  it('are of one place: another one has its own', () => {
    const values = [1, 2, 3].map((seed) => rise(80, 1, seed));
    const alone = values.map((own, i) => risesOf([{ place: String(i), values: own }])[0]);
    expect(risesOf(values.map((own, i) => ({ place: String(i), values: own })))).toEqual(alone);
  });

  it('are those of the shape that explains a rank best, whichever is found first', () => {
    const { series } = pepc({ noise: 0.2 });
    const ranks = [26, 32, 37, 0, 25, 3, 4, 5];
    const rises = risesOf(
      ranks.map((rank) => {
        const own = series.find(
          ({ context }) => context.rank === rank && context.region.name === 'MPI_Alltoall',
        );
        return { place: 'a', values: own?.values ?? new Float64Array() };
      }),
    );
    const begins = rises.map((own) => own[0]?.[0] ?? NaN);
    for (const [i, begin] of [521, 521, 521, 421, 421, 0, 0, 0].entries())
      expect(Math.abs((begins[i] ?? NaN) - begin), `rank ${String(ranks[i])}`).toBeLessThanOrEqual(41);
    expect(rises[4]).toEqual(rises[3]);
  });

  it('are not those of ranks that show one by chance', () => {
    const rising = Array.from({ length: 8 }, (_, i) => ({ place: 'a', values: rise(80, 1, i + 1) }));
    const still = Array.from({ length: 200 }, (_, i) => ({
      place: 'a',
      values: sampled(200, () => 1, 0.05, 4000 + i),
    }));
    const rises = risesOf([...rising, ...still], 0.05);
    // Of two hundred constant series, several show a rise as rare as in one of twenty.
    expect(rises.slice(rising.length).flat().length).toBeGreaterThan(1);
    const [shared] = rises;
    for (const one of rises.slice(1, rising.length)) expect(one).toEqual(shared);
    for (const one of rises.slice(rising.length)) expect(one).not.toEqual(shared);
  });
});
