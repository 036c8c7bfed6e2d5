import { describe, expect, it } from 'vitest';
import { catalogue, leastImbalance, staticRule } from '../../../../src/core/rules/catalogue';
import { evaluateRule, holds } from '../../../../src/core/rules/evaluateRule';
import { isStatic, quantityOf } from '../../../../src/core/rules/rule';

const thresholds = { reportThreshold: 0.1, overheadThreshold: 0.05, thresholdTime: 0.01 };

/** A rule on a phase of 100 s with the given sums of metrics. */
function tried(id: string, sums: Readonly<Record<string, number>>) {
  const rule = staticRule.get(id)!;
  const quantities = {
    name: (name: string) => ({ ...thresholds, phaseTime: 100 })[name] ?? NaN,
    figure: (figure: string, of: string) => (figure === 'sum' ? (sums[of] ?? 0) : NaN),
  };
  const { holds: isHeld, severity } = evaluateRule(rule, quantities);
  expect(holds(rule, quantities)).toBe(isHeld);
  return isHeld ? severity : undefined;
}

describe('static rules (performance dynamics, §10.2)', () => {
  const ownCode = 'function loop call user';
  it.each([
    ['hot-spot', 'hot-spot', 'Hot spot', 'Time', ownCode, 'time'],
    ['communication', 'communication', 'Excessive communication time', 'Communication time', 'mpi', 'time'],
    ['waiting', 'communication', 'Excessive waiting time', 'Waiting time', 'mpi function call user', 'wait'],
    ...[
      [
        'synchronisation',
        'synchronisation',
        'Excessive synchronisation time',
        'Synchronisation time',
        'openmp',
        'time',
      ],
    ],
    ['io', 'io', 'Excessive input and output time', 'Input and output time', 'io', 'time'],
    ['imbalance', 'imbalance', 'Imbalance', 'Imbalance', ownCode, 'slowest average'],
    [
      'overhead',
      'excessive-overhead',
      'Excessive cost of recording',
      'Cost of recording',
      '',
      'time overhead',
    ],
    ['stalls', 'hot-spot', 'Excessive stalled cycles', 'Stalled cycles', '', 'stall_cycles cycles time'],
    ['memory', 'memory', 'Excessive time for memory', 'Excessive time for memory', '', 'time'],
    ['start-up', 'start-up', 'Start and end of MPI', 'Start and end of MPI', '', 'time'],
    ['unknown-time', 'unknown-time', 'Unknown time', 'Unknown time', '', 'time'],
    [
      'parallel-efficiency',
      'parallel-efficiency',
      'Low parallel efficiency',
      'Low parallel efficiency',
      '',
      'time',
    ],
    ['one-thread', 'imbalance', 'One thread works alone', 'One thread works alone', '', 'time'],
    ['recording', 'excessive-overhead', 'Disturbed profile', 'Disturbed profile', '', 'overhead'],
  ])(
    '%s is a finding of the kind %s, "%s" of "%s", in regions "%s" with metrics "%s"',
    (id, kind, title, quantity, regions, metrics) => {
      const { definition, metrics: own } = staticRule.get(id)!;
      expect([definition.kind, definition.title, quantityOf(definition)]).toEqual([kind, title, quantity]);
      expect((definition.regions ?? []).join(' ')).toBe(regions);
      expect([...own].sort()).toEqual(metrics.split(' ').sort());
      expect([definition.level, definition.next]).toEqual(['static', ['significant-variability']]);
    },
  );

  it.each([
    ['hot-spot', 'time'],
    ['communication', 'time'],
    ['waiting', 'wait'],
    ['recording', 'overhead'],
  ])('%s holds where the sum of %s is above the report threshold', (id, metric) => {
    expect(tried(id, { [metric]: 10 })).toBeUndefined();
    expect(tried(id, { [metric]: 10.5 })).toBe(0.105);
  });

  it('an imbalance is a tenth of the slowest rank, and above the report threshold', () => {
    expect(leastImbalance).toBe(0.1);
    expect(tried('imbalance', { slowest: 60, average: 49 })).toBe(0.11);
    expect(tried('imbalance', { slowest: 60, average: 50 })).toBeUndefined();
    expect(tried('imbalance', { slowest: 110, average: 99 })).toBeUndefined();
    expect(tried('imbalance', { slowest: 109, average: 98 })).toBe(0.11);
    expect(tried('imbalance', { slowest: 400, average: 100 })).toBe(1);
    expect(staticRule.get('imbalance')!.definition.across).toBe('ranks');
  });

  it('recording is excessive where it costs a twentieth of the rest, and a hundredth of the phase', () => {
    expect(tried('overhead', { time: 43, overhead: 2 })).toBeUndefined();
    expect(tried('overhead', { time: 41, overhead: 2 })).toBe(0.02);
    expect(tried('overhead', { time: 5, overhead: 1 })).toBeUndefined();
    expect(tried('overhead', { time: 5, overhead: 1.5 })).toBe(0.015);
    expect(tried('overhead', { time: 2, overhead: 2 })).toBe(0.02);
  });

  it('stalls are excessive from three of ten cycles on, in what is above the report threshold', () => {
    const stalls = (share: number, time: number): number | undefined =>
      tried('stalls', { stall_cycles: share * 1000, cycles: 1000, time });
    expect(stalls(0.3, 50)).toBeUndefined();
    expect(stalls(0.4, 50)).toBe(0.2);
    expect(stalls(0.4, 10)).toBeUndefined();
  });

  it('the impact is the time that is lost', () => {
    const impact = (id: string): string | undefined => staticRule.get(id)!.definition.impact;
    expect(['hot-spot', 'waiting', 'recording', 'imbalance', 'overhead', 'stalls'].map(impact)).toEqual([
      ...['sum(time)', 'sum(wait)', 'sum(overhead)', 'sum(slowest) - sum(average)', 'sum(overhead)'],
      'sum(stall_cycles) / sum(cycles) * sum(time)',
    ]);
  });
});

describe('dynamic rules (performance dynamics, §10.1)', () => {
  const rules = catalogue.filter((rule) => !isStatic(rule)).map(({ definition }) => definition);

  it('refine each other, and have the names of findings', () => {
    expect(
      rules.map(({ id, title, kind, next = [], ...others }) => [
        id,
        title,
        kind,
        next.join(' '),
        'each' in others ? others.each : '',
        'gate' in others,
      ]),
    ).toEqual([
      [
        ...['significant-variability', 'Significant variability', 'significant-variability'],
        ...['degradation-peaks degradation-trends improvement irregular-variability', '', true],
      ],
      ['irregular-variability', 'Variability without a pattern', 'significant-variability', '', '', false],
      ['degradation-peaks', 'Degradation peaks', 'degradation-peaks', 'degradation-peak', '', false],
      ['degradation-trends', 'Degradation trends', 'degradation-trends', 'degradation-trend', '', false],
      ['degradation-peak', 'Degradation peak', 'degradation-peak', '', 'peaks', false],
      ['degradation-trend', 'Degradation trend', 'degradation-trend', '', 'trends', false],
      ['improvement', 'Improvement', 'improvement', '', 'improvements', false],
    ]);
    expect(rules.every(({ level }) => level === 'dynamic')).toBe(true);
    expect(rules[0]).toMatchObject({ gate: true });
  });

  it('are in the catalogue with the static ones of a run; those of a whole profile are not', () => {
    expect(catalogue.filter(isStatic).map(({ definition }) => definition.id)).toEqual([
      ...[
        'hot-spot',
        'communication',
        'waiting',
        'synchronisation',
        'io',
        'imbalance',
        'overhead',
        'pre-empted',
        'stalls',
      ],
    ]);
    expect([...staticRule.keys()].slice(9)).toEqual([
      'memory',
      'start-up',
      'unknown-time',
      'parallel-efficiency',
      'one-thread',
      'recording',
    ]);
  });
});
