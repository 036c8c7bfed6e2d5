import { describe, expect, it } from 'vitest';
import type { FunctionKnowledge, Knowledge } from '../../../../src/core/knowledge/knowledge';
import { announceNeeded, type AnalysisState } from '../../../../src/core/selection/announce';
import type { Reason, Selection } from '../../../../src/core/selection/selection';
import { hotPathSelection } from '../../../../src/core/strategies/hotPath';
import { nextSelection } from '../../../../src/core/strategies/nextSelection';
import { nextStep } from '../../../../src/core/strategies/nextStep';
import { fn, graphOf } from '../selection/graphs';
import { costs } from '../selection/simulatedProgram';

/** Functions that recorded `visits` visits with these inclusive seconds, exclusive ones as `exclusive` says. */
function knowledgeOf(
  functions: Readonly<Record<string, readonly [visits: number, inclusive: number, exclusive?: number]>>,
  change: Partial<Knowledge> = {},
): Knowledge {
  const known = Object.entries(functions).map(
    ([key, [visits, inclusiveSeconds, exclusiveSeconds = 0]]): [string, FunctionKnowledge] => [
      key,
      { visits, allVisits: visits, inclusiveSeconds, exclusiveSeconds, timesMeasured: 1, callers: new Map() },
    ],
  );
  return { runs: 1, functions: new Map(known), runSeconds: 1, ...change };
}

/** `key in|out` and the reason of each function. */
function verdicts({ decisions }: Selection): Readonly<Record<string, readonly ['in' | 'out', Reason]>> {
  return Object.fromEntries(
    [...decisions.values()].map(({ key, selected, reason }) => [key, [selected ? 'in' : 'out', reason]]),
  );
}

const sitesOf = (...keys: readonly string[]): ReadonlyMap<string, 'probe'> =>
  new Map(keys.map((key) => [key, 'probe']));

describe('the first selection', () => {
  it('gives each function its reason', () => {
    const graph = graphOf(
      [
        fn('main', { statements: 5, file: 'a.c' }),
        fn('large', { statements: 40, file: 'a.c' }),
        fn('exact', { statements: 10, file: 'a.c' }),
        fn('small', { statements: 9, file: 'a.c' }),
        fn('nested', { statements: 2, loops: 2, loopDepth: 2, file: 'a.c' }),
        fn('between', { statements: 11, file: 'a.c' }),
        fn('unseen', { statements: 0 }),
        fn('apart', { statements: 53, file: 'a.c' }),
        fn('bare', { statements: 51, file: 'a.c' }),
        fn('excluded', { statements: 52, file: 'a.c' }),
        fn('way', { statements: 8, file: 'a.c' }),
        fn('narrow', { statements: 7, file: 'a.c' }),
        fn('wanted', { statements: 1, file: 'a.c' }),
        fn('step', { statements: 1, file: 'a.c' }),
      ],
      [
        ['main', 'large'],
        ['main', 'exact'],
        ['main', 'small'],
        ['main', 'between'],
        ['between', 'nested'],
        ['main', 'way'],
        ['way', 'nested'],
        ['main', 'narrow'],
        ['narrow', 'nested'],
        ['main', 'bare'],
        ['main', 'excluded'],
        ['main', 'wanted'],
        ['main', 'step'],
      ],
    );
    const sites = sitesOf(...graph.functions.map(({ key }) => key).filter((key) => key !== 'bare'));
    const options = {
      pinnedOut: new Set(['excluded']),
      pinnedIn: new Set(['wanted']),
      phase: new Set(['step']),
    };
    const { selection, prediction, exhausted } = nextSelection({ graph, sites, options, remainingRuns: 1 });
    // The distinct inclusive statements are 0, 1, 2, 9, 10, 13, 40, 51, 52, 53 and those of `main`: the sixth of eleven is the threshold.
    expect(verdicts(selection)).toEqual({
      main: ['in', { rule: 'entry' }],
      large: ['in', { rule: 'statements', value: 40, threshold: 13 }],
      exact: ['out', { rule: 'too-small', value: 10, threshold: 13 }],
      small: ['out', { rule: 'too-small', value: 9, threshold: 13 }],
      nested: ['in', { rule: 'kernel', value: 2, threshold: 1 }],
      between: ['in', { rule: 'statements', value: 13, threshold: 13 }],
      unseen: ['in', { rule: 'expand' }],
      apart: ['out', { rule: 'unreachable' }],
      bare: ['out', { rule: 'no-site' }],
      excluded: ['out', { rule: 'pinned-out' }],
      // On the way to a kernel, with exactly as many statements as a function needs that a first run may record.
      way: ['in', { rule: 'path-to-main' }],
      narrow: ['out', { rule: 'too-small', value: 9, threshold: 13 }],
      wanted: ['in', { rule: 'pinned-in' }],
      step: ['in', { rule: 'phase' }],
    });
    expect({ prediction, exhausted }).toEqual({
      prediction: { overheadPercent: 0, riskPercent: 0, unmeasured: 8, withinTarget: true },
      exhausted: false,
    });
  });
});

describe('a later selection', () => {
  it('says of each function that was not measured why it stays out', () => {
    const graph = graphOf(
      ['main', 'hot', 'large', 'small', 'apart', 'idle', 'far'].map((key, index) =>
        fn(key, { statements: [5, 5, 10, 9, 50, 5, 50][index] ?? 0, file: 'a.c' }),
      ),
      [
        ['main', 'hot'],
        ['main', 'large'],
        ['main', 'small'],
        ['main', 'idle'],
      ],
    );
    const sites = sitesOf(...graph.functions.map(({ key }) => key));
    const knowledge = knowledgeOf({ main: [1, 1, 0.02], hot: [100, 0.9, 0.9], idle: [0, 0] });
    const options = { cutoff: 'median', mode: 'filter-only' } as const;
    const { selection } = nextSelection({
      graph,
      sites,
      knowledge,
      pairCosts: costs,
      baselineSeconds: 1,
      options,
    });
    const cost = (visits: number) => ({
      visits,
      pairSeconds: 17e-9,
      overheadPercent: expect.closeTo(visits * 17e-7, 12) as number,
    });
    expect(verdicts(selection)).toEqual({
      main: ['in', { rule: 'entry', cost: cost(1) }],
      hot: ['in', { rule: 'hot-spot', value: 0.9, threshold: 0.04, measure: 'exclusive', cost: cost(100) }],
      large: ['out', { rule: 'not-measured' }],
      small: ['out', { rule: 'too-small', value: 9, threshold: 10 }],
      apart: ['out', { rule: 'unreachable' }],
      idle: ['out', { rule: 'not-executed' }],
      far: ['out', { rule: 'unreachable' }],
    });
  });

  it('records what leads to a hot spot and was never recorded, and names it as that', () => {
    const names = ['main', 'way', 'hot'];
    const graph = graphOf(
      names.map((key) => fn(key, { statements: 5000, file: 'a.c' })),
      [
        ['main', 'way'],
        ['way', 'hot'],
      ],
    );
    const knowledge = knowledgeOf({ main: [1, 1, 0.01], hot: [100, 0.99, 0.99] });
    const { selection } = nextSelection({
      graph,
      sites: sitesOf(...names),
      knowledge,
      pairCosts: costs,
      baselineSeconds: 1,
    });
    expect(verdicts(selection)).toMatchObject({
      way: ['in', { rule: 'path-to-main' }],
      hot: ['in', { rule: 'hot-spot' }],
    });
  });

  // Numbers of the integrators of SUNDIALS, after a first round with an overhead of 540 %: what was taken off for that was all that the hottest
  // function had.
  describe('of the last round, where recording hid the time of a function', () => {
    const names = ['main', 'step', 'way', 'hidden', 'frequent', 'hot'];
    const select = (
      calls: readonly (readonly [string, string])[],
      doubtSeconds: number,
      remainingRuns = 1,
    ) => {
      const known = knowledgeOf({
        main: [1, 1],
        step: [89, 0.54],
        way: [38_800, 0.1],
        hidden: [543, 0],
        frequent: [400_000, 0],
        hot: [892, 0.084, 0.084],
      });
      const blurred = [...known.functions].map(([key, of]): [string, FunctionKnowledge] =>
        ['hidden', 'frequent'].includes(key) ? [key, { ...of, doubtSeconds }] : [key, of],
      );
      const { selection, prediction } = nextSelection({
        graph: graphOf(
          names.map((key) => fn(key)),
          [
            ['main', 'step'],
            ['step', 'hidden'],
            ['step', 'way'],
            ['way', 'hot'],
            ['hidden', 'frequent'],
            ...calls,
          ],
        ),
        sites: sitesOf(...names),
        knowledge: { ...known, functions: new Map(blurred) },
        pairCosts: costs,
        baselineSeconds: 0.0425,
        remainingRuns,
        options: { overheadPercent: 2.5 },
      });
      expect(prediction.overheadPercent).toBeLessThanOrEqual(2);
      return verdicts(selection);
    };
    it.each([
      ['somewhere else than on the way to a hot spot', []],
      ['on the way to a hot spot, beside a function that nearly fills the target', [['hidden', 'hot']]],
    ] as const)('keeps it where it is cheap: %s', (_, calls) => {
      const { hidden, frequent } = select(calls, 1);
      expect(hidden).toMatchObject([
        'in',
        { cost: { overheadPercent: expect.closeTo(0.0217, 4) as number } },
      ]);
      expect(frequent?.[0]).toBe('out');
    });
    it('leaves it out where its error is smaller than a share that is worth a place', () => {
      expect(select([], 0.019).hidden).toMatchObject(['out', { rule: 'not-hot' }]);
    });
    it('leaves its measurement to the run that follows, if there is one', () => {
      expect(select([], 1, 2).hidden).toMatchObject(['in', { rule: 'again' }]);
    });
  });

  it('takes shares of time from the runs that recorded it, and costs from the run that recorded nothing', () => {
    const graph = graphOf([fn('main'), fn('hot')], [['main', 'hot']]);
    const input = { graph, sites: sitesOf('main', 'hot'), pairCosts: costs, baselineSeconds: 2 };
    const reasonOf = (runSeconds: number): unknown => {
      const knowledge = knowledgeOf({ main: [1, 1, 0.1], hot: [1e6, 0.9, 0.9] }, { runSeconds });
      return nextSelection({ ...input, knowledge }).selection.decisions.get('hot')?.reason;
    };
    // 10⁶ visits of 17 ns in 2 s.
    expect(reasonOf(1)).toMatchObject({
      value: 0.9,
      cost: { overheadPercent: expect.closeTo(0.85, 9) as number },
    });
    expect(reasonOf(1.5)).toMatchObject({ value: expect.closeTo(0.6, 9) as number });
    // Runs in which no function took any time have no shares of their own.
    expect(reasonOf(Infinity)).toMatchObject({ value: expect.closeTo(0.45, 9) as number });
  });
});

describe('the analysis that asks for functions', () => {
  it('begins with all functions that nothing calls where no entry function is known', () => {
    const graph = graphOf(
      ['first', 'second', 'below', 'deep'].map((key) => fn(key)),
      [
        ['first', 'below'],
        ['below', 'deep'],
      ],
    );
    const sites = sitesOf('first', 'second', 'below', 'deep');
    const knowledge = knowledgeOf({ below: [10, 0.5], deep: [10, 0.01] }, { runs: 2 });
    const { selection } = nextStep({
      graph,
      sites,
      knowledge,
      pairCosts: costs,
      baselineSeconds: 1,
      options: { strategy: 'agor' },
    });
    const severity = {
      threshold: 0.02,
      measure: 'inclusive',
      cost: { visits: 10, pairSeconds: 17e-9, overheadPercent: expect.closeTo(17e-6, 12) as number },
    };
    expect(verdicts(selection)).toEqual({
      first: ['out', { rule: 'not-needed' }],
      second: ['out', { rule: 'not-needed' }],
      below: ['in', { rule: 'hot-spot', value: 0.5, ...severity }],
      deep: ['out', { rule: 'not-hot', value: 0.01, ...severity }],
    });
  });
});

describe('functions that the analysis needs', () => {
  const graph = graphOf(
    [
      'main',
      'severe',
      'edge',
      'cold',
      'new',
      'likely',
      'ahead',
      'dear',
      'hidden',
      'behind',
      'never',
      'under',
    ].map((key) => fn(key)),
    [
      ['main', 'severe'],
      ['main', 'edge'],
      ['main', 'cold'],
      ['main', 'new'],
      ['main', 'likely'],
      ['main', 'hidden'],
      ['main', 'never'],
      ['severe', 'main'],
      ['likely', 'ahead'],
      ['likely', 'dear'],
      ['hidden', 'behind'],
      ['never', 'under'],
    ],
  );
  const position = (key: string): number => graph.functions.findIndex((f) => f.key === key);
  const numbers = (given: Readonly<Record<string, number>>) => (index: number) =>
    given[graph.functions[index]?.key ?? ''];
  const state: AnalysisState = {
    graph,
    roots: [position('main')],
    canRecord: (index) => index !== position('hidden'),
    mayRun: (index) => index !== position('never'),
    share: numbers({ main: 1, severe: 0.02, edge: 0.015, cold: 0.0149, behind: 0.5 }),
    likelyShare: (index) => numbers({ likely: 0.02, new: 0.019 })(index) ?? 0,
    leastShare: 0.02,
    wasSevere: (index) => [position('edge'), position('cold')].includes(index),
    costPercent: (index) => numbers({ likely: 1, new: 1, ahead: 2, dear: 1 })(index) ?? 0,
    limitPercent: 4,
  };
  it('are the severe ones and those below them', () => {
    const needed = [...announceNeeded(state)].map(([index, reason]) => [graph.functions[index]?.key, reason]);
    const severe = { rule: 'hot-spot', threshold: 0.02, measure: 'inclusive' };
    const unknown = { rule: 'expand', threshold: 0.02, measure: 'inclusive' };
    expect(needed).toEqual([
      ['severe', { ...severe, value: 0.02 }],
      // It was severe before: three quarters of the limit suffice.
      ['edge', { ...severe, value: 0.015, threshold: 0.015 }],
      ['new', { ...unknown, value: 1, path: ['main', 'new'] }],
      ['likely', { ...unknown, value: 1, path: ['main', 'likely'] }],
      ['behind', { ...severe, value: 0.5 }],
      // Ahead of what is measured, as far as the limit of the cost goes.
      ['ahead', { ...unknown, path: ['likely', 'ahead'] }],
    ]);
  });
});

describe("PIRA's hot path", () => {
  it('gives each function its reason', () => {
    const graph = graphOf(
      [
        fn('main', { statements: 2 }),
        fn('half', { statements: 5 }),
        fn('same', { statements: 5 }),
        fn('less', { statements: 5 }),
        fn('end', { statements: 5 }),
        fn('big', { statements: 90 }),
        fn('limit', { statements: 14 }),
        fn('apart', { statements: 100 }),
      ],
      [
        ['main', 'half'],
        ['main', 'same'],
        ['main', 'less'],
        ['half', 'end'],
        ['end', 'big'],
        ['end', 'limit'],
        ['end', 'end'],
      ],
    );
    const knowledge = knowledgeOf({
      main: [1, 10],
      half: [1, 5],
      same: [1, 5],
      less: [1, 4.99],
      end: [1, 5],
    });
    const inclusive = { threshold: 0.5, measure: 'inclusive' };
    const half = ['in', { rule: 'hot-spot', value: 0.5, ...inclusive }];
    const apart = ['out', { rule: 'unreachable' }];
    // ⌊109 ÷ 3⌋ × 0.3, for `end` calls itself.
    const below = { rule: 'statements', threshold: 36 * 0.3, path: ['end'] };
    expect(verdicts(hotPathSelection(graph, knowledge))).toEqual({
      main: ['in', { rule: 'entry' }],
      half,
      same: half,
      less: ['out', { rule: 'not-hot', value: 0.499, ...inclusive }],
      end: half,
      big: ['in', { ...below, value: 90 }],
      limit: ['in', { ...below, value: 14 }],
      apart,
    });
    const cold = ['out', { rule: 'not-hot', value: 0, ...inclusive }];
    expect(verdicts(hotPathSelection(graph, knowledgeOf({})))).toEqual({
      main: ['in', { rule: 'entry' }],
      ...Object.fromEntries(['half', 'same', 'less', 'end', 'big', 'limit'].map((key) => [key, cold])),
      apart,
    });
    const withoutMain = graphOf(graph.functions.slice(1), [['half', 'end']]);
    expect(verdicts(hotPathSelection(withoutMain, knowledge))).toEqual(
      Object.fromEntries(withoutMain.functions.map(({ key }) => [key, apart])),
    );
  });
});
