import { describe, expect, it } from 'vitest';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { hotPathSelection } from '../../../../src/core/strategies/hotPath';
import type { FunctionKnowledge, Knowledge } from '../../../../src/core/knowledge/knowledge';
import { nextSelection } from '../../../../src/core/strategies/nextSelection';
import { selectedKeys, type Decision } from '../../../../src/core/selection/selection';
import { fn, graphOf } from './graphs';
import { costs } from './simulatedProgram';

function knowledgeOf(
  functions: Readonly<Record<string, Partial<FunctionKnowledge>>>,
  runSeconds = 1,
): Knowledge {
  const known = Object.entries(functions).map(([key, facts]): [string, FunctionKnowledge] => [
    key,
    {
      visits: 1,
      allVisits: facts.visits ?? 1,
      inclusiveSeconds: 0,
      exclusiveSeconds: 0,
      timesMeasured: 1,
      callers: new Map(),
      ...facts,
    },
  ]);
  return { runs: 1, functions: new Map(known), runSeconds };
}

describe('reasons', () => {
  it('say what decided, with numbers', () => {
    const cost = { visits: 1_200_000, pairSeconds: 17e-9, overheadPercent: 14 };
    expect(explainReason({ rule: 'too-expensive', value: 14, threshold: 5, cost })).toBe(
      'out: 1.2 M visits × 17 ns would cost 14.0 % (target 5.0 %)',
    );
    const close = { rule: 'too-expensive', threshold: 5, limit: 4.5, cost } as const;
    expect(explainReason({ ...close, value: 4.7 })).toBe(
      'out: 1.2 M visits × 17 ns would cost 4.7 %, too near the target (5.0 %; predictions stay below 4.5 % to meet it)',
    );
    expect(explainReason({ ...close, value: 1 })).toBe(
      'out: 1.2 M visits × 17 ns would cost 1.0 %, more than the more informative functions leave of the target (5.0 %; predictions stay below 4.5 % to meet it)',
    );
    expect(explainReason({ rule: 'statements', value: 44, threshold: 44 })).toBe(
      'in: 44 statements in it and its callees (threshold 44)',
    );
    expect(
      explainReason({
        rule: 'hot-spot',
        value: 0.31,
        threshold: 0.05,
        measure: 'exclusive',
        cost: { ...cost, overheadPercent: 0.2, visits: 1000 },
      }),
    ).toBe(
      'in: 31.0 % of the run time is spent in itself (threshold 5.0 %); costs 0.2 % (1000 visits × 17 ns)',
    );
    expect(
      explainReason(
        { rule: 'expand', value: 0.2, threshold: 0.02, path: ['ns::solve', 'ns::sweep'] },
        { nameOf: (name) => name.slice(4) },
      ),
    ).toBe('in: below a function that spends 20.0 % of the run time in itself (solve → sweep)');
  });
});

describe('one step', () => {
  const graph = graphOf(
    [
      fn('main'),
      fn('solve', { statements: 30 }),
      fn('wrap', { statements: 1 }),
      fn('sweep', { statements: 40, loopDepth: 1 }),
      fn('tiny', { statements: 2 }),
      fn('aside', { statements: 30 }),
    ],
    [
      ['main', 'solve'],
      ['main', 'aside'],
      ['solve', 'wrap'],
      ['wrap', 'sweep'],
      ['sweep', 'tiny'],
    ],
  );
  const sites = new Map(['main', 'solve', 'sweep', 'tiny', 'aside'].map((key) => [key, 'probe' as const]));
  const base = { graph, sites, pairCosts: costs, baselineSeconds: 1 };

  it('expands through functions without a site, and says on which way', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1, exclusiveSeconds: 0.1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 10 },
    });
    const { selection, exhausted, prediction } = nextSelection({ ...base, knowledge });
    expect(selection.decisions.get('sweep')).toMatchObject({
      selected: true,
      reason: { rule: 'expand', value: 0.9, path: ['solve', 'wrap', 'sweep'] },
    });
    expect(selection.decisions.get('wrap')!.reason.rule).toBe('no-site');
    // 4 ns a visit below 90 % of the run time could cost more than the run itself.
    expect(selection.decisions.get('tiny')).toMatchObject({
      selected: false,
      reason: { rule: 'not-measured' },
    });
    expect(exhausted).toBe(false);
    expect(prediction.unmeasured).toBe(2);
  });

  it('adds nothing of unknown cost to the last run', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9 },
    });
    const { selection, exhausted } = nextSelection({ ...base, knowledge, remainingRuns: 1 });
    expect(selectedKeys(selection)).toEqual(['main', 'solve']);
    expect(exhausted).toBe(true);
  });

  it('times what was only counted while another run follows, and says what its time is known from', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9 },
      sweep: { inclusiveSeconds: 0.001, exclusiveSeconds: 0.001, counted: true },
    });
    const decisionOf = (remainingRuns: number): Decision | undefined =>
      nextSelection({ ...base, knowledge, remainingRuns }).selection.decisions.get('sweep');
    expect(decisionOf(2)?.selected).toBe(true);
    expect(decisionOf(1)).toMatchObject({ selected: false, reason: { rule: 'not-hot', estimated: true } });
    expect(explainReason(decisionOf(1)!.reason)).toMatch(
      /^out: 0\.1 % .* \(threshold 0\.5 %\), estimated from few visits, the others were only counted$/,
    );
  });

  it('gives the time of a hot spot that is too expensive to its caller', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1, exclusiveSeconds: 0.56 },
      solve: { inclusiveSeconds: 0.34, exclusiveSeconds: 0.01 },
      sweep: { inclusiveSeconds: 0.33, exclusiveSeconds: 0.03, visits: 10, callers: new Map([['solve', 1]]) },
      tiny: { inclusiveSeconds: 0.3, exclusiveSeconds: 0.3, visits: 1e8, callers: new Map([['sweep', 1]]) },
      aside: { inclusiveSeconds: 0.1, exclusiveSeconds: 0.1 },
    });
    const { selection } = nextSelection({ ...base, knowledge });
    expect(selection.decisions.get('tiny')).toMatchObject({
      selected: false,
      reason: { rule: 'too-expensive' },
    });
    expect(explainReason(selection.decisions.get('tiny')!.reason)).toBe(
      'out: 100 M visits × 17 ns would cost 170 % (target 5.0 %)',
    );
    expect(selection.decisions.get('sweep')).toMatchObject({
      selected: true,
      reason: { rule: 'hot-spot', measure: 'exclusive' },
    });
    expect(selection.decisions.get('sweep')!.reason.value).toBeCloseTo(0.33);
  });

  it('keeps much of the run for next to nothing, though a hot spot could fill the target', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1, exclusiveSeconds: 0.07 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 0.039999 / 17e-9 },
      aside: { inclusiveSeconds: 0.03, exclusiveSeconds: 0.03, visits: 1000 },
    });
    const { selection } = nextSelection({ ...base, knowledge, options: { overheadPercent: 5 } });
    expect(selection.decisions.get('aside')).toMatchObject({ selected: true, reason: { rule: 'hot-spot' } });
  });

  it('names the target in its reasons, and the part of it that predictions may fill', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 2.8e6 },
    });
    const options = { overheadPercent: 5 };
    const { selection } = nextSelection({ ...base, knowledge, remainingRuns: 1, options });
    const { reason } = selection.decisions.get('solve')!;
    expect(reason).toMatchObject({ rule: 'too-expensive', threshold: 5, limit: 4 });
    expect(explainReason(reason)).toMatch(
      /4\.8 %, too near the target \(5\.0 %; .* below 4\.0 % to meet it\)$/,
    );
  });

  it('learns from a run above the target that pairs cost more here', () => {
    const functions = {
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 2e6 },
    };
    const knowledge = knowledgeOf(functions);
    const before = nextSelection({ ...base, knowledge, remainingRuns: 1 });
    expect(before.prediction.overheadPercent).toBeCloseTo(3.4, 3);
    const history = [{ predictedPercent: 3.4, measuredPercent: 8, doubtPercent: 1 }];
    const after = nextSelection({ ...base, knowledge, remainingRuns: 1, history });
    expect(after.selection.decisions.get('solve')).toMatchObject({
      selected: false,
      reason: { rule: 'too-expensive' },
    });
    const within = [{ predictedPercent: 3.4, measuredPercent: 3.9, doubtPercent: 0.1 }];
    expect(nextSelection({ ...base, knowledge, remainingRuns: 1, history: within }).selection).toEqual(
      before.selection,
    );
  });

  it('learns from the last run what pairs cost here, but never that they cost less than the calibration says', () => {
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 1 },
      solve: { inclusiveSeconds: 0.9, exclusiveSeconds: 0.9, visits: 2e6 },
    });
    const predicted = (costFactor?: number): number => {
      const factor = costFactor === undefined ? {} : { costFactor };
      return nextSelection({ ...base, knowledge, remainingRuns: 1, ...factor }).prediction.overheadPercent;
    };
    expect(predicted()).toBeCloseTo(3.4, 3);
    expect(predicted(1.1)).toBeCloseTo(3.74, 3);
    expect(predicted(0.5)).toBeCloseTo(3.4, 3);
    expect(predicted(2)).toBeLessThan(0.1);
  });

  it('takes costs as a percentage of the CPU time of all threads', () => {
    const knowledge = knowledgeOf({ main: {}, solve: { exclusiveSeconds: 0.9, visits: 8e5 } });
    const costBase = { clock: 'cpu', seconds: 4 } as const;
    const { prediction } = nextSelection({ ...base, knowledge, remainingRuns: 1, costBase });
    expect(prediction.overheadPercent).toBeCloseTo((100 * 8e5 * 17e-9) / 4, 3);
  });
});

describe("PIRA's hot path", () => {
  it('follows the principal callee, and ends with its callees of many statements', () => {
    const graph = graphOf(
      [
        fn('main'),
        fn('hot', { statements: 5 }),
        fn('warm', { statements: 5 }),
        fn('big', { statements: 90 }),
        fn('small', { statements: 3 }),
      ],
      [
        ['main', 'hot'],
        ['main', 'warm'],
        ['hot', 'big'],
        ['hot', 'small'],
      ],
    );
    const knowledge = knowledgeOf({
      main: { inclusiveSeconds: 10 },
      hot: { inclusiveSeconds: 6 },
      warm: { inclusiveSeconds: 3 },
    });
    const selection = hotPathSelection(graph, knowledge);
    expect(selectedKeys(selection)).toEqual(['main', 'hot', 'big']);
    // ⌊90 ÷ 2⌋ × 0.3
    expect(selection.decisions.get('big')!.reason).toMatchObject({
      rule: 'statements',
      value: 90,
      threshold: 13.5,
    });
  });
});
