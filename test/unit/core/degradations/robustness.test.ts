import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import { rankList } from '../../../fixtures/dynamics/published';
import { alone, analysed, cut, send, series, solve, step } from './bursts';

/** Everything that users see is a number, and a share. */
function expectSound(result: ReturnType<typeof analysed>): void {
  const text = JSON.stringify(result, (key, value: unknown) => {
    // A model has no number where nothing is known.
    if (key === 'model') return undefined;
    if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
    return value;
  });
  expect(text.length).toBeGreaterThan(0);
}

describe('bad input', () => {
  it.each([
    ['one sample', [1]],
    ['two samples', [1, 2]],
    ['zeros', [0, 0, 0, 0]],
    ['nothing but gaps', [NaN, NaN, NaN]],
    ['huge values', new Array<number>(64).fill(1e300)],
    ['tiny values', new Array<number>(64).fill(1e-300)],
    ['negative values', new Array<number>(64).fill(-1)],
  ])('robustness: %s give a report without dynamics', (_, values) => {
    for (const wholeRun of [0, 2048]) {
      const result = analysed(alone(values), { all: true, wholeRun });
      expectSound(result);
      expect(result.noDynamics).toBe(true);
    }
  });

  it('robustness: what is no number is missing, and filled as it was asked for', () => {
    const gaps = [1, NaN, 1, Infinity, 1, -Infinity, 1, 1];
    const held = analysed(alone(gaps), { missing: 'constant' });
    expect([...(held.series[0]?.values ?? [])]).toEqual(new Array(8).fill(1));
    expect(held.series[0]?.missing).toBeCloseTo(3 / 8);
    expect(held.noDynamics).toBe(true);
    expect([...(analysed(alone(gaps)).series[0]?.values ?? [])]).toEqual([1, 0, 1, 0, 1, 0, 1, 1]);
  });

  it('robustness: any numbers, any lengths, any bursts give sound reports', () => {
    const values = fc.array(fc.oneof(fc.double(), fc.constantFrom(0, 1, NaN, 1e300, -1)), { maxLength: 70 });
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(16, 64),
        fc.constantFrom(0, 32, 2048),
        (all, burst, wholeRun) => {
          const run = all.flatMap((one, rank) => [
            series(step, rank, one),
            series(solve, rank, one.slice(1)),
            series(send, rank, one),
          ]);
          expectSound(analysed(run, { all: true, wholeRun, improvements: true }, burst));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('robustness: series of different lengths are missing where they end', () => {
    const phase = new Float64Array(100).fill(1);
    const analysis = new DynamicsAnalysis({ missing: 'zero' });
    for (const burst of cut([series(step, 0, phase)], 50))
      analysis.addBurst({
        ...burst,
        series: [...burst.series, series(solve, 0, new Float64Array(burst.first === 0 ? 50 : 30).fill(0.5))],
      });
    const [one] = analysis.finish().series;
    expect(one?.values).toHaveLength(100);
    expect(one?.impact).toBe(40);
    expect(one?.missing).toBeCloseTo(0.2);
  });

  it('robustness: a region that comes late, goes, and comes again took no time in between', () => {
    const analysis = new DynamicsAnalysis();
    cut([series(step, 0, new Float64Array(192).fill(1))], 64).forEach((burst, at) => {
      const own = at === 1 ? [] : [series(solve, 0, new Float64Array(64).fill(0.5))];
      analysis.addBurst({ ...burst, series: [...burst.series, ...own] });
    });
    const { series: all } = analysis.finish();
    expect([...(all[0]?.values.slice(62, 66) ?? [])]).toEqual([0.5, 0.5, 0, 0]);
    expect(all[0]?.values).toHaveLength(192);
    expect(all[0]?.missing).toBeCloseTo(1 / 3);
  });

  it('robustness: a phase that never ran, and one that takes no time', () => {
    const never = new DynamicsAnalysis().finish();
    expect([never.iterations, never.noDynamics]).toEqual([0, true]);
    expect(never.notes[0]).toContain('never ran');
    const zero = analysed([series(step, 0, new Float64Array(64)), series(solve, 0, new Float64Array(64))]);
    expectSound(zero);
    expect(zero.notes[0]).toContain('No time was measured');
  });

  it('robustness: without a phase its regions stand for it, and the report says so', () => {
    const ramp = Float64Array.from({ length: 64 }, (_, i) => 1 + i / 32);
    const { rows, notes } = analysed([series(solve, 0, ramp), series(send, 0, ramp)]);
    expect(rows.filter(({ kind }) => kind === 'hot-spot').map(({ severity }) => severity)).toEqual([0.5]);
    expect(notes.join()).toContain('The time of the phase was not measured');
  });

  it('robustness: 20,000 ranks of one iteration are one row', () => {
    const ranks = 20_000;
    const all = Array.from({ length: ranks }, (_, rank) => [
      series(step, rank, [1]),
      series(solve, rank, [0.5]),
    ]).flat();
    const { rows, notes } = analysed(all);
    expect(rows.map(({ kind, ranks: set }) => [kind, set])).toEqual([['hot-spot', '0-19999']]);
    expect(notes.join()).toContain('Too short to tell');
    expect(rankList(rows[0]?.ranks ?? '')).toHaveLength(ranks);
  });

  it('robustness: the iteration itself is looked at when nothing in it is a problem', () => {
    const phase = Float64Array.from({ length: 128 }, (_, i) => 1 + i / 64);
    const { rows } = analysed([series(step, 0, phase), series(send, 0, new Float64Array(128).fill(0.01))]);
    expect(rows.map(({ title, region, iterations }) => [title, region.name, iterations])).toEqual([
      ['Degradation trend in time of the iteration', 'step', [[1, 128]]],
    ]);
  });
});
