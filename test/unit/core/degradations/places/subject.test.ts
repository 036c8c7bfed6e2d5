import { describe, expect, it } from 'vitest';
import { Moments } from '../../../../../src/core/degradations/bursts/moments';
import { defaultDynamicsOptions, defaultsOf } from '../../../../../src/core/degradations/model/options';
import {
  namedSetting,
  Subject,
  type BurstOfPlace,
  type SumsOfPlace,
} from '../../../../../src/core/degradations/places/subject';
import { compileRule, type StaticRule, type StaticRuleDefinition } from '../../../../../src/core/rules/rule';
import type { SeriesAnalysis } from '../../../../../src/core/signal/signal';
import { solve } from '../bursts';

const context = { region: solve, metric: 'time', rank: 3, thread: 2 };
const rule = (others: Partial<StaticRuleDefinition>): StaticRule =>
  compileRule({
    ...{ id: 'own', level: 'static', title: 'Own', kind: 'hot-spot' },
    ...{ condition: 'sum(time) / phaseTime > reportThreshold', severity: 'sum(time) / phaseTime' },
    ...others,
  }) as StaticRule;

function sums(values: Readonly<Record<string, readonly number[]>>, phaseTime: number): SumsOfPlace {
  const metrics = new Map(
    Object.entries(values).map(([name, list]) => {
      const moments = new Moments();
      moments.add(Float64Array.from(list), Float64Array.from(list));
      return [name, moments];
    }),
  );
  return { metrics, phaseTime, iterations: 4 };
}

function burst(
  values: Readonly<Record<string, readonly number[]>>,
  phase: readonly number[],
  first = 0,
): BurstOfPlace {
  const whole = sums(
    values,
    phase.reduce((sum, value) => sum + value, 0),
  );
  const metrics = new Map(Object.entries(values).map(([name, list]) => [name, Float64Array.from(list)]));
  return { first, phase: Float64Array.from(phase), metrics, burst: whole, run: whole };
}

const none = (): SeriesAnalysis => ({
  ...{
    energies: { total: 0, dynamic: 0, short: 0, wide: 0 },
    noise: 0,
    episodes: [],
    patterns: [],
    sentence: '',
  },
});
const impacts = (own: StaticRule | undefined, metric: string, ...bursts: readonly BurstOfPlace[]) => {
  const subject = new Subject(own, metric, context, defaultDynamicsOptions);
  for (const each of bursts) subject.add(each, none);
  return [subject.impact, [...subject.record.kept().values]];
};

describe('the impact of a problem over time', () => {
  const time = { time: [1, 2, 0], visits: [4, 4, 4] };

  it('is the severity of each iteration times its phase time', () => {
    expect(impacts(rule({}), 'time', burst(time, [2, 4, 8]))).toEqual([3, [1, 2, 0]]);
    expect(impacts(rule({ severity: '0.5' }), 'time', burst(time, [2, 4, 8]))).toEqual([7, [1, 2, 4]]);
  });

  it('counts what was not measured there as nothing', () => {
    const both = rule({
      condition: 'sum(time) + sum(other) > 2',
      severity: '(sum(time) + sum(other)) / phaseTime',
    });
    const verdict = (seconds: number) => {
      const evaluation = new Subject(both, 'time', context, defaultDynamicsOptions).evaluate(
        sums({ time: [seconds] }, 8),
      );
      return [evaluation?.holds, evaluation?.severity];
    };
    expect(verdict(3)).toEqual([true, 3 / 8]);
    expect(verdict(1.5)).toEqual([false, undefined]);
  });

  it('is that of the rule, of one iteration, where it has one', () => {
    const of = (impact: string): unknown => impacts(rule({ impact }), 'time', burst(time, [2, 4, 8]))[1];
    expect(of('sum(visits)')).toEqual([4, 4, 4]);
    expect(of('sum(none)')).toEqual([0, 0, 0]);
    expect(of('mean(time) + largest(time)')).toEqual([2, 4, 0]);
    expect(of('stddev(time)')).toEqual([0, 0, 0]);
    expect(of('sum(time) * 2')).toEqual([2, 4, 0]);
    expect(of('phaseTime')).toEqual([2, 4, 8]);
    expect(of('rank * 10 + thread + iterations')).toEqual([33, 33, 33]);
    expect(of('reportThreshold * 10')).toEqual([1, 1, 1]);
    const named = rule({ let: { own: 'sum(time) * 3' }, impact: 'own + 1' });
    expect(impacts(named, 'time', burst(time, [2, 4, 8]))[1]).toEqual([4, 7, 1]);
  });

  it('is the metric itself where there is no rule, and zero between bursts and without the metric', () => {
    expect(impacts(undefined, 'visits', burst(time, [2, 4, 8]))).toEqual([12, [4, 4, 4]]);
    expect(impacts(undefined, 'none', burst(time, [2, 4, 8]))).toEqual([0, [0, 0, 0]]);
    const later = burst({ time: [7] }, [9], 5);
    expect(impacts(undefined, 'time', burst(time, [2, 4, 8]), later)).toEqual([10, [1, 2, 0, 0, 0, 7]]);
  });
});

describe('a rule on the sums of a place', () => {
  it('sees metrics, thresholds and its place', () => {
    const own = rule({
      condition:
        'sum(time) > 1 && mean(time) + stddev(time) > 0 && largest(none) == 0 && overheadThreshold > 0',
      severity: 'sum(time) / phaseTime + rank + thread * 10 + iterations * 100',
    });
    const subject = new Subject(own, 'time', context, defaultDynamicsOptions);
    expect(subject.evaluate(sums({ time: [1, 3] }, 8))).toEqual({
      rule: own,
      ...{ holds: true, confidence: 1, severity: 1 / 2 + 423 },
      quantities: {
        ...{
          'sum(time)': 4,
          'mean(time)': 2,
          'stddev(time)': 1,
          'largest(none)': 0,
          overheadThreshold: 0.05,
        },
        ...{ phaseTime: 8, rank: 3, thread: 2, iterations: 4 },
      },
      tests: [
        { text: 'sum(time) > 1', left: 4, operator: '>', right: 1, holds: true },
        { text: 'mean(time) + stddev(time) > 0', left: 3, operator: '>', right: 0, holds: true },
        { text: 'largest(none) == 0', left: 0, operator: '==', right: 0, holds: true },
        { text: 'overheadThreshold > 0', left: 0.05, operator: '>', right: 0, holds: true },
      ],
    });
    expect(
      new Subject(undefined, 'time', context, defaultDynamicsOptions).evaluate(sums({}, 1)),
    ).toBeUndefined();
  });

  it('of the group `any` holds for the run where it held in a burst, with its share of the run', () => {
    const high = burst({ time: [1] }, [2]);
    const low = burst({ time: [0] }, [98], 1);
    const run = sums({ time: [1, 0] }, 100);
    const evaluated = (group: 'sum' | 'any', ...bursts: readonly BurstOfPlace[]) => {
      const subject = new Subject(
        rule({ group, confidence: '0.5' }),
        'time',
        context,
        defaultDynamicsOptions,
      );
      for (const each of bursts) subject.add(each, none);
      const found = subject.evaluate(run);
      return [found?.holds, found?.confidence, found?.severity];
    };
    expect(evaluated('any', high, low)).toEqual([true, 1, 0.01]);
    expect(evaluated('any', low)).toEqual([false, 0, undefined]);
    expect(evaluated('sum', high, low)).toEqual([false, 0, undefined]);
    const whole = new Subject(
      rule({ group: 'any', confidence: '0.5' }),
      'time',
      context,
      defaultDynamicsOptions,
    );
    whole.add(high, none);
    expect(whole.evaluate(sums({ time: [1] }, 2))).toMatchObject({
      holds: true,
      confidence: 0.5,
      severity: 0.5,
    });
  });

  it('decides which windows of a long run are looked at: those where it holds, in the burst or in the run', () => {
    const looks = (own: StaticRule | undefined, inBurst: number, inRun: number): number => {
      let calls = 0;
      const subject = new Subject(own, 'time', context, { ...defaultDynamicsOptions, wholeRun: 0 });
      const values = Array.from({ length: 32 }, (_, i) => i);
      const given = {
        ...burst({ time: values }, values),
        burst: sums({ time: [inBurst] }, 1),
        run: sums({ time: [inRun] }, 1),
      };
      subject.add(given, () => {
        calls++;
        return none();
      });
      return calls;
    };
    expect([
      looks(rule({}), 0, 0),
      looks(rule({}), 1, 0),
      looks(rule({}), 0, 1),
      looks(undefined, 0, 0),
    ]).toEqual([0, 1, 1, 1]);
  });

  it('knows six settings by name', () => {
    const names = [
      'reportThreshold',
      'overheadThreshold',
      'thresholdEnergy',
      'thresholdTime',
      'shortGate',
      'wideGate',
      'burst',
    ];
    expect(names.map((name) => namedSetting(defaultsOf('periscope'), name))).toEqual([
      ...[0.1, 0.05, 0.01, 0.01, 0.001, 0.005, undefined],
    ]);
  });
});
