import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../../src/core/rules/catalogue';
import type { RecordedDynamics } from '../../../../src/core/degradations/bursts/impactRecord';
import { noOthers } from '../../../../src/core/degradations/bursts/largestPatterns';
import { defaultsOf } from '../../../../src/core/degradations/model/options';
import {
  checkTogether,
  compileRule,
  RuleError,
  type Rule,
  type RuleDefinition,
} from '../../../../src/core/rules/rule';
import { tryDynamics } from '../../../../src/core/degradations/report/tryDynamics';
import type { Energies } from '../../../../src/core/transforms/energyStream';
import type { Pattern } from '../../../../src/core/signal/signal';
import { alone, analysed, send, series, step } from '../degradations/bursts';

const byId = new Map(catalogue.map((rule) => [rule.definition.id, rule]));

function pattern(type: Pattern['type'], from: number, to: number, sum: number): Pattern {
  return {
    type,
    from,
    to,
    sum,
    levels: [1, 2],
    excess: sum / 2,
    aftermath: 0,
    confidence: 0.9,
    stability: 12,
  };
}

/** The dynamic catalogue on given numbers: what was tried, and what is left. */
function tried(energies: Energies, patterns: readonly Pattern[], phaseTime: number) {
  const dynamics: RecordedDynamics = {
    energies,
    patterns,
    others: noOthers,
    period: undefined,
    analysis: { energies, noise: 0, episodes: [], patterns, sentence: '' },
  };
  const input = {
    dynamics,
    options: defaultsOf('periscope'),
    rank: 0,
    thread: 0,
    iterations: 1000,
    impact: 50,
    phaseTime,
    explains: true,
  };
  return tryDynamics(['significant-variability'], byId, input);
}

const ids = (list: readonly { readonly rule: Rule; readonly holds?: boolean }[]) =>
  list.map(({ rule, holds }) => `${rule.definition.id}${holds === undefined ? '' : holds ? ' +' : ' -'}`);

describe('P1 to P4', () => {
  it('significant variability (P1) stops everything where the energy of change is not above 1 %', () => {
    const { tried: all, found } = tried(
      { total: 100, dynamic: 1, short: 0.5, wide: 0.5 },
      [pattern('peak', 3, 5, 50)],
      100,
    );
    expect(ids(all)).toEqual(['significant-variability -']);
    expect(found).toEqual([]);
    expect(all[0]?.tests[0]).toMatchObject({ left: 0.01, operator: '>', right: 0.01, holds: false });
  });

  it('the rule of peaks (P2) adds all peaks, and wants energy in the short scales', () => {
    const peaks = [pattern('peak', 3, 5, 0.6), pattern('peak', 9, 12, 0.8)];
    const enough = tried({ total: 100, dynamic: 10, short: 0.2, wide: 9.8 }, peaks, 100);
    // 1.4 of 100 together: each alone is below 1 %, so that the collective is what is left.
    expect(ids(enough.tried)).toContain('degradation-peaks +');
    expect(ids(enough.tried).filter((id) => id.startsWith('degradation-peak '))).toEqual([
      'degradation-peak -',
      'degradation-peak -',
    ]);
    expect(ids(enough.found)).toEqual(['degradation-peaks']);
    expect(enough.found[0]?.severity).toBeCloseTo(0.014);
    const noShort = tried({ total: 100, dynamic: 10, short: 0.1, wide: 9.9 }, peaks, 100);
    expect(ids(noShort.tried)).toContain('degradation-peaks -');
  });

  it('the rule of peaks (P2) wants peaks to cost a quarter of the time threshold: others are the noise of long iterations', () => {
    const energies = { total: 100, dynamic: 10, short: 5, wide: 5 };
    const peakThatCosts = (excess: number): Pattern => ({ ...pattern('peak', 3, 5, 2), excess });
    expect(ids(tried(energies, [peakThatCosts(0.24)], 100).found)).not.toContain('degradation-peak');
    expect(ids(tried(energies, [peakThatCosts(0.24)], 100).tried)).toContain('degradation-peaks -');
    expect(ids(tried(energies, [peakThatCosts(0.26)], 100).found)).toEqual(['degradation-peak']);
  });

  it('the rule of trends (P3) looks at the wide scales, not the short ones as it was printed', () => {
    const trend = [pattern('trend', 0, 400, 30)];
    const onlyShort = tried({ total: 100, dynamic: 10, short: 9.6, wide: 0.4 }, trend, 100);
    expect(ids(onlyShort.tried)).toContain('degradation-trends -');
    const onlyWide = tried({ total: 100, dynamic: 10, short: 0, wide: 10 }, trend, 100);
    expect(ids(onlyWide.tried)).toContain('degradation-trends +');
    expect(ids(onlyWide.found)).toEqual(['degradation-trend']);
    expect(onlyWide.found[0]?.severity).toBeCloseTo(0.3);
  });

  it('the rule of one trend (P4) counts a step by what it costs afterwards: next to no time passes during one', () => {
    const jump: Pattern = { ...pattern('step', 500, 501, 0.3), aftermath: 20 };
    const { found } = tried({ total: 100, dynamic: 10, short: 1, wide: 9 }, [jump], 100);
    expect(found.map(({ severity }) => severity)).toEqual([0.003]);
  });

  it('the rule of one trend (P4) is tried on each pattern with the phase time of the whole run, and has the fit as its confidence', () => {
    const { tried: all } = tried(
      { total: 100, dynamic: 10, short: 1, wide: 9 },
      [pattern('trend', 0, 99, 30), pattern('trend', 500, 509, 0.5)],
      100,
    );
    const each = all.filter(({ rule }) => rule.definition.id === 'degradation-trend');
    expect(each.map(({ holds, severity, confidence }) => [holds, severity, confidence])).toEqual([
      [true, 0.3, 0.9],
      [false, undefined, 0],
    ]);
    expect(each[0]?.quantities).toMatchObject({
      patternSum: 30,
      phaseTime: 100,
      thresholdTime: 0.01,
      fit: 0.9,
    });
  });
});

const stalls: RuleDefinition = {
  id: 'cache-misses',
  level: 'static',
  title: 'Cache misses',
  kind: 'hot-spot',
  let: { lost: 'sum(misses) * 1e-7' },
  condition: 'lost / phaseTime > 0.2',
  severity: 'lost / phaseTime',
  next: ['significant-variability'],
};

describe('rules of the user', () => {
  const values = Float64Array.from({ length: 128 }, (_, i) => 1 + i / 64);
  const run = [
    ...alone(values).slice(0, 1),
    series(
      { name: 'solve', kind: 'function' },
      0,
      values.map((value) => value * 5e6),
      'misses',
    ),
  ];

  it('property engine: a rule of a file finds a property and its dynamics without a change of code', () => {
    const result = analysed(run, {}, 64, checkTogether([...catalogue, compileRule(stalls)]));
    expect(result.rows.map(({ title, rule }) => [title, rule])).toEqual([
      ['Cache misses', 'cache-misses'],
      ['Degradation trend in cache misses', 'degradation-trend'],
    ]);
    expect(result.rows[0]?.severity).toBeCloseTo(1 / 3);
    expect(result.properties[1]?.refines).toBe(result.properties[0]?.id);
  });

  it('property engine: where the parent fails nothing is tried below it, and the trace says in which order', () => {
    const strict = compileRule({ ...stalls, condition: 'lost / phaseTime > 0.5' });
    const result = analysed(run, {}, 64, [strict, ...catalogue]);
    const own = result.trace.filter(({ context }) => context.region.name === 'solve');
    expect(own.map(({ rule, holds }) => [rule, holds])).toEqual([['cache-misses', false]]);
    expect(result.trace[0]?.tests[0]).toMatchObject({
      text: 'lost / phaseTime > 0.5',
      right: 0.5,
      holds: false,
    });
    expect(result.trace[0]?.tests[0]?.left).toBeCloseTo(1 / 3);
    const found = analysed(run, {}, 64, [compileRule(stalls), ...catalogue]);
    expect(found.trace.map(({ rule }) => rule)).toEqual([
      ...['cache-misses', 'significant-variability', 'degradation-peaks', 'degradation-trends'],
      ...['irregular-variability', 'degradation-trend'],
    ]);
  });

  it('property engine: `any` keeps what held in one burst, with its share of the whole run', () => {
    const early = Float64Array.from({ length: 256 }, (_, i) => (i < 64 ? 0.5 : 0));
    const waiting = [series(step, 0, new Float64Array(256).fill(1)), series(send, 0, early)];
    const rule = (group: 'sum' | 'any') =>
      compileRule({
        ...stalls,
        id: 'early',
        group,
        let: {},
        condition: 'sum(time) / phaseTime > 0.4',
        severity: 'sum(time) / phaseTime',
        next: [],
      });
    expect(analysed(waiting, {}, 64, [rule('sum')]).rows).toEqual([]);
    expect(analysed(waiting, {}, 64, [rule('any')]).rows.map(({ severity }) => severity)).toEqual([0.125]);
  });

  it.each([
    [{ ...stalls, condition: 'lost > thresold' }, 'condition', 7],
    [{ ...stalls, let: { lost: 'sum(misses) *' } }, 'let lost', 13],
    [{ ...stalls, severity: 'count(peaks)' }, 'severity', 0],
  ])('property engine: what is wrong in a rule is told with its place (%#)', (definition, field, at) => {
    try {
      compileRule(definition);
      throw new Error('the rule was taken');
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      expect([error.field, error.at]).toEqual([field, at]);
    }
  });

  it('rules that do not fit together are refused', () => {
    const rule = compileRule(stalls);
    expect(() => checkTogether([rule, rule])).toThrow('two rules');
    expect(() => checkTogether([rule])).toThrow("no rule 'significant-variability'");
    const loop = (id: string, next: string) =>
      compileRule({ id, level: 'dynamic', title: id, kind: 'improvement', condition: '1', next: [next] });
    expect(() => checkTogether([loop('a', 'b'), loop('b', 'a')])).toThrow('leads back');
  });
});
