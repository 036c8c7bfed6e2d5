import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import {
  defaultDynamicsOptions,
  type DynamicsOptions,
} from '../../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import { catalogue } from '../../../../src/core/rules/catalogue';
import { compileRule, type StaticRuleDefinition } from '../../../../src/core/rules/rule';
import type { Series, SeriesRegion } from '../../../../src/core/series/series';
import { defaultSignalOptions, type Pattern, type SeriesAnalysis } from '../../../../src/core/signal/signal';
import { analysed, cut, send, series, solve, step } from './bursts';
import { pattern } from './report/made';

const energies = { total: 100, dynamic: 20, short: 10, wide: 10 };
const episode = { letter: 'G', from: 0, to: 3, sum: 9, stability: 2 } as const;
/** The analysis of a series is replaced: patterns by the sum of the series. */
const found = (patterns: (sum: number) => readonly Pattern[], change = 20) => ({
  analyseSeries: (values: Float64Array): SeriesAnalysis => ({
    ...{ energies: { ...energies, dynamic: change }, noise: 0.5, episodes: [episode], sentence: 'words' },
    patterns: patterns(values.reduce((sum, value) => sum + value, 0)),
  }),
});
const still = found(() => [], 0);
const tooShort =
  'Too short to tell: with 4 iterations, no change differs from noise. From 5 on, large ones do.';
const run = (
  list: readonly Series[],
  options: Partial<DynamicsOptions> = {},
  tools = still,
  rules = catalogue,
): DynamicsResult => analysed(list, options, 64, rules, tools);
const four = (region: SeriesRegion, rank: number, value: number, metric = 'time'): Series =>
  series(region, rank, [value, value, value, value], metric);

describe('the analysis of a run', () => {
  const two = [four(step, 0, 10), four(step, 1, 10), four(solve, 0, 4), four(solve, 1, 1)];

  it('has no share of a thread above its whole time', () => {
    const onSecond = ({ context, values }: Series): Series => ({
      context: { ...context, thread: 1 },
      values,
    });
    // The second thread waits between the iterations, too: its waiting ends in the second one.
    const barrier: SeriesRegion = { name: '!$omp implicit barrier', kind: 'openmp' };
    const waits = series(barrier, 0, [0, 25, 1, 1]);
    const result = run([four(step, 0, 2), four(solve, 0, 2), onSecond(waits), onSecond(four(solve, 0, 1))]);
    const own = result.rows.find(({ rule }) => rule === 'synchronisation');
    // Its iterations are 2, 26, 2 and 2 long.
    expect(own?.severity).toBeCloseTo(27 / 32, 12);
    expect(result.series.every(({ impactShare }) => impactShare <= 1)).toBe(true);
  });

  it('finds static problems, their dynamics, and what they cost', () => {
    const rise = pattern('trend', 1, 2, { sum: 8, excess: 2, aftermath: 1, confidence: 0.75 });
    const result = run(
      two,
      {},
      found((sum) => (sum === 16 ? [rise] : []), 1.5),
    );
    const place = { region: solve, rank: 0, thread: 0 };
    const figures = {
      energies: { ...energies, dynamic: 1.5 },
      noise: 0.5,
      episodes: [episode],
      sentence: 'words',
    };
    const others = { others: { count: 0, sum: 0 }, phaseTime: 40, valueLength: 1, missing: 0 };
    expect(result.series).toEqual([
      {
        ...{
          rule: 'hot-spot',
          kind: 'hot-spot',
          context: { ...place, metric: 'time' },
          impact: 16,
          impactShare: 0.4,
        },
        ...{
          ...figures,
          ...others,
          patterns: [{ ...rise, from: 0, to: 3, sum: 16, excess: 2 + 1, aftermath: 0, core: [1, 2] }],
          values: Float64Array.of(4, 4, 4, 4),
        },
      },
      {
        ...{
          rule: 'imbalance',
          kind: 'imbalance',
          context: { ...place, metric: 'time' },
          impact: 6,
          impactShare: 0.15,
        },
        ...{ ...figures, ...others, patterns: [], values: Float64Array.of(1.5, 1.5, 1.5, 1.5) },
      },
    ]);
    expect(
      result.rows.map(({ kind, ranks, severity, excess, iterations, series: positions, rule }) => [
        kind,
        ranks,
        severity,
        excess,
        iterations,
        positions,
        rule,
      ]),
    ).toEqual([
      ['hot-spot', '0', 0.4, undefined, [[1, 4]], [0], 'hot-spot'],
      ['imbalance', '0', 0.15, undefined, [[1, 4]], [1], 'imbalance'],
      ['degradation-trend', '0', 0.4, 3 / 40, [[1, 4]], [0], 'degradation-trend'],
    ]);
    expect(result.properties.map(({ kind, refines }) => [kind, refines])).toEqual([
      ['hot-spot', undefined],
      ['imbalance', undefined],
      ['degradation-trend', result.rows[0]?.property],
    ]);
    expect(
      result.trace.map(({ rule, series: position, context, holds }) => [rule, position, context.rank, holds]),
    ).toEqual([
      ...[
        ['hot-spot', undefined, 0, true],
        ['hot-spot', undefined, 1, false],
        ['imbalance', undefined, -1, true],
      ],
      ...[
        ['significant-variability', 0, 0, true],
        ['degradation-peaks', 0, 0, false],
        ['degradation-trends', 0, 0, true],
      ],
      ...[
        ['irregular-variability', 0, 0, false],
        ['degradation-trend', 0, 0, true],
      ],
      ...[
        ['significant-variability', 1, 0, true],
        ['degradation-peaks', 1, 0, false],
        ['degradation-trends', 1, 0, false],
      ],
      ['irregular-variability', 1, 0, false],
    ]);
    expect({ ...result, series: [], rows: [], properties: [], trace: [] }).toEqual({
      ...{
        iterations: 4,
        unit: 's',
        phase: 'step',
        settings: defaultDynamicsOptions,
        noDynamics: false,
        notes: [tooShort],
      },
      ...{ series: [], rows: [], properties: [], trace: [] },
    });
  });

  it('is the same in bursts of any length, of which some may be empty, and in steps', async () => {
    const whole = run(two);
    const inBursts = (length: number): DynamicsAnalysis => {
      const analysis = new DynamicsAnalysis({}, catalogue, still);
      for (const burst of cut(two, length)) analysis.addBurst(burst);
      analysis.addBurst({ first: 4, length: 0, series: [four(solve, 0, 9)] });
      return analysis;
    };
    for (const length of [1, 2, 3]) expect(inBursts(length).finish()).toEqual(whole);
    const steps: (readonly number[])[] = [];
    const stepped = await inBursts(2).finishInSteps((done, all) => {
      steps.push([done, all]);
    }, 'ms');
    expect(stepped).toEqual({ ...whole, unit: 'ms' });
    expect(steps).toEqual([
      [0, 2],
      [1, 2],
    ]);
    await expect(inBursts(2).finishInSteps(() => Promise.reject(new Error('stop')))).rejects.toThrow('stop');
    expect(inBursts(2).finish('kg').unit).toBe('kg');
  });

  it('ends where the duration does', () => {
    const long = [series(step, 0, [10, 10, 10, 10, 10, 10]), series(solve, 0, [9, 9, 9, 9, 9, 1])];
    const impacts = (duration: number, burst: number): unknown => {
      const { iterations, series: all } = analysed(long, { duration }, burst, catalogue, still);
      return [iterations, all.map(({ impact }) => impact)];
    };
    for (const burst of [1, 2, 4, 6]) {
      expect(impacts(0, burst)).toEqual([6, [46]]);
      expect(impacts(5, burst)).toEqual([5, [45]]);
      expect(impacts(6, burst)).toEqual([6, [46]]);
      expect(impacts(9, burst)).toEqual([6, [46]]);
    }
  });

  it('looks at the iteration as a whole where no part of it is a problem, and at everything on request', () => {
    const quiet = [
      four(step, 0, 10),
      four(solve, 0, 0.5),
      four(solve, 0, 3, 'visits'),
      four(step, 0, 7, 'visits'),
    ];
    const seen = (options: Partial<DynamicsOptions>, list = quiet): unknown =>
      run(list, options).series.map(({ rule, context, impactShare, kind, impact }) => [
        rule,
        context.region.name,
        context.metric,
        impactShare,
        kind,
        impact,
      ]);
    expect(seen({})).toEqual([['phase', 'step', 'time', 1, 'hot-spot', 40]]);
    expect(seen({ all: true })).toEqual([
      ['phase', 'step', 'time', 1, 'hot-spot', 40],
      ['', 'step', 'visits', 0, undefined, 28],
      ['', 'solve', 'visits', 0, undefined, 12],
      ['', 'solve', 'time', 0.05, undefined, 2],
    ]);
    // What recording costs is time, too.
    const costly = [four(step, 0, 10), four(solve, 0, 0.5, 'overhead')];
    expect(seen({ all: true }, costly)).toContainEqual(['', 'solve', 'overhead', 0.05, undefined, 2]);
    const busy = [four(step, 0, 10), four(solve, 0, 5), four(solve, 0, 2, 'wait')];
    expect(seen({})).toHaveLength(1);
    expect(seen({ all: true }, busy)).toEqual([
      ['hot-spot', 'solve', 'time', 0.5, 'hot-spot', 20],
      ['waiting', 'solve', 'wait', 0.2, 'communication', 8],
      ['', 'step', 'time', 1, undefined, 40],
    ]);
    expect(run(quiet).rows).toEqual([]);
  });

  it('says which ranks are late: those nearer to the slowest than to the mean', () => {
    const late = (...times: readonly number[]) => {
      const list = times.flatMap((time, rank) => [four(step, rank, 10), four(solve, rank, time)]);
      const { rows, series: all } = run([...list, four(send, 0, 9)]);
      const row = rows.find(({ kind }) => kind === 'imbalance');
      return [row?.ranks, all[row?.series[0] ?? -1]?.context.rank];
    };
    expect(late(1, 8, 1, 8)).toEqual(['1,3', 1]);
    expect(late(1, 7, 1, 8)).toEqual(['1,3', 3]);
    // The mean is 4, the middle between it and the longest 6.
    expect(late(1, 6, 1, 8)).toEqual(['1,3', 3]);
    expect(late(2, 5, 1, 8)).toEqual(['3', 3]);
  });

  it('knows the share of iterations without a value', () => {
    const list = [four(step, 0, 10), series(solve, 0, [9, NaN, 9, 9])];
    expect(run(list).series.map(({ missing, values }) => [missing, [...values]])).toEqual([
      [0.25, [9, 0, 9, 9]],
    ]);
    expect(run(list, { missing: 'linear' }).series.map(({ values }) => [...values])).toEqual([[9, 9, 9, 9]]);
    const late = new DynamicsAnalysis({}, catalogue, still);
    late.addBurst({ first: 0, length: 2, series: [series(step, 0, [10, 10])] });
    late.addBurst({ first: 2, length: 2, series: [series(step, 0, [10, 10]), series(solve, 0, [9, 9])] });
    expect(late.finish().series.map(({ missing, values }) => [missing, [...values]])).toEqual([
      [0.5, [0, 0, 9, 9]],
    ]);
  });

  it('asks for improvements where they are wanted, with the thresholds of signals', () => {
    const asked = (options: Partial<DynamicsOptions>): unknown => {
      let seen: unknown;
      run(two, options, {
        analyseSeries: (values, settings?: unknown) => {
          seen = settings;
          return still.analyseSeries(values);
        },
      });
      return seen;
    };
    expect(asked({})).toEqual(defaultSignalOptions);
    expect(asked({ improvements: true })).toEqual({ ...defaultSignalOptions, improvements: true });
    const signal = { ...defaultSignalOptions, improvements: true, trendFit: 0.5 };
    expect(asked({ signal })).toEqual(signal);
  });
});

describe('rules of a run', () => {
  const rule = (others: Partial<StaticRuleDefinition>): ReturnType<typeof compileRule> =>
    compileRule({
      ...{
        id: 'own',
        level: 'static',
        title: 'Own',
        kind: 'hot-spot',
        condition: '1',
        severity: 'sum(time) / phaseTime',
      },
      ...others,
    });
  const list = [0, 1].flatMap((rank) => [
    four(step, rank, 10),
    four(step, rank, 3, 'visits'),
    four(solve, rank, 4),
    four(send, rank, 2),
    four(send, rank, 7, 'visits'),
  ]);
  const places = (others: Partial<StaticRuleDefinition>): unknown =>
    run(list, {}, still, [rule(others)]).series.map(({ context: { region, rank, metric }, impact }) => [
      region.name,
      rank,
      metric,
      impact,
    ]);

  it('apply to regions of their kinds and names that have the metrics; to all but the phase where they name no kinds', () => {
    expect(places({ regions: ['mpi', 'function'] })).toEqual([
      ...[
        ['solve', 0, 'time', 16],
        ['solve', 1, 'time', 16],
        ['MPI_Send', 0, 'time', 8],
        ['MPI_Send', 1, 'time', 8],
      ],
    ]);
    expect(places({ regions: ['mpi', 'function'], names: '*S*' })).toEqual([
      ['MPI_Send', 0, 'time', 8],
      ['MPI_Send', 1, 'time', 8],
    ]);
    expect(places({ regions: ['mpi', 'function'], condition: 'sum(visits)' })).toEqual([
      ['MPI_Send', 0, '', 8],
      ['MPI_Send', 1, '', 8],
    ]);
    expect(places({ severity: '0.5', condition: 'sum(visits)' })).toEqual([
      ['MPI_Send', 0, 'visits', 20],
      ['MPI_Send', 1, 'visits', 20],
    ]);
    // The first rank's iterations stand for all where there is no problem.
    expect(places({ regions: ['io'] })).toEqual([['step', 0, 'time', 40]]);
  });

  it('about all ranks apply to what they have in common', () => {
    const across = {
      across: 'ranks',
      severity: 'sum(slowest) / phaseTime',
      impact: 'sum(slowest) - sum(average) / 2',
    } as const;
    expect(places({ ...across, regions: ['mpi', 'function'] })).toEqual([
      ['solve', 0, 'time', 8],
      ['MPI_Send', 0, 'time', 4],
    ]);
  });

  it('that do not fit together are refused', () => {
    expect(() => new DynamicsAnalysis({}, [rule({}), rule({})])).toThrow('two rules');
  });
});

describe('notes', () => {
  const notes = (list: readonly Series[], options: Partial<DynamicsOptions> = {}): readonly string[] =>
    run(list, options).notes;
  const noDynamics = 'No dynamics: ';

  it('say why there is nothing to see', () => {
    expect(run([]).notes).toEqual(['The phase never ran: there are no iterations to analyse.']);
    expect(run([])).toMatchObject({ iterations: 0, noDynamics: true, rows: [] });
    expect(notes([four(step, 0, 0), four(solve, 0, 0)])).toEqual([
      'No time was measured in the phase: shares cannot be listed.',
    ]);
    expect(notes([four(step, 0, 10), four(solve, 0, 9)])).toEqual([tooShort]);
    const published = { method: 'periscope' } as const;
    expect(notes([four(step, 0, 10), four(solve, 0, 9)], published)).toEqual([
      `${noDynamics}the findings do not become worse over the iterations, so the time dimension does not matter here.`,
    ]);
    expect(notes([four(step, 0, 10), four(solve, 0, 1)], published)).toEqual([
      `${noDynamics}nothing reaches the report threshold, and the time of the iteration does not become worse.`,
    ]);
  });

  it('say where times of the phase come from, and how long runs are analysed', () => {
    const rest = (list: readonly Series[], options: Partial<DynamicsOptions> = {}): readonly string[] =>
      notes(list, options).slice(1);
    expect(rest([four(step, 0, 10), four(solve, 0, 9), four(solve, 1, 9)])).toEqual([
      'Some ranks have no phase time: the mean of the others stands for it.',
    ]);
    expect(rest([four(solve, 0, 9)])).toEqual([
      'The time of the phase was not measured: the sum of the times of its regions stands for it.',
    ]);
    const both = [four(step, 0, 10), four(solve, 0, 9)];
    expect(rest(both, { wholeRun: 3 })).toEqual([
      'The run has more than 3 iterations: short degradations are looked for burst by burst, long ones in means of several iterations.',
    ]);
    expect(rest(both, { wholeRun: 4 })).toEqual([]);
    expect(rest(both, { wholeRun: 0 })).toEqual([]);
    expect(rest([four(step, 0, NaN), four(solve, 0, 9), series(solve, 1, [1])])).toHaveLength(1);
  });
});
