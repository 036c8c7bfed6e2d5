import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import { pooledRepetitions } from '../../../../src/core/series/repetitions';
import type { Series, SeriesRegion, SeriesSource } from '../../../../src/core/series/series';
import { randomNumbers } from '../../../../src/core/randomNumbers';

const step: SeriesRegion = { name: 'step', kind: 'phase', file: '/a.c', line: 3 };
const solve: SeriesRegion = { name: 'solve', kind: 'function' };
const iterations = 100;
const ranks = 4;

/** @param work of a rank in an iteration, both from 0 */
function repetition(seed: number, work: (iteration: number, rank: number) => number): SeriesSource {
  const random = randomNumbers(seed);
  const series: Series[] = [];
  for (let rank = 0; rank < ranks; rank++) {
    const values = Float64Array.from({ length: iterations }, (_, i) => work(i, rank) * (1 + 0.02 * random()));
    for (const region of [step, solve])
      series.push({ context: { region, metric: 'time', rank, thread: 0 }, values });
  }
  return {
    unit: 's',
    iterations,
    // oxlint-disable-next-line typescript/require-await -- a source need not wait
    async *bursts() {
      yield { first: 0, length: iterations, series };
    },
  };
}

async function analysed(...repetitions: readonly SeriesSource[]): Promise<DynamicsResult> {
  const analysis = new DynamicsAnalysis();
  for await (const burst of pooledRepetitions(repetitions).bursts(1024)) analysis.addBurst(burst);
  return analysis.finish();
}

const rowsOf = ({ rows }: DynamicsResult): readonly string[] =>
  rows.map(({ kind, title, region, ranks: set }) => `${kind}: ${title} · ${region.name} ${set}`);

describe('what one repetition alone shows', () => {
  const hiccups = [33, 41, 52, 73];

  it('is noise of the machine, with the repetition and the iterations, and no degradation', async () => {
    const result = await analysed(
      repetition(1, () => 1),
      repetition(2, (i) => (hiccups.includes(i) ? 4 : 1)),
      repetition(3, () => 1),
    );
    expect(rowsOf(result)).toEqual([
      'hot-spot: Hot spot · solve 0-3',
      'machine-noise: Noise of the machine in repetition 2, most in 34, 42, 53, 74 · step 0-3',
    ]);
    // 4 · 3 s of 112 s, and the noise of two per cent.
    const noise = result.rows[1];
    expect(noise?.severity).toBeGreaterThan(0.1);
    expect(noise?.severity).toBeLessThan(0.13);
    expect(noise).toMatchObject({
      ...{ iterations: [[1, iterations]], series: [], rule: 'machine-noise', region: step },
    });
    expect(result.noDynamics).toBe(true);
  });

  it('is no part of what all of them show', async () => {
    const grown = (i: number): number => (i < 50 ? 1 : 1.5);
    const result = await analysed(
      repetition(1, (i) => grown(i) + (i === 20 ? 5 : 0)),
      repetition(2, grown),
    );
    expect(rowsOf(result).filter((row) => !row.startsWith('hot-spot'))).toEqual([
      'degradation-step: Degradation step in time · solve 0-3',
      'machine-noise: Noise of the machine in repetition 1, most in 21 · step 0-3',
    ]);
  });

  it('is not told where repetitions differ by less than the threshold of time', async () => {
    const result = await analysed(
      repetition(1, () => 1),
      repetition(2, () => 1.001),
    );
    expect(rowsOf(result)).toEqual(['hot-spot: Hot spot · solve 0-3']);
  });
});

describe('pre-empted phases', () => {
  it('are a finding with the share of the time on the wall, and its moments', () => {
    const analysis = new DynamicsAnalysis();
    const time = new Float64Array(iterations).fill(1);
    const preempted = time.map((_, i) => (hiccupsOf.includes(i) ? 2 : 0));
    const elapsed = time.map((value, i) => value + (preempted[i] ?? 0));
    const of = (region: SeriesRegion, metric: string, values: Float64Array): Series => ({
      context: { region, metric, rank: 0, thread: 0 },
      values,
    });
    analysis.addBurst({
      first: 0,
      length: iterations,
      series: [
        of(step, 'time', time),
        of(step, 'preempted', preempted),
        of(step, 'elapsed', elapsed),
        of(solve, 'time', time),
      ],
    });
    const result = analysis.finish();
    expect(rowsOf(result)).toEqual([
      'hot-spot: Hot spot · solve 0',
      'degradation-peaks: Degradation peaks in pre-empted time · step 0',
      'pre-empted: Pre-empted by other programs · step 0',
    ]);
    expect(result.notes).toContainEqual(
      expect.stringMatching(/^Pre-empted time \(7\.\d* ?% of the time on the wall\)/),
    );
    // 8 s of 108 s.
    expect(result.rows[2]?.severity).toBeCloseTo(8 / 108, 12);
    expect(result.rows[1]?.excess).toBeCloseTo(8 / 108, 12);
    expect(result.rows[1]?.iterations).toEqual([34, 42, 53, 74].map((at) => [at, at]));
  });
});

const hiccupsOf = [33, 41, 52, 73];
