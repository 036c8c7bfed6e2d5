import { describe, expect, it } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { effectiveExclusive } from '../../../../src/core/knowledge/effectiveTime';
import { explore, surelyCheap, wayDown, type ExploreInput } from '../../../../src/core/knowledge/explore';
import type { FunctionKnowledge, Knowledge } from '../../../../src/core/knowledge/knowledge';
import {
  chargedVisits,
  percentOf,
  predictedOverheadPercent,
  showsPairCost,
} from '../../../../src/core/knowledge/recordingCost';
import {
  briefVisitSeconds,
  callLoopDepth,
  estimateVisitSeconds,
} from '../../../../src/core/knowledge/visitEstimate';
import type { Selection } from '../../../../src/core/selection/selection';
import { fn, graphOf } from '../selection/graphs';

const known = (facts: Partial<FunctionKnowledge> = {}): FunctionKnowledge => ({
  visits: 1,
  allVisits: 1,
  inclusiveSeconds: 0,
  exclusiveSeconds: 0,
  timesMeasured: 1,
  callers: new Map(),
  ...facts,
});
const knowledgeOf = (functions: Readonly<Record<string, Partial<FunctionKnowledge>>>): Knowledge => ({
  runs: 1,
  runSeconds: 1,
  functions: new Map(Object.entries(functions).map(([key, facts]) => [key, known(facts)])),
});
const definitions = [{ file: '/a.c', line: 1, endLine: 9 }] as unknown as [];

describe('the time of a visit, estimated from the source', () => {
  const seconds = (graph: CallGraph) => [...estimateVisitSeconds(graph)].map((s) => Math.round(s * 1e9));

  it('is 2 ns for each statement, ten times for each of up to two loops, with what it calls directly', () => {
    const graph = graphOf(
      [
        fn('main', { statements: 5 }),
        fn('loop', { statements: 3, loopDepth: 1 }),
        fn('nest', { statements: 1, loopDepth: 2 }),
        fn('deep', { statements: 1, loopDepth: 3 }),
      ],
      [
        ['main', 'loop'],
        ['main', 'nest'],
        ['loop', 'deep'],
      ],
    );
    expect(seconds(graph)).toEqual([10 + 10 * (6 + 200) + 200, 10 * (6 + 200), 200, 200]);
    expect([...briefVisitSeconds(graph)].map((s) => Math.round(s * 1e9))).toEqual([10, 6, 2, 2]);
  });

  it('is at most a second, and counts no call within a cycle or through a pointer', () => {
    const cycle = graphOf(
      [fn('a', { statements: 1 }), fn('b', { statements: 2 }), fn('c', { statements: 4, loopDepth: 2 })],
      [
        ['a', 'b'],
        ['b', 'a'],
        ['b', 'c'],
      ],
    );
    expect(seconds(cycle)).toEqual([2, 4 + 800, 800]);
    const pointer = {
      ...cycle,
      edges: cycle.edges.map((list) => list.map((edge) => ({ ...edge, kind: 'pointer' as const }))),
    };
    expect(seconds(pointer)).toEqual([2, 4, 800]);
    expect(seconds(graphOf([fn('huge', { statements: 1e12 })], []))).toEqual([1e9]);
  });

  it('of a function without statements in its source is half of its lines, or of twenty statements', () => {
    const none = { statements: 0 };
    const graph = graphOf(
      [
        fn('lines', { ...none, line: 10, endLine: 30 }),
        fn('short', { ...none, line: 10, endLine: 10 }),
        fn('unknown', none),
        fn('outside', { ...none, hasBody: false }),
        fn('empty', { ...none, definitions }),
      ],
      [],
    );
    expect(seconds(graph)).toEqual([20, 2, 40, 0, 0]);
  });

  it('loops around its calls are those of the callers, and a cycle is one', () => {
    const graph = graphOf(
      [
        fn('main', { loopDepth: 1 }),
        fn('f', { loopDepth: 2 }),
        fn('g'),
        fn('h', { loopDepth: 1 }),
        fn('leaf'),
      ],
      [
        ['main', 'f'],
        ['f', 'g'],
        ['main', 'g'],
        ['g', 'h'],
        ['h', 'g'],
        ['h', 'leaf'],
      ],
    );
    expect([...callLoopDepth(graph)]).toEqual([0, 1, 4, 4, 5]);
  });
});

describe('the exclusive time when some functions are not recorded', () => {
  const knowledge = knowledgeOf({
    main: { exclusiveSeconds: 1 },
    f: { exclusiveSeconds: 2, callers: new Map([['main', 1]]) },
    g: {
      exclusiveSeconds: 8,
      callers: new Map([
        ['f', 0.75],
        ['main', 0.25],
      ]),
    },
  });
  it('falls to the nearest recorded callers in the measured shares', () => {
    expect(effectiveExclusive(knowledge, new Set())).toEqual(
      new Map([
        ['main', 1],
        ['f', 2],
        ['g', 8],
      ]),
    );
    expect(effectiveExclusive(knowledge, new Set(['g']))).toEqual(
      new Map([
        ['main', 3],
        ['f', 8],
      ]),
    );
    expect(effectiveExclusive(knowledge, new Set(['f', 'g']))).toEqual(new Map([['main', 11]]));
  });
  it('ends where dropped functions call each other', () => {
    const cycle = knowledgeOf({
      main: { exclusiveSeconds: 1 },
      a: {
        exclusiveSeconds: 4,
        callers: new Map([
          ['b', 0.5],
          ['main', 0.5],
        ]),
      },
      b: { exclusiveSeconds: 0, callers: new Map([['a', 1]]) },
    });
    const effective = effectiveExclusive(cycle, new Set(['a', 'b']));
    expect([...effective.keys()]).toEqual(['main']);
    expect(effective.get('main')).toBeGreaterThan(3);
    expect(effective.get('main')).toBeLessThanOrEqual(5);
  });
});

describe('the predicted overhead', () => {
  const pair = { pairSeconds: 1e-3, insideSeconds: 5e-4, outsideSeconds: 5e-4 };
  const sampled = { ...pair, sampled: { countedSeconds: 1e-4, pairSeconds: 2e-3, insideSeconds: 5e-4 } };
  const costs = { probe: sampled, entry: { ...pair, pairSeconds: 4e-3 } };
  const knowledge = knowledgeOf({
    f: { visits: 10, allVisits: 40 },
    g: { visits: 5, allVisits: 5 },
    never: { visits: 0, allVisits: 0 },
  });
  const selection = (...keys: readonly string[]): Selection => ({
    decisions: new Map(
      ['f', 'g', 'new'].map((key) => [
        key,
        { key, selected: keys.includes(key), reason: { rule: 'of-interest' as const } },
      ]),
    ),
  });
  const percent = (chosen: Selection, clock: 'cpu' | 'wall' = 'cpu') =>
    predictedOverheadPercent(chosen, knowledge, costs, new Map([['f', 'probe']]), { clock, seconds: 10 });

  it('is visits × pair of the selected functions: of all locations in CPU time, of the busiest one in wall time', () => {
    expect(percent(selection())).toBe(0);
    expect(percent(selection('f'))).toBeCloseTo((100 * 40 * 1e-3) / 10, 9);
    expect(percent(selection('f'), 'wall')).toBeCloseTo((100 * 10 * 1e-3) / 10, 9);
    // An unknown site costs as an entry does, an unknown function nothing.
    expect(percent(selection('f', 'g', 'new'))).toBeCloseTo((100 * (40e-3 + 5 * 4e-3)) / 10, 9);
    expect(chargedVisits(undefined, 'cpu')).toBe(0);
    const known = { visits: 3, rankVisits: 5, allVisits: 8 };
    expect((['wall', 'rank', 'cpu'] as const).map((clock) => chargedVisits(known, clock))).toEqual([3, 5, 8]);
    expect(chargedVisits({ visits: 3, allVisits: 8 }, 'rank')).toBe(3);
    expect(percentOf({ clock: 'cpu', seconds: 0 }, 3)).toBe(0);
    expect(percentOf({ clock: 'cpu', seconds: 4 }, 1)).toBe(25);
  });

  it('shows the cost of pairs unless more than a quarter of it is counting', () => {
    const counted: Selection = {
      decisions: new Map([
        ['f', { key: 'f', selected: true, reason: { rule: 'of-interest', countedFirst: 1024 } }],
        ['g', { key: 'g', selected: true, reason: { rule: 'of-interest' } }],
      ]),
    };
    const parts = (f: number) => (part: Selection) =>
      (part.decisions.has('f') ? f : 0) + (part.decisions.has('g') ? 3 : 0);
    expect(showsPairCost(counted, parts(1))).toBe(true);
    expect(showsPairCost(counted, parts(1.01))).toBe(false);
  });
});

describe('exploring below hot functions', () => {
  const graph = graphOf(
    [fn('main'), fn('hot'), fn('small'), fn('large'), fn('below')],
    [
      ['main', 'hot'],
      ['hot', 'small'],
      ['hot', 'large'],
      ['small', 'below'],
    ],
  );
  const input = (parts: Partial<ExploreInput> = {}): ExploreInput => ({
    graph,
    above: new Map([[1, 0.5]]),
    leastShare: 0.1,
    isNew: (index) => index > 1,
    isSettled: (index) => index <= 1,
    visitSeconds: Float64Array.of(1, 1, 1e-6, 1e-3, 1e-5),
    costOfVisit: () => ({ timed: 1e-7 }),
    limitPercent: 100,
    ...parts,
  });
  const chosen = (parts: Partial<ExploreInput> = {}) => [...explore(input(parts)).chosen.keys()];

  it('takes the longest visits first, as far as the bound of all of them together allows', () => {
    expect(chosen()).toEqual([3, 4, 2]);
    const { riskPercent, refused } = explore(input({ limitPercent: 1 }));
    // One pair of 100 ns for each 10 µs of half of the run.
    expect(riskPercent).toBeCloseTo(0.5, 9);
    expect([...refused]).toEqual([[2, expect.closeTo(5, 9)]]);
    expect(chosen({ limitPercent: 0.4 })).toEqual([3]);
    expect(explore(input()).riskPercent).toBeCloseTo(5, 9);
  });

  it('says below which function, the one with the largest share', () => {
    const both = new Map([
      [0, 0.2],
      [1, 0.5],
    ]);
    const isSettled = (index: number) => index === 1;
    expect(explore(input({ above: both, isSettled })).chosen.get(3)).toEqual({
      below: 1,
      share: 0.5,
      counted: false,
    });
  });

  it('looks only below what has enough time, together', () => {
    expect(chosen({ leastShare: 0.5 })).toHaveLength(3);
    expect(chosen({ leastShare: 0.51 })).toEqual([]);
    expect(chosen({ isNew: (index) => index === 4 })).toEqual([4]);
    expect(chosen({ isSettled: (index) => index <= 2 })).toEqual([3]);
  });

  it('counts what would cost too much to time', () => {
    const costOfVisit = () => ({ timed: 1e-7, counted: 1e-8 });
    const { chosen: all, refused } = explore(input({ costOfVisit, limitPercent: 3 }));
    expect([...all].map(([index, { counted }]) => [index, counted])).toEqual([
      [3, false],
      [4, false],
      [2, true],
    ]);
    expect(refused.size).toBe(0);
    expect(
      [...explore(input({ costOfVisit, limitPercent: 3, timedPercent: 1 })).chosen.values()].map(
        (c) => c.counted,
      ),
    ).toEqual([false, true, true]);
  });

  it('a function is surely cheap to time where a fifth of its visit, and its statements once, are longer than the pair', () => {
    expect(surelyCheap({ timed: 10 }, 10, 0)).toBe(true);
    expect(surelyCheap({ timed: 10 }, 9.9, 99)).toBe(false);
    expect(surelyCheap({ timed: 10, counted: 1 }, 50, 10)).toBe(true);
    expect(surelyCheap({ timed: 10, counted: 1 }, 49, 10)).toBe(false);
    expect(surelyCheap({ timed: 10, counted: 1 }, 50, 9)).toBe(false);
  });

  it('names the shortest way down', () => {
    expect(wayDown(graph, 0, (index) => index === 4)).toEqual(['main', 'hot', 'small', 'below']);
    expect(wayDown(graph, 0, (index) => index === 0)).toEqual(['main']);
    expect(wayDown(graph, 2, (index) => index === 3)).toBeUndefined();
  });
});
