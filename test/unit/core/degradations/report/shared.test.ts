import { describe, expect, it } from 'vitest';
import { withSharedRises } from '../../../../../src/core/degradations/report/shared';
import { analyseByLikelihood } from '../../../../../src/core/detect/detectedSeries';
import { finished } from '../../../../../src/core/steps';
import { pepc } from '../../../../fixtures/dynamics/published';
import { sampled } from '../../../../fixtures/dynamics/signals';

const analyse = (values: Float64Array, alarm = 0.01) => analyseByLikelihood(values, { alarm });

/** The rises of each series, where those of one place may share them. */
function risesOf(all: readonly { readonly place: string; readonly values: Float64Array }[], alarm = 0.01) {
  const analysed = (values: Float64Array) => analyse(values, alarm);
  const given = all.map((own) => ({ ...own, analysis: analysed(own.values) }));
  return finished(withSharedRises(given, analysed, alarm)).map(({ patterns }) =>
    patterns.filter(({ type }) => type !== 'peak').map(({ from, to }) => [from, to]),
  );
}

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
