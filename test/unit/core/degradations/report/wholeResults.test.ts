import { describe, expect, it } from 'vitest';
import type { DynamicsOptions } from '../../../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../../../src/core/degradations/model/result';
import type { Series, SeriesRegion } from '../../../../../src/core/series/series';
import { gauss } from '../../../../fixtures/dynamics/signals';
import { resultLines, rounded } from '../../../resultText';
import { alone, analysed, send, series, solve, step } from '../bursts';

const length = 192;
let seed = 1;
function noisy(shape: (i: number) => number, deviation = 0.02): Float64Array {
  const noise = gauss(seed++);
  return Float64Array.from({ length }, (_, i) => Math.max(0, shape(i) + deviation * noise()));
}
const checkpoint: SeriesRegion = { name: 'checkpoint', kind: 'function', file: '/src/io.c', line: 7 };
const adapt: SeriesRegion = { name: 'adapt', kind: 'function', file: '/src/adapt.c', line: 30 };
const reduce: SeriesRegion = { name: 'MPI_Allreduce', kind: 'mpi' };

/**
 * Four ranks: `solve` grows on rank 3, for which the others wait in `MPI_Allreduce`; `adapt` has a bump on all ranks but 1 and a step on
 * rank 2; rank 0 writes every 24th iteration a checkpoint; `MPI_Send` becomes shorter.
 */
function run(): readonly Series[] {
  seed = 1;
  return [0, 1, 2, 3].flatMap((rank) => {
    const solving = noisy((i) => 1 + (rank === 3 ? i / 100 : 0));
    const waiting = noisy((i) => (rank === 3 ? 0.05 : i / 100));
    const adapting = noisy(
      (i) =>
        0.3 + (rank === 1 ? 0 : Math.exp(-0.5 * ((i - 60) / 5) ** 2)) + (rank === 2 && i >= 130 ? 0.5 : 0),
    );
    const writing = noisy((i) => (rank === 0 && i % 24 === 11 ? 2 : 0.02), 0.005);
    const sending = noisy((i) => 0.8 - i / 400);
    const whole = solving.map((value, i) =>
      [waiting, adapting, writing, sending].reduce((sum, part) => sum + (part[i] ?? 0), value),
    );
    return [
      series(step, rank, whole),
      series(solve, rank, solving),
      series(reduce, rank, waiting),
      series(adapt, rank, adapting),
      series(checkpoint, rank, writing),
      series(send, rank, sending),
      series(
        solve,
        rank,
        solving.map(() => 3),
        'visits',
      ),
    ];
  });
}

function textOf({ series: all, rows, properties, trace, ...others }: DynamicsResult): string {
  return resultLines([
    others,
    '--- series',
    ...all.map(({ values, episodes, ...one }) => ({
      ...one,
      values: values.slice(0, 3),
      letters: episodes.map(({ letter, from, to }) => `${letter}${from}-${to}`).join(' '),
    })),
    '--- rows',
    ...rows,
    '--- properties',
    ...properties,
    '--- evaluations of rules: some in full, then all in short',
    ...trace.filter((_, position) => position % 12 === 0),
    ...trace.map(({ rule, series: position, context, iterations, holds, confidence, severity }) => [
      rule,
      position,
      context.region.name,
      context.rank,
      iterations,
      holds,
      confidence,
      severity,
    ]),
  ]);
}

/**
 * The files beside this one have the whole results. A change of the analysis that is wanted changes them (`npx vitest run -u`): the difference
 * of the files then shows what it means for users.
 */
describe('the whole result of a run of four ranks', () => {
  it.each<[string, Partial<DynamicsOptions>]>([
    ['default', {}],
    ['everything', { all: true, improvements: true, reportThreshold: 0.02, thresholdTime: 0.001 }],
    ['bursts', { wholeRun: 0, burst: 64, patternsKept: 2, coarseValues: 64, improvements: true }],
  ])('with the options %s', async (name, options) => {
    await expect(textOf(analysed(run(), options))).toMatchFileSnapshot(`results/${name}.txt`);
  });

  it('has the same rows for any order of the ranks and bursts of any length', () => {
    const rowsOf = ({ rows }: DynamicsResult): unknown =>
      rounded(rows.map((row) => ({ ...row, series: row.series.length })));
    const whole = rowsOf(analysed(run(), {}, 64));
    expect(rowsOf(analysed(run().toReversed(), {}, 64))).toEqual(whole);
    expect(rowsOf(analysed(run(), {}, 16))).toEqual(whole);
    expect(rowsOf(analysed(run(), {}, length))).toEqual(whole);
  });

  it('of a long run: trends, steps and peaks that lie across the borders of bursts', async () => {
    const noise = gauss(7);
    const long = Float64Array.from(
      { length: 1500 },
      (_, i) =>
        1 +
        Math.max(0, Math.min(1, (i - 300) / 500)) +
        (i >= 1100 ? 0.7 : 0) +
        (i % 255 < 4 ? 2 : 0) +
        0.02 * noise(),
    );
    const options = { wholeRun: 0, burst: 256, coarseValues: 128, improvements: true };
    await expect(textOf(analysed(alone(long), options, 100))).toMatchFileSnapshot('results/long.txt');
  });
});
