import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../src/core/signal/analyseSeries';
import { contextKey, type SeriesContext } from '../../../../src/core/series/series';
import { compileRule } from '../../../../src/core/rules/rule';
import { pepc } from '../../../fixtures/dynamics/published';
import { burstsOf } from '../../../fixtures/dynamics/published';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import { analysed, send, series, solve, step } from './bursts';

describe('contexts', () => {
  it('phase, iteration, context: what differs in rank, metric, thread, line or call path only never collides; equality is by value', () => {
    const plain: SeriesContext = { region: solve, metric: 'time', rank: 1, thread: 0 };
    const others: SeriesContext[] = [
      { ...plain, rank: 0 },
      { ...plain, metric: 'visits' },
      { ...plain, thread: 1 },
      { ...plain, region: { ...solve, line: 13 } },
      { ...plain, region: { ...solve, file: '/src/other.c' } },
      { ...plain, callPath: [solve] },
      { ...plain, callPath: [send, solve] },
    ];
    const keys = [plain, ...others].map(contextKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(contextKey({ ...plain, region: { ...solve } })).toBe(contextKey(plain));
  });

  it('phase, iteration, context: two ranks and two metrics of a region are four series', () => {
    const values = [1, 2, 3, 4];
    const run = [0, 1].flatMap((rank) => [
      series(step, rank, values),
      series(solve, rank, values),
      series(
        solve,
        rank,
        values.map((value) => 10 * value),
        'visits',
      ),
    ]);
    const { series: all } = analysed(run, { all: true });
    const found = all
      .filter(({ context }) => context.region.name === 'solve')
      .map(({ context, impact }) => [context.rank, context.metric, impact]);
    expect(found).toEqual([
      [0, 'time', 10],
      [1, 'time', 10],
      [0, 'visits', 100],
      [1, 'visits', 100],
    ]);
  });

  it('phase, iteration, context: what users see counts iterations from 1', () => {
    const values = Float64Array.from({ length: 128 }, (_, i) => (i < 100 ? 1 : 2));
    const {
      rows,
      properties,
      trace,
      series: all,
    } = analysed([series(step, 0, values), series(solve, 0, values)]);
    expect(all[0]?.patterns[0]).toMatchObject({ type: 'step', core: [99, 100] });
    expect(rows.find(({ kind }) => kind === 'degradation-step')?.iterations).toEqual([[100, 101]]);
    expect(properties.find(({ kind }) => kind === 'degradation-step')?.title).toContain('iterations 100–101');
    expect(trace.find(({ rule }) => rule === 'degradation-trend')?.iterations).toEqual([100, 101]);
  });
});

describe('impact', () => {
  it('impact series: equal shares of different iterations are different times', () => {
    const half = compileRule({
      id: 'half',
      level: 'static',
      title: 'Half',
      kind: 'communication',
      condition: 'sum(time) / phaseTime > reportThreshold',
      severity: 'sum(time) / phaseTime',
      next: [],
    });
    const run = [series(step, 0, [1, 2]), series(send, 0, [0.5, 1])];
    const { series: all } = analysed(run, {}, 64, [half]);
    expect(all.map(({ values, impact, impactShare }) => [[...values], impact, impactShare])).toEqual([
      [[0.5, 1], 1.5, 0.5],
    ]);
  });

  it('static gate: what no static property was found in is never transformed', () => {
    let calls = 0;
    const tools = {
      analyseSeries: (...given: Parameters<typeof analyseSeries>) => {
        calls++;
        return analyseSeries(...given);
      },
    };
    const quiet = new Float64Array(128).fill(0.01);
    const run = [
      series(step, 0, new Float64Array(128).fill(1)),
      series(send, 0, quiet),
      series(solve, 0, new Float64Array(128).fill(0.5)),
    ];
    const { series: all } = analysed(run, {}, 64, undefined, tools);
    expect(all.map(({ context }) => context.region.name)).toEqual(['solve']);
    expect(calls).toBe(1);
  });

  it('static gate: of 1,280 series only those of the two call sites that matter are looked at', () => {
    const looked: number[] = [];
    const analysis = new DynamicsAnalysis({ reportThreshold: 0.05 }, undefined, {
      analyseSeries: (values) => {
        looked.push(values.length);
        const energies = { total: 1, dynamic: 0, short: 0, wide: 0 };
        return { energies, noise: 0, episodes: [], patterns: [], sentence: 'flat' };
      },
    });
    for (const burst of burstsOf(pepc(), 1024)) analysis.addBurst(burst);
    const { series: all, noDynamics } = analysis.finish();
    expect(looked).toEqual(new Array(128).fill(2048));
    expect(new Set(all.map(({ context }) => context.region.name))).toEqual(
      new Set(['MPI_Alltoall', 'MPI_Allgather']),
    );
    expect(noDynamics).toBe(true);
  });

  it('finds what the slowest rank costs the others, and names it', () => {
    const run = [0, 1, 2, 3].flatMap((rank) => [
      series(step, rank, new Float64Array(128).fill(1)),
      series(
        solve,
        rank,
        Float64Array.from({ length: 128 }, (_, i) => (rank === 2 ? 0.4 + i / 256 : 0.2)),
      ),
    ]);
    const { rows, series: all } = analysed(run, { reportThreshold: 0.25 });
    const imbalance = rows.filter(({ title }) => /imbalance/i.test(title));
    expect(imbalance.map(({ kind, ranks, iterations }) => [kind, ranks, iterations])).toEqual([
      ['imbalance', '2', [[1, 128]]],
      ['degradation-trend', '2', [[1, 128]]],
    ]);
    const position = imbalance[0]?.series[0] ?? -1;
    expect(all[position]?.context.rank).toBe(2);
    expect(imbalance[0]?.severity).toBeCloseTo(0.75 * (0.648 - 0.2), 3);
  });
});
