import { describe, expect, it } from 'vitest';
import { defaultDynamicsOptions } from '../../../../../src/core/degradations/model/options';
import { makeRows, type Found } from '../../../../../src/core/degradations/report/makeRows';
import {
  intervalWords,
  toProperties as propertiesIn,
} from '../../../../../src/core/degradations/report/toProperties';
import type { DynamicRule } from '../../../../../src/core/rules/rule';
import { dynamicRule, finding, found, pattern, problemRule, solve, wait } from './made';

const toProperties = (rows: Parameters<typeof propertiesIn>[0]) => propertiesIn(rows, 's');
const rowsOf = (problems: readonly Found[]) => makeRows(problems, 1000, defaultDynamicsOptions);
const peaks = (...places: readonly number[]) => places.map((at) => pattern('peak', at, at + 1));

describe('rows', () => {
  it('stand for ranks that behave alike, the costliest first, with means of their figures', () => {
    const dynamics = (excess: number, aftermath: number, severity: number, confidence: number) => [
      finding('degradation-trend', [pattern('trend', 100, 200, { excess, aftermath })], {
        severity,
        confidence,
      }),
    ];
    const rows = rowsOf([
      found(2, 0.5, { dynamics: dynamics(20, 2, 0.2, 0.5) }),
      found(0, 0.52, { dynamics: dynamics(22, 4, 0.4, 0.75), confidence: 0.5 }),
      found(1, 0.1),
    ]);
    const common = { region: wait, metric: 'time', belowThreshold: false };
    const whole = [[1, 1000]];
    expect(rows.map(({ row }) => row)).toEqual([
      {
        ...common,
        ...{ kind: 'communication', title: 'Excessive communication time', rule: 'communication' },
        ...{ ranks: '0,2', iterations: whole, severity: 0.51, confidence: 0.75, series: [0, 2] },
      },
      {
        ...common,
        ...{ kind: 'degradation-trend', title: 'Degradation trend in communication time' },
        ...{ ranks: '0,2', iterations: [[101, 201]], severity: expect.closeTo(0.3, 12) as number },
        ...{ excess: 0.24, confidence: 0.625, rule: 'degradation-trend', series: [0, 2] },
      },
      {
        ...common,
        ...{ kind: 'communication', title: 'Excessive communication time', rule: 'communication' },
        ...{ ranks: '1', iterations: whole, severity: 0.1, confidence: 1, series: [1] },
      },
    ]);
    expect(rows.map(({ static: isStatic, quantities }) => [isStatic, quantities])).toEqual([
      [true, {}],
      [false, {}],
      [true, {}],
    ]);
    expect(rows[1]?.members.map((member) => ({ ...member, found: undefined, finding: undefined }))).toEqual(
      [0, 2].map((rank) => ({
        ...{ rank, thread: 0, intervals: [[100, 200]], found: undefined, finding: undefined },
        ...(rank === 0
          ? { size: 0.22, severity: 0.4, excess: 0.22, aftermath: 0.04, confidence: 0.75 }
          : { size: 0.2, severity: 0.2, excess: 0.2, aftermath: 0.02, confidence: 0.5 }),
      })),
    );
  });

  it('are apart where steps at the same time differ in what they cost afterwards', () => {
    const step = (rank: number, aftermath: number) => {
      const patterns = [pattern('step', 100, 101, { excess: 1, aftermath })];
      return found(rank, undefined, { dynamics: [finding('degradation-trend', patterns)] });
    };
    const ranks = (...costs: readonly number[]) =>
      rowsOf(costs.map((cost, rank) => step(rank, cost))).map(({ row }) => row.ranks);
    expect(ranks(30, 31, 2)).toEqual(['0-1', '2']);
    expect(ranks(30, 31, 29)).toEqual(['0-2']);
  });

  it('have nothing that chance shows on one of their ranks', () => {
    const on = (rank: number, ...patterns: readonly ReturnType<typeof pattern>[]) =>
      found(rank, undefined, { dynamics: [finding('degradation-trend', patterns)] });
    const sure = pattern('trend', 100, 200, { chance: 1e-9 });
    // One of a hundred series shows this; of two ranks, one does in one of fifty runs.
    const unsure = pattern('trend', 102, 201, { chance: 0.006 });
    const shown = (...problems: readonly Found[]) =>
      rowsOf(problems).map(({ row: { ranks, iterations } }) => [ranks, iterations]);
    expect(shown(on(0, sure), on(1, unsure))).toEqual([['0', [[101, 201]]]]);
    expect(shown(on(0, sure, { ...unsure, from: 300, to: 400 }), on(1, sure))).toEqual([
      ['0-1', [[101, 201]]],
    ]);
    expect(shown(on(0, unsure))).toEqual([['0', [[103, 202]]]]);
    expect(shown(on(0, unsure), on(1, unsure), on(2, unsure))).toEqual([]);
    // But peaks on several ranks at once are no chance.
    const peak = (rank: number, from: number, to: number) =>
      found(rank, undefined, {
        dynamics: [finding('degradation-peaks', [pattern('peak', from, to, { chance: 0.006 })])],
      });
    expect(shown(peak(0, 50, 57), peak(1, 51, 58), peak(2, 50, 56))).toEqual([['0-2', [[51, 58]]]]);
    expect(shown(peak(0, 50, 57), peak(1, 54, 75), peak(2, 90, 96))).toEqual([]);
  });

  it('are of one rule, region, call path and metric each', () => {
    const at = (others: Partial<Found['context']>) => ({
      context: { region: wait, metric: 'time', rank: 0, thread: 0, ...others },
    });
    const rows = rowsOf([
      found(0, 0.5, at({})),
      found(1, 0.5, at({ rank: 1 })),
      found(0, 0.5, { ...at({}), rule: problemRule('waiting') }),
      found(0, 0.5, at({ region: { ...wait, line: 4 } })),
      found(0, 0.5, at({ callPath: [solve, wait] })),
      found(0, 0.5, at({ metric: 'wait' })),
    ]);
    expect(
      rows.map(({ row: { ranks, metric, callPath, region } }) => [
        ranks,
        metric,
        callPath?.length,
        region.line,
      ]),
    ).toEqual([
      ['0', 'time', 2, undefined],
      ['0', 'wait', undefined, undefined],
      ['0-1', 'time', undefined, undefined],
      ['0', 'time', undefined, 4],
      ['0', 'time', undefined, undefined],
    ]);
    expect(rows[1]?.row).not.toHaveProperty('callPath');
  });

  it('of an imbalance have its late ranks; series that are no problem have no static row', () => {
    const [imbalance] = rowsOf([found(-1, 0.5, { rule: problemRule('imbalance'), ranks: [3, 5] })]);
    expect(imbalance?.row).toMatchObject({ ranks: '3,5', title: 'Imbalance' });
    const rows = rowsOf([found(0, undefined, { dynamics: [finding('degradation-peak', peaks(4))] })]);
    expect(rows.map(({ row }) => row.kind)).toEqual(['degradation-peak']);
  });

  const kindOf = (rule: string, ...types: readonly (readonly ('peak' | 'trend' | 'step')[])[]) => {
    const [first] = rowsOf(
      types.map((list, rank) =>
        found(rank, undefined, {
          dynamics: [
            finding(
              rule,
              list.map((type, n) => pattern(type, 10 + 20 * n, 20 + 20 * n)),
            ),
          ],
        }),
      ),
    );
    return [first?.row.kind, first?.row.title];
  };

  it('of several intervals have the collective kind, and rises that most ranks see as a step are one', () => {
    const of = (name: string) => `${name} in communication time`;
    expect(kindOf('degradation-peak', ['peak'])).toEqual(['degradation-peak', of('Degradation peak')]);
    expect(kindOf('degradation-peak', ['peak', 'peak'])).toEqual([
      'degradation-peaks',
      of('Degradation peaks'),
    ]);
    expect(kindOf('degradation-trend', ['trend', 'step'])).toEqual([
      'degradation-trends',
      of('Degradation trends'),
    ]);
    expect(kindOf('degradation-trend', ['step'])).toEqual(['degradation-step', of('Degradation step')]);
    expect(kindOf('degradation-trend', ['step'], ['trend'])).toEqual([
      'degradation-trend',
      of('Degradation trend'),
    ]);
    expect(kindOf('degradation-trend', ['step'], ['trend'], ['step'])[0]).toBe('degradation-step');
    expect(kindOf('improvement', ['step', 'step'])).toEqual(['improvement', of('Improvement')]);
    expect(kindOf('significant-variability', [])).toEqual([
      'significant-variability',
      of('Significant variability'),
    ]);
  });

  it('of degradations are below the threshold by their cost, those without intervals by their severity', () => {
    const isBelow = (excess: number, severity: number, patterns = 1) => {
      const list = [pattern('peak', 3, 4, { excess })].slice(0, patterns);
      const rows = rowsOf([found(0, 0.01, { dynamics: [finding('degradation-peak', list, { severity })] })]);
      return rows.find(({ static: isStatic }) => !isStatic)?.row;
    };
    expect(isBelow(10, 0.01)).toMatchObject({ belowThreshold: false, excess: 0.1 });
    expect(isBelow(9.9, 0.5)).toMatchObject({ belowThreshold: true });
    expect(isBelow(9, 0.1, 0)).toMatchObject({ belowThreshold: false, iterations: [[1, 1000]] });
    expect(isBelow(9, 0.09, 0)).toMatchObject({ belowThreshold: true });
    expect(isBelow(9, 0.09, 0)).not.toHaveProperty('excess');
    // A static row is there because it is above the threshold of its rule.
    expect(rowsOf([found(0, 0.01)])[0]?.row.belowThreshold).toBe(false);
  });

  it('have no severity where the rule has none, and the costs of patterns that were only counted', () => {
    const others = [{ count: 5, iterations: 7, first: 2, last: 899, sum: 30, excess: 20, aftermath: 3 }];
    const [dynamic] = rowsOf([
      found(0, undefined, {
        dynamics: [finding('degradation-peaks', peaks(4), { severity: undefined, others })],
      }),
    ]);
    expect(dynamic?.row).not.toHaveProperty('severity');
    expect(dynamic?.row.excess).toBeCloseTo(0.27, 12);
    expect(dynamic?.members[0]).toMatchObject({ severity: 0, excess: 0.24, aftermath: 0.03 });
    expect(dynamic?.row.all).toEqual({ count: 6, iterations: 9, range: [3, 900] });
  });

  it('have patterns that were only counted once: in the row of their rank with most of its time', () => {
    const others = [{ count: 5, iterations: 5, first: 2, last: 899, sum: 50, excess: 20, aftermath: 0 }];
    const often = [pattern('peak', 10, 10), pattern('peak', 500, 500, { sum: 40 })];
    const rows = rowsOf([
      found(0, undefined, { dynamics: [finding('degradation-peaks', often, { severity: 1, others })] }),
      found(1, undefined, { dynamics: [finding('degradation-peaks', peaks(10))] }),
    ]).map(({ row }) => row);
    expect(rows.map(({ ranks, all }) => [ranks, all])).toEqual([
      ['0', { count: 6, iterations: 6, range: [3, 900] }],
      ['0-1', undefined],
    ]);
    // What rank 0 has of both rows is what it has altogether: 28 of 100 seconds are excess.
    expect((rows[0]?.excess ?? 0) + 0.04).toBeCloseTo(0.28, 12);
    expect(rows[0]?.severity).toBeCloseTo(0.9, 12);
  });

  it('of several ranks with more than is listed have the numbers of the rank with most', () => {
    const counted = (count: number, first: number, last: number) =>
      finding('degradation-peaks', peaks(100), {
        others: [{ count, iterations: 2 * count, first, last, sum: 10, excess: 4, aftermath: 0 }],
      });
    const [row] = rowsOf([
      found(0, undefined, { dynamics: [counted(5, 20, 400)] }),
      found(1, undefined, { dynamics: [counted(7, 30, 500)] }),
    ]);
    expect(row?.row.all).toEqual({ count: 8, iterations: 16, range: [21, 501] });
  });

  it('of equal cost are ordered by title, place, ranks and rule', () => {
    const at = (region: Found['context']['region'], rank = 0) => ({
      context: { region, metric: 'time', rank, thread: 0 },
    });
    const named = (id: string): DynamicRule => {
      const { definition, ...rule } = dynamicRule('degradation-peaks');
      return { ...rule, definition: { ...definition, id } };
    };
    const twice = ['b', 'a'].map((id) =>
      finding('degradation-peaks', [], { severity: 0.5, rule: named(id) }),
    );
    const rows = rowsOf([
      found(0, 0.5, at({ ...solve, line: 4 })),
      found(0, 0.5, at({ ...solve, file: '/b.c' })),
      found(0, 0.5, at({ name: 'solve', kind: 'function' })),
      found(0, 0.5, at(solve)),
      found(0, 0.5, { ...at(wait), rule: problemRule('hot-spot') }),
      found(0, undefined, { ...at(wait), dynamics: twice }),
      found(0, 0.6, at(wait)),
    ]);
    expect(
      rows.map(({ row: { title, region, rule } }) => [title, region.name, region.file, region.line, rule]),
    ).toEqual([
      ['Excessive communication time', 'MPI_Wait', undefined, undefined, 'communication'],
      ['Degradation peaks in communication time', 'MPI_Wait', undefined, undefined, 'a'],
      ['Degradation peaks in communication time', 'MPI_Wait', undefined, undefined, 'b'],
      ['Excessive communication time', 'solve', '/a.c', 3, 'communication'],
      ['Excessive communication time', 'solve', '/a.c', 4, 'communication'],
      ['Excessive communication time', 'solve', '/b.c', 3, 'communication'],
      ['Excessive communication time', 'solve', undefined, undefined, 'communication'],
      ['Hot spot', 'MPI_Wait', undefined, undefined, 'hot-spot'],
    ]);
  });
});

describe('properties of rows', () => {
  const trend = [
    finding('degradation-trend', [pattern('trend', 9, 19, { excess: 10, aftermath: 5 })], {
      quantities: { fit: 0.5, none: NaN },
    }),
  ];
  const imports = { calledFrom: { file: '/main.c', line: 7 } };

  it('have the evidence of their row, and refine the problem that they are part of', () => {
    const problems = [0, 1].map((rank) => found(rank, 0.5, { dynamics: trend }));
    const { rows, properties } = toProperties(rowsOf([...problems, found(5, 0.1)]));
    expect(rows.map(({ property }) => property)).toEqual(properties.map(({ id }) => id));
    const communication = 'dynamics:communication:communication:time:MPI_Wait:0-1';
    expect(properties).toEqual([
      {
        ...{
          id: communication,
          kind: 'communication',
          title: 'Communication time of MPI_Wait is 50.0 % of the phase time',
        },
        ...{
          severity: 0.5,
          confidence: 1,
          region: { name: 'MPI_Wait' },
          ranks: '0-1',
          iterations: [[1, 1000]],
        },
        evidence: { ranks: 2, severity: 0.5 },
      },
      {
        id: 'dynamics:degradation-trend:communication:time:MPI_Wait:0-1:10-20',
        kind: 'degradation-trend',
        title:
          'Degradation trend in communication time of MPI_Wait, iterations 10–20: 25.0 % of the phase time, 15.0 % caused by the degradation itself',
        ...{
          severity: 0.25,
          confidence: 0.5,
          region: { name: 'MPI_Wait' },
          ranks: '0-1',
          iterations: [[10, 20]],
        },
        evidence: {
          ranks: 2,
          fit: 0.5,
          severity: 0.25,
          excessSeverity: expect.closeTo(0.15, 12) as number,
          aftermathSeverity: 0.05,
        },
        refines: communication,
      },
      expect.objectContaining({ id: 'dynamics:communication:communication:time:MPI_Wait:5' }),
    ]);
  });

  const titles = (dynamics: Found['dynamics'], context = found(0, 0.5).context): string[] =>
    toProperties(rowsOf([found(0, undefined, { dynamics, context })])).properties.map(({ title }) => title);

  it('say where, how much, and what it costs', () => {
    const start = 'Degradation peaks in communication time of MPI_Wait,';
    const [cost] = titles([finding('degradation-peak', [pattern('peak', 4, 4, { excess: 30 })])]);
    expect(cost).toBe(
      'Degradation peak in communication time of MPI_Wait, iteration 5: 25.0 % of the phase time; with what follows it costs 30.0 %',
    );
    expect(titles([finding('degradation-peak', [pattern('peak', 4, 4, { excess: 25 })])])[0]).toContain(
      '25.0 % of the phase time, 25.0 % caused by the degradation itself',
    );
    expect(titles([finding('degradation-peak', peaks(4), { severity: undefined })])).toEqual([
      'Degradation peak in communication time of MPI_Wait, iterations 5–6; with what follows it costs 4.0 %',
    ]);
    expect(
      titles([finding('degradation-peak', [pattern('peak', 4, 4), pattern('peak', 8, 8)])])[0],
    ).toContain(`${start} iterations 5, 9: `);
    expect(titles([finding('improvement', [pattern('step', 4, 5)])])).toEqual([
      'Improvement in communication time of MPI_Wait, iterations 5–6: 25.0 % of the phase time',
    ]);
    expect(titles([finding('significant-variability', [], { severity: undefined })])).toEqual([
      'Significant variability in communication time of MPI_Wait, iterations 1–1000',
    ]);
  });

  it('name four intervals', () => {
    const ranges = [1, 3, 5, 7, 9, 11].map((from) => [from, from + 1] as const);
    expect(intervalWords(ranges.slice(0, 4))).toBe('1–2, 3–4, 5–6, 7–8');
    expect(intervalWords(ranges.slice(0, 5))).toBe('1–2, 3–4, 5–6, 7–8 and 1 more');
    expect(intervalWords(ranges)).toBe('1–2, 3–4, 5–6, 7–8 and 2 more');
  });

  it('have the place to look at, and ids with call path, line and at most eight intervals', () => {
    const context = {
      ...{
        region: { ...wait, ...imports, line: 3 },
        callPath: [solve, wait],
        metric: 'time',
        rank: 0,
        thread: 0,
      },
    };
    const many = peaks(...Array.from({ length: 10 }, (_, n) => 10 * n));
    const list = toProperties(
      rowsOf([found(0, 0.5, { context, dynamics: [finding('degradation-peak', many, { severity: 0.1 })] })]),
    ).properties;
    expect(list.map(({ id }) => id)).toEqual([
      'dynamics:communication:communication:time:solve/MPI_Wait:3:0',
      'dynamics:degradation-peaks:communication:time:solve/MPI_Wait:3:0:1-2,11-12,21-22,31-32,41-42,51-52,61-62,71-72',
    ]);
    expect(list[0]).toMatchObject({
      region: { name: 'MPI_Wait', file: '/main.c', line: 7 },
      callPath: ['solve', 'MPI_Wait'],
    });
  });

  it('have different ids where everything else is the same', () => {
    const at = (file: string) =>
      found(0, 0.5, { context: { ...found(0, 1).context, region: { ...wait, file } } });
    expect(
      toProperties(rowsOf([at('/a'), at('/b'), at('/c')])).properties.map(({ id }) => id.replace(/.*:/, '')),
    ).toEqual(['0', '0#2', '0#3']);
  });

  it('of waiting are part of the time of the same place', () => {
    const of = (
      metric: string,
      ranks: readonly number[],
      severity: number,
      others: Partial<Found['context']> = {},
    ) =>
      ranks.map((rank) =>
        found(rank, severity, {
          rule: problemRule(metric === 'wait' ? 'waiting' : 'communication'),
          context: { region: wait, metric, rank, thread: 0, ...others },
        }),
      );
    const { rows, properties } = toProperties(
      rowsOf([
        ...of('time', [0], 0.9),
        ...of('time', [1, 2], 0.5),
        ...of('wait', [0, 1, 2], 0.4),
        ...of('wait', [4], 0.2),
        ...of('wait', [1, 2], 0.3, { callPath: [solve, wait] }),
      ]),
    );
    const part = 'Waiting time, part of communication time';
    const alone = 'Excessive waiting time';
    expect(rows.map(({ title, ranks }) => [title, ranks])).toEqual([
      ['Excessive communication time', '0'],
      ['Excessive communication time', '1-2'],
      [part, '0-2'],
      [alone, '1-2'],
      [alone, '4'],
    ]);
    expect(properties.map(({ title, refines }) => [title, refines])).toEqual([
      ['Communication time of MPI_Wait is 90.0 % of the phase time', undefined],
      ['Communication time of MPI_Wait is 50.0 % of the phase time', undefined],
      [
        'Waiting time of MPI_Wait is 40.0 % of the phase time, part of its communication time',
        properties[1]?.id,
      ],
      ['Waiting time of MPI_Wait is 30.0 % of the phase time', undefined],
      ['Waiting time of MPI_Wait is 20.0 % of the phase time', undefined],
    ]);
  });

  it('of waiting are no part of a time that is less, as the mean of other ranks can be', () => {
    const of = (metric: string, rank: number, severity: number) =>
      found(rank, severity, {
        rule: problemRule(metric === 'wait' ? 'waiting' : 'communication'),
        context: { region: wait, metric, rank, thread: 0 },
      });
    const refining = (waiting: number): number =>
      toProperties(
        rowsOf([of('time', 0, 0.51), of('time', 1, 0.5), of('wait', 0, waiting)]),
      ).properties.filter(({ refines }) => refines !== undefined).length;
    // The mean of both ranks is 50.5 %.
    expect([refining(0.5), refining(0.508)]).toEqual([1, 0]);
  });

  it('refine the problem of the same region with most of their ranks', () => {
    const withTrend = (rank: number, severity: number) => found(rank, severity, { dynamics: trend });
    const rows = rowsOf([withTrend(0, 0.9), withTrend(1, 0.5), withTrend(2, 0.5), withTrend(3, 0.2)]);
    const { properties } = toProperties(rows);
    const refined = properties.find(({ kind }) => kind === 'degradation-trend')?.refines;
    expect(properties.find(({ id }) => id === refined)).toMatchObject({ ranks: '1-2' });
    const without = toProperties(rowsOf([found(0, undefined, { dynamics: trend })]));
    expect(without.properties[0]).not.toHaveProperty('refines');
  });
});

describe('peaks that repeat', () => {
  /** Of a rank on which each peak costs 4 s. */
  const every = (period: number | undefined, begins: readonly number[], rank = 0) =>
    found(rank, undefined, {
      ...(period === undefined ? {} : { period }),
      dynamics: [finding('degradation-peak', peaks(...begins))],
    });
  const rowOf = (...problems: readonly Found[]) => rowsOf(problems)[0]?.row;

  it('are work that is done now and then: one row with period, jitter, number and costs', () => {
    const row = rowOf(every(15, [14, 29, 44, 59]), every(15, [14, 29, 44, 59], 1));
    expect(row).toMatchObject({
      kind: 'periodic-peaks',
      title: 'Periodic peaks in communication time',
      ranks: '0-1',
      excess: 0.16,
      periodic: { period: 15, jitter: 0, occurrences: 4, costEach: 4, cost: 16 },
    });
  });

  it('have the jitter of their distances, which do not add up, and none where one is missing', () => {
    const jitter = (...begins: readonly number[]) => rowOf(every(10, begins))?.periodic?.jitter;
    expect(jitter(3, 13, 24, 34)).toBeCloseTo(1 / 3, 12);
    expect(jitter(3, 14, 25, 36, 47)).toBe(1);
    expect(jitter(3, 12, 22, 32)).toBeCloseTo(1 / 3, 12);
    expect(jitter(3, 13, 33, 43)).toBe(0);
    // What happens beside them is none of them.
    expect(jitter(3, 13, 18, 23, 33)).toBe(0);
    expect(jitter(8, 13, 23, 33, 43)).toBe(0);
  });

  it('are degradations where there are too few of them, or too many that do not repeat, or no period', () => {
    const kind = (period: number | undefined, ...begins: readonly number[]) =>
      rowOf(every(period, begins))?.kind;
    expect(kind(10, 3, 13)).toBe('degradation-peaks');
    expect(kind(10, 3, 13, 23)).toBe('periodic-peaks');
    expect(kind(10, 3, 8, 13, 23)).toBe('periodic-peaks');
    expect(kind(10, 3, 8, 13, 18, 23)).toBe('degradation-peaks');
    expect(kind(10, 3, 33, 43)).toBe('degradation-peaks');
    expect(kind(undefined, 3, 13, 23)).toBe('degradation-peaks');
    const rises = [pattern('trend', 3, 4), pattern('trend', 13, 14), pattern('trend', 23, 24)];
    const trends = rowOf(
      found(0, undefined, { period: 10, dynamics: [finding('degradation-trend', rises)] }),
    );
    expect(trends?.kind).toBe('degradation-trends');
    expect(trends).not.toHaveProperty('periodic');
  });

  it('are a degradation where they cost more and more', () => {
    const growing = { ...every(15, [14, 29, 44, 59]), peaksGrow: true } as const;
    expect(rowOf(growing)?.kind).toBe('degradation-peaks');
    expect(rowOf(growing)).not.toHaveProperty('periodic');
  });

  it('are periodic on the ranks where they do not grow, and a degradation on the others', () => {
    const begins = [14, 29, 44, 59];
    const rows = rowsOf([
      every(15, begins),
      every(15, begins, 1),
      { ...every(15, begins, 2), peaksGrow: true },
    ]);
    expect(rows.map(({ row: { kind, ranks } }) => `${kind} ${ranks}`).sort()).toEqual([
      'degradation-peaks 2',
      'periodic-peaks 0-1',
    ]);
  });

  it('count with those that were not stored', () => {
    const others = [{ count: 6, iterations: 6, first: 49, last: 99, sum: 60, excess: 24, aftermath: 0 }];
    const dynamics = [finding('degradation-peaks', peaks(9, 19, 29, 39), { others })];
    expect(rowOf(found(0, undefined, { period: 10, dynamics }))?.periodic).toMatchObject({
      ...{ occurrences: 10, costEach: 4, cost: 40 },
    });
  });

  it('are said with all of this, in the unit of the run', () => {
    const rows = rowsOf([every(15, [14, 29, 44, 60])]);
    const [seconds] = propertiesIn(rows, 's').properties;
    expect(seconds).toMatchObject({
      kind: 'periodic-peaks',
      title:
        'Communication time of MPI_Wait peaks every 15 iterations (each costs 4 s, all of them 16 s, jitter 0.333 iterations)',
      evidence: { periodIterations: 15, occurrences: 4, costEachSeconds: 4, costSeconds: 16 },
    });
    expect(seconds?.evidence.jitterIterations).toBeCloseTo(1 / 3, 12);
    const [misses] = propertiesIn(rowsOf([every(15, [14, 29, 44, 59])]), 'misses').properties;
    expect(misses?.title).toMatch(/\(each costs 4 misses, all of them 16 misses, jitter 0\)$/);
    expect(misses?.evidence).not.toHaveProperty('costSeconds');
  });
});
