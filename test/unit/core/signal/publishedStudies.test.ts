import { describe, expect, it } from 'vitest';
import type { Study } from '../../../fixtures/dynamics/published';
import {
  burstsOf,
  indeed,
  indeedPhases,
  pepc,
  pepcProblems,
  pepcTrends,
  rankList,
  sourceOf,
  teraPeakRow,
  teraPeaks,
  teraProblems,
  teraTf,
  teraTrends,
} from '../../../fixtures/dynamics/published';

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);

function share(study: Study, region: string, rank: number): number {
  const of = (name: string): number =>
    study.series
      .filter(({ context }) => context.region.name === name && context.rank === rank)
      .reduce((all, { values }) => all + sum(values), 0);
  return of(region) / of(study.phase);
}

describe('published studies as fixtures', () => {
  it.each([
    ['129.tera_tf', teraTf(), teraProblems, 128 + 32],
    ['PEPC', pepc(), pepcProblems, 1280 + 64],
  ] as const)('%s has the severities of its published table', (_, study, problems, count) => {
    expect(study.series).toHaveLength(count);
    for (const { region, ranks, severity } of problems) {
      const mean = ranks.reduce((all, rank) => all + share(study, region, rank), 0) / ranks.length;
      expect(mean).toBeCloseTo(severity, 2);
    }
  });

  it('ranks of trends are all in the rows of their region, and rank 13 of PEPC is the only one without', () => {
    const problems = teraProblems.filter(({ region }) => region === 'MPI_Wait').flatMap(({ ranks }) => ranks);
    expect(problems).toEqual(expect.arrayContaining(teraTrends.flatMap(({ ranks }) => ranks)));
    const withTrend = new Set(pepcTrends.flatMap(({ ranks }) => ranks));
    expect(rankList('0-63').filter((rank) => !withTrend.has(rank))).toEqual([13]);
    expect(pepcTrends[0]?.ranks).toHaveLength(47);
  });

  it('the peaks of MPI_Allreduce add 4 % of the time on the ranks that have them', () => {
    const study = teraTf();
    const values = study.series.find(
      ({ context }) => context.region.name === 'MPI_Allreduce' && context.rank === 7,
    )?.values;
    const inside = teraPeakRow.intervals.reduce(
      (all, [first, last]) => all + sum((values ?? new Float64Array()).slice(first - 1, last)),
      0,
    );
    const phase = study.series.find(({ context }) => context.region.kind === 'phase')?.values;
    const samples = teraPeaks.reduce((all, [first, last]) => all + last - first + 1, 0);
    const base = ((0.16 - teraPeakRow.severity) * samples) / 128;
    expect(inside / sum(phase ?? new Float64Array()) - base).toBeCloseTo(teraPeakRow.severity, 2);
  });

  it('bursts of a study put together are the study', async () => {
    const study = teraTf();
    const bursts = burstsOf(study, 50);
    expect(bursts.map(({ first, length }) => [first, length])).toEqual([
      [0, 50],
      [50, 50],
      [100, 28],
    ]);
    const joined = bursts.flatMap(({ series }) => [...(series[40]?.values ?? [])]);
    expect(joined).toEqual([...(study.series[40]?.values ?? [])]);
    let read = 0;
    for await (const burst of sourceOf(study).bursts(64)) read += burst.length;
    expect(read).toBe(128);
  });

  it('steps of INDEED add up to the published phases', () => {
    const strategies = [1, 2] as const;
    const total = strategies.map((strategy) => sum(indeed(strategy).cpuMinutes));
    expect(total[0]).toBeCloseTo(32.68, 9);
    expect(total[1]).toBeCloseTo(36.7, 9);
    for (const strategy of strategies) {
      const { stepWidths, cpuMinutes } = indeed(strategy);
      for (const { iterations, simulatedUntil, cpuMinutes: minutes } of indeedPhases[strategy]) {
        expect(sum(stepWidths.slice(0, iterations[1]))).toBeCloseTo(simulatedUntil, 9);
        expect(sum(cpuMinutes.slice(iterations[0] - 1, iterations[1]))).toBeCloseTo(minutes, 9);
      }
    }
  });
});
