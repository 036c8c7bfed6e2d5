import type { Burst, Series, SeriesRegion } from '../../../../src/core/series/series';
import { DynamicsAnalysis, type AnalysisTools } from '../../../../src/core/degradations/analysis';
import type { DynamicsOptions } from '../../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import type { Rule } from '../../../../src/core/rules/rule';

export const step: SeriesRegion = { name: 'step', kind: 'phase' };
export const solve: SeriesRegion = { name: 'solve', kind: 'function', file: '/src/solve.c', line: 12 };
export const send: SeriesRegion = { name: 'MPI_Send', kind: 'mpi' };

export function series(
  region: SeriesRegion,
  rank: number,
  values: ArrayLike<number>,
  metric = 'time',
): Series {
  return { context: { region, metric, rank, thread: 0 }, values: Float64Array.from(values) };
}

/** Series of a run, cut into bursts. */
export function cut(all: readonly Series[], length: number): Burst[] {
  const iterations = all.reduce((most, { values }) => Math.max(most, values.length), 0);
  const bursts: Burst[] = [];
  for (let first = 0; first < iterations; first += length) {
    const last = Math.min(iterations, first + length);
    bursts.push({
      first,
      length: last - first,
      series: all.map(({ context, values }) => ({ context, values: values.slice(first, last) })),
    });
  }
  return bursts;
}

export function analysed(
  all: readonly Series[],
  options: Partial<DynamicsOptions> = {},
  burst = 64,
  rules?: readonly Rule[],
  tools?: Partial<AnalysisTools>,
): DynamicsResult {
  const analysis = new DynamicsAnalysis(options, rules, tools);
  for (const one of cut(all, burst)) analysis.addBurst(one);
  return analysis.finish();
}

/** One region on one rank that is two thirds of its phase. */
export function alone(values: ArrayLike<number>): readonly Series[] {
  const phase = Float64Array.from(values, (value) => 1.5 * value);
  return [series(step, 0, phase), series(solve, 0, values)];
}
