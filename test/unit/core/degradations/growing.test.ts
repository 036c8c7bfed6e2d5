import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import { GrowingAnalysis } from '../../../../src/core/degradations/growing';
import { defaultDynamicsOptions } from '../../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import type { Burst, Series } from '../../../../src/core/series/series';
import { gauss } from '../../../fixtures/dynamics/signals';
import { analysed, cut, send, series, solve, step } from './bursts';

const settings = { burst: 64, wholeRun: 256 };
const options = { ...defaultDynamicsOptions, ...settings };
const pause = (): void => undefined;

/** Two ranks whose solver becomes slower, in a step or a ramp, and one that waits, and is not there at first. */
function run(seed: number, iterations: number): readonly Series[] {
  const noise = gauss(seed);
  const begin = Math.floor(iterations / 3);
  const rise = (i: number): number =>
    seed % 2 === 0 ? Number(i >= begin) : Math.max(0, (2 * (i - begin)) / iterations);
  return [0, 1].flatMap((rank) => {
    const solved = Float64Array.from({ length: iterations }, (_, i) => 1 + rise(i) + 0.1 * noise());
    const waited = solved.map((_, i) => (i < 100 ? 0 : i % 10 === rank ? 2 : 0.1));
    return [
      series(
        step,
        rank,
        solved.map((value, i) => value + (waited[i] ?? 0) + 0.2),
      ),
      series(solve, rank, solved),
      series(send, rank, waited),
    ];
  });
}

/** In pieces of 1 to 40 iterations, and not those that are zero throughout. */
function pieces(all: readonly Series[], iterations: number, random: () => number): readonly Burst[] {
  const found: Burst[] = [];
  for (let first = 0; first < iterations;) {
    const length = Math.min(iterations - first, 1 + Math.floor(40 * random()));
    const here = all.map(({ context, values }) => ({ context, values: values.slice(first, first + length) }));
    found.push({ first, length, series: here.filter(({ values }) => values.some((value) => value !== 0)) });
    first += length;
  }
  return found;
}

/** Places are numbered as they come, which is no part of what is found. */
const shown = ({ rows, properties, notes, iterations }: DynamicsResult): unknown => ({
  rows: rows.map((row) => ({ ...row, series: row.series.length })),
  ...{ properties, notes, iterations },
});

const growing = (): GrowingAnalysis => new GrowingAnalysis(() => new DynamicsAnalysis(options), settings);

describe('the dynamics of a run that is not over', () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'are in the end those of the whole, whatever the pieces and the questions before (run %i)',
    async (seed) => {
      const random = randomNumbers(seed);
      const iterations = 300 + Math.floor(400 * random());
      const all = run(seed, iterations);
      const analysis = growing();
      for (const piece of pieces(all, iterations, random)) {
        analysis.add(piece);
        if (random() < 0.05) await analysis.soFar(pause);
      }
      expect(shown(await analysis.finish(pause))).toEqual(shown(analysed(all, options, settings.burst)));
    },
  );

  it('are at each time those of a run that ended there, while it is short', async () => {
    const all = run(2, 256);
    const analysis = growing();
    for (const piece of cut(all, 50)) {
      analysis.add(piece);
      const ended = all.map(({ context, values }) => ({
        context,
        values: values.slice(0, analysis.iterations),
      }));
      expect(shown(await analysis.soFar(pause))).toEqual(shown(analysed(ended, options, settings.burst)));
    }
  });

  it('are in a long run those of all full bursts', async () => {
    const all = run(3, 700);
    const analysis = growing();
    for (const piece of cut(all, 50)) analysis.add(piece);
    const { iterations, rows }: DynamicsResult = await analysis.soFar(pause);
    expect(iterations).toBe(640);
    expect(rows.length).toBeGreaterThan(0);
    expect(analysis.iterations).toBe(700);
  });

  it('refuse iterations that do not follow', () => {
    const analysis = growing();
    const [first, , third] = cut(run(1, 200), 50);
    if (first === undefined || third === undefined) throw new Error('no bursts');
    analysis.add(first);
    expect(() => {
      analysis.add(third);
    }).toThrow('Iteration 100 follows 50.');
  });
});
