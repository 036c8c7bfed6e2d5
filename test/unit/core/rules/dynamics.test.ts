import { describe, expect, it } from 'vitest';
import { noOthers, type OthersOfType } from '../../../../src/core/degradations/bursts/largestPatterns';
import { defaultsOf } from '../../../../src/core/degradations/model/options';
import { tryDynamics, type DynamicInput } from '../../../../src/core/degradations/report/tryDynamics';
import { catalogue } from '../../../../src/core/rules/catalogue';
import { compileRule, type DynamicRuleDefinition, type Rule } from '../../../../src/core/rules/rule';
import type { Pattern } from '../../../../src/core/signal/signal';
import { pattern } from '../degradations/report/made';

const energies = { total: 100, dynamic: 20, short: 10, wide: 10 };
const others = (count: number): OthersOfType => ({
  ...{ count, iterations: count, first: 0, last: count },
  sum: 10 * count,
  excess: 2 * count,
  aftermath: count,
});

function input(patterns: readonly Pattern[], more: Partial<DynamicInput['dynamics']> = {}): DynamicInput {
  const analysis = { energies, noise: 0.125, episodes: [], patterns, sentence: '' };
  return {
    dynamics: { energies, patterns, others: noOthers, period: undefined, analysis, ...more },
    options: defaultsOf('periscope'),
    ...{ rank: 3, thread: 2, iterations: 1000, impact: 50, phaseTime: 100, explains: true },
  };
}

const rulesOf = (list: readonly Rule[]): ReadonlyMap<string, Rule> =>
  new Map(list.map((rule) => [rule.definition.id, rule]));
const own = (others: Partial<DynamicRuleDefinition>): Rule =>
  compileRule({ id: 'own', level: 'dynamic', title: 'Own', kind: 'improvement', condition: '1', ...others });
const only = (definition: Partial<DynamicRuleDefinition>, given: DynamicInput) =>
  tryDynamics(['own'], rulesOf([own(definition)]), given);
const inCatalogue = (patterns: readonly Pattern[]) =>
  tryDynamics(['significant-variability'], rulesOf(catalogue), input(patterns)).found.map(
    ({ rule, patterns: found, severity }) => [rule.definition.id, found.map(({ from }) => from), severity],
  );

const list = [
  pattern('peak', 3, 9, { sum: 20, excess: 5, aftermath: 1, stability: 7 }),
  pattern('step', 20, 21, { sum: 30, excess: 6, aftermath: 2, confidence: 0.75, levels: [2, 5] }),
  pattern('trend', 40, 80, { sum: 40, excess: 7, aftermath: 3, confidence: 0.5 }),
  pattern('peak', 90, 91, { sum: 50, excess: 8, aftermath: 4, improvement: true }),
];

describe('evaluations that nobody asks for', () => {
  it('find the same, with the quantities of what they found, and have no numbers', () => {
    const given = input(list);
    for (const rules of [['significant-variability'], ['degradation-peaks'], ['degradation-trend']]) {
      const full = tryDynamics(rules, rulesOf(catalogue), given);
      const brief = tryDynamics(rules, rulesOf(catalogue), { ...given, explains: false });
      expect(brief.found).toEqual(full.found);
      expect(brief.tried).toEqual(full.tried.map((own) => ({ ...own, quantities: {}, tests: [] })));
      expect(full.tried.some(({ tests }) => tests.length > 0)).toBe(true);
    }
  });
});

describe('quantities of dynamic rules', () => {
  it('are those of the run, and of the pattern that a rule is tried on', () => {
    const run = [
      'impact',
      'phaseTime',
      'iterations',
      'rank',
      'thread',
      'noise',
      'totalEnergy',
      'dynamicEnergy',
      'shortEnergy',
      'wideEnergy',
      'wideGate',
    ];
    const names = [
      'patternSum',
      'patternExcess',
      'patternAftermath',
      'patternLength',
      'patternFirst',
      'patternLast',
      'levelBefore',
      'levelAfter',
      'fit',
      'stability',
    ];
    const { tried } = only({ each: 'trends', condition: [...run, ...names].join(' + ') }, input(list));
    const figures = { impact: 50, phaseTime: 100, iterations: 1000, rank: 3, thread: 2, noise: 0.125 };
    const ofRun = {
      ...figures,
      totalEnergy: 100,
      dynamicEnergy: 20,
      shortEnergy: 10,
      wideEnergy: 10,
      wideGate: 0.005,
    };
    expect(tried.map(({ quantities, pattern: { from } = {} }) => [from, quantities])).toEqual([
      [
        20,
        {
          ...{
            ...ofRun,
            patternSum: 30,
            patternExcess: 6,
            patternAftermath: 2,
            patternLength: 2,
            patternFirst: 21,
          },
          ...{ patternLast: 22, levelBefore: 2, levelAfter: 5, fit: 0.75, stability: 12 },
        },
      ],
      [
        40,
        {
          ...{
            ...ofRun,
            patternSum: 40,
            patternExcess: 7,
            patternAftermath: 3,
            patternLength: 41,
            patternFirst: 41,
          },
          ...{ patternLast: 81, levelBefore: 1, levelAfter: 2, fit: 0.5, stability: 12 },
        },
      ],
    ]);
  });

  it('are figures of sets of patterns, with those that were only counted', () => {
    const sets = ['peaks', 'trends', 'patterns', 'improvements'];
    const figures = ['count', 'sum', 'excess', 'aftermath'];
    const condition = sets.flatMap((set) => figures.map((figure) => `${figure}(${set})`)).join(' + ');
    const of = (more: Partial<DynamicInput['dynamics']>): readonly unknown[] => {
      const [first] = only({ condition }, input(list, more)).tried;
      return sets.map((set) => figures.map((figure) => first?.quantities[`${figure}(${set})`]));
    };
    expect(of({})).toEqual([
      [1, 20, 5, 1],
      [2, 70, 13, 5],
      [3, 90, 18, 6],
      [1, 50, 8, 4],
    ]);
    expect(of({ others: { peaks: others(2), trends: others(10) } })).toEqual([
      ...[
        [3, 40, 9, 3],
        [12, 170, 33, 15],
        [15, 210, 42, 18],
        [1, 50, 8, 4],
      ],
    ]);
  });
});

describe('what is found', () => {
  const several = { others: { peaks: others(2), trends: others(10) } };

  it('of a rule about the run extends over the patterns that its kind is about, or over the run', () => {
    const of = (kind: DynamicRuleDefinition['kind']) => {
      const [first] = only(
        { kind, condition: 'impact', severity: '0.5', confidence: '0.25' },
        input(list, several),
      ).found;
      return { ...first, rule: undefined, patterns: first?.patterns.map(({ from }) => from) };
    };
    const common = { rule: undefined, confidence: 0.25, severity: 0.5, quantities: { impact: 50 } };
    expect(of('degradation-peaks')).toEqual({ ...common, patterns: [3], others: [others(2)] });
    expect(of('degradation-trends')).toEqual({ ...common, patterns: [20, 40], others: [others(10)] });
    expect(of('significant-variability')).toEqual({ ...common, patterns: [], others: [] });
  });

  it('of a rule about each pattern has those that hold, and those of the same order', () => {
    const peaks = [100, 24, 25, 30, 1].map((sum, n) => pattern('peak', 10 * n, 10 * n, { sum, excess: n }));
    const [found] = only(
      {
        each: 'peaks',
        condition: 'patternSum > 90 || patternSum == 1',
        severity: 'patternSum / 200',
        confidence: '1 / (1 + patternExcess)',
      },
      input(peaks),
    ).found;
    expect(found?.patterns.map(({ sum }) => sum)).toEqual([100, 25, 30, 1]);
    // Those that hold have their own severity, the others their share of the time.
    expect(found?.severity).toBeCloseTo(100 / 200 + 25 / 100 + 30 / 100 + 1 / 200, 12);
    expect(found?.confidence).toBeCloseTo(1 / 5, 12);
    expect([found?.others, found?.quantities.patternSum]).toEqual([[], 100]);
    const [plain] = only({ each: 'peaks', condition: 'patternSum > 90' }, input(peaks)).found;
    expect(plain).toMatchObject({ severity: undefined, confidence: 1 });
    expect(only({ each: 'peaks', condition: 'patternSum > 100' }, input(peaks))).toMatchObject({ found: [] });
    const better = peaks.map((peak) => ({ ...peak, improvement: true }) as const);
    const [gain] = only(
      { each: 'improvements', condition: 'patternSum > 90', severity: '0.5' },
      input(better),
    ).found;
    // The gain of an improvement is its excess.
    expect(gain?.severity).toBeCloseTo(0.5 + 0.02 + 0.03, 12);
  });

  it('is what no other rule refines: gates are not reported, and no rule is tried twice', () => {
    const rules = rulesOf([
      own({ id: 'gate', gate: true, next: ['a', 'b', 'none', 'hot-spot'] }),
      own({ id: 'a', next: ['c'] }),
      own({ id: 'b', next: ['c', 'd'] }),
      own({ id: 'c' }),
      own({ id: 'd', condition: '0', next: ['e'] }),
      own({ id: 'e' }),
      ...catalogue,
    ]);
    const { tried, found } = tryDynamics(['gate', 'gate'], rules, input(list));
    expect(tried.map(({ rule, holds }) => [rule.definition.id, holds])).toEqual([
      ...[
        ['gate', true],
        ['a', true],
        ['b', true],
        ['c', true],
        ['d', false],
      ],
    ]);
    expect(found.map(({ rule }) => rule.definition.id)).toEqual(['c']);
    const alone = tryDynamics(
      ['b'],
      rulesOf([own({ id: 'b', next: ['d'] }), own({ id: 'd', condition: '0' })]),
      input(list),
    );
    expect(alone.found.map(({ rule }) => rule.definition.id)).toEqual(['b']);
  });
});

describe('a bump is found once', () => {
  const peak = pattern('peak', 100, 199, { at: 120, sum: 30, excess: 20 });
  const rise = (from: number, to: number, type: 'trend' | 'step' = 'trend'): Pattern =>
    pattern(type, from, to, { sum: 20, excess: 15 });
  const places = (...patterns: readonly Pattern[]): unknown =>
    inCatalogue(patterns)
      .map(([, from]) => from)
      .flat();

  it('as a rise whose summit the peak is: the rise covers half of it', () => {
    expect(places(peak, rise(50, 149))).toEqual([50]);
    expect(places(peak, rise(50, 148))).toEqual([100, 50]);
    expect(places(peak, rise(50, 148, 'step'))).toEqual([100, 50]);
    expect(places(peak, rise(50, 149, 'step'))).toEqual([100, 50]);
    expect(places(peak, rise(50, 199))).toEqual([50]);
    expect(places(peak, rise(50, 200))).toEqual([100, 50]);
    // Or the peak is a quarter of the run.
    const wide = { ...peak, to: 349 };
    expect(places(wide, rise(50, 110))).toEqual([50]);
    expect(places(wide, rise(50, 100))).toEqual([50]);
    expect(places(wide, rise(50, 99))).toEqual([100, 50]);
    expect(places({ ...wide, to: 348 }, rise(50, 110))).toEqual([100, 50]);
  });

  it('as a peak whose flank the rise is: it begins at the peak, give or take two iterations', () => {
    expect(places(peak, rise(98, 120))).toEqual([100]);
    expect(places(peak, rise(97, 120))).toEqual([100, 97]);
    expect(places(peak, rise(110, 199, 'step'))).toEqual([100]);
    expect(places(peak, rise(110, 200, 'step'))).toEqual([100, 110]);
    // From its beginning to more than half of it, each would be part of the other.
    expect(places(peak, rise(101, 180))).toEqual([100]);
  });

  it('with the share of what is left of it as its severity', () => {
    const far = pattern('peak', 500, 501, { sum: 10, excess: 8 });
    expect(inCatalogue([peak, rise(50, 149), far])).toEqual([
      ['degradation-peak', [500], expect.closeTo(0.1, 12)],
      ['degradation-trend', [50], 0.2],
    ]);
    const better = { ...rise(98, 120), improvement: true } as const;
    expect(inCatalogue([peak, better])).toEqual([
      ['improvement', [98], 0.15],
      ['degradation-peak', [100], 0.3],
    ]);
  });
});
