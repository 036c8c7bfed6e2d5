import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explore,
  mostCounted,
  surelyCheap,
  wayDown,
  type Exploration,
  type ExploreInput,
} from '../../../../src/core/knowledge/explore';
import { briefVisitSeconds, estimateVisitSeconds } from '../../../../src/core/knowledge/visitEstimate';
import { fn, graphOf } from '../selection/graphs';
import { graphOfProgram } from '../selection/simulatedProgram';

const pair = { timed: 30e-9, counted: 5e-9 };

/** main, which spends all of the time itself or in these callees; each of so many statements in so many loops. */
function exploring(
  callees: readonly (readonly [statements: number, loops: number])[],
  canCount: boolean,
): Exploration & { readonly brief: Float64Array } {
  const site = 'probe' as const;
  const graph = graphOfProgram({
    functions: [
      {
        name: 'main',
        ownSeconds: 1,
        statements: 30,
        loopDepth: 1,
        site,
        calls: callees.map((_, at) => ({ callee: at + 1, times: 1 })),
      },
      ...callees.map(([statements, loopDepth], at) => ({
        name: `f${at}`,
        ownSeconds: 0,
        statements,
        loopDepth,
        site,
        calls: [],
      })),
    ],
  });
  const brief = briefVisitSeconds(graph);
  const exploration = explore({
    graph,
    above: new Map([[0, 1]]),
    leastShare: 0.02,
    isNew: (index) => index > 0,
    isSettled: (index) => index === 0,
    visitSeconds: estimateVisitSeconds(graph),
    briefSeconds: brief,
    costOfVisit: () => (canCount ? pair : { timed: pair.timed }),
    limitPercent: 100,
    timedPercent: 20,
  });
  return { ...exploration, brief };
}

const callees = fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 2 })), {
  minLength: 1,
  maxLength: 8,
});

describe('looking into functions of unknown cost', () => {
  it('times at once only what even visits without a round of their loops leave cheap', () => {
    fc.assert(
      fc.property(callees, (functions) => {
        const { chosen, brief } = exploring(functions, true);
        for (const [index, { counted }] of chosen)
          // All of the time in visits as short as that.
          if (!counted) expect((100 * pair.timed) / (brief[index] ?? 0)).toBeLessThanOrEqual(20 + 1e-9);
      }),
    );
  });

  it('counts the others, and times long ones', () => {
    const { chosen } = exploring(
      [
        [10, 2],
        [500, 0],
      ],
      true,
    );
    expect([...chosen].map(([index, { counted }]) => [index, counted])).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it('times by a guess of their loops where it cannot count', () => {
    const { chosen } = exploring([[10, 2]], false);
    expect(chosen.get(1)?.counted).toBe(false);
    expect(surelyCheap({ timed: 30e-9 }, 40e-9, 4e-9)).toBe(true);
    expect(surelyCheap(pair, 400e-9, 4e-9)).toBe(false);
    expect(surelyCheap(pair, 400e-9, 40e-9)).toBe(true);
    expect(surelyCheap(pair, 40e-9, 40e-9)).toBe(false);
  });
});

/** Functions with a body each, of which a measurement recorded some (`above`, by their share of the run). */
function exploreBelow(
  calls: readonly (readonly [caller: string, callee: string])[],
  above: Readonly<Record<string, number>>,
  visitSeconds: Readonly<Record<string, number>>,
  options: Partial<ExploreInput> = {},
) {
  const names = [...new Set(['main', ...calls.flat()])];
  const graph = graphOf(
    names.map((name) => fn(name)),
    calls,
  );
  const result = explore({
    graph,
    above: new Map(Object.entries(above).map(([name, share]) => [names.indexOf(name), share])),
    leastShare: 0.02,
    isNew: (index) => Object.hasOwn(visitSeconds, names[index]!),
    isSettled: (index) => Object.hasOwn(above, names[index]!),
    visitSeconds: Float64Array.from(names, (name) => visitSeconds[name] ?? 1),
    costOfVisit: () => ({ timed: 1e-8 }),
    limitPercent: 5,
    ...options,
  });
  return {
    chosen: Object.fromEntries(
      [...result.chosen].map(([index, { below, ...rest }]) => [
        names[index]!,
        { ...rest, below: names[below] },
      ]),
    ),
    refused: Object.fromEntries([...result.refused].map(([index, percent]) => [names[index]!, percent])),
    riskPercent: result.riskPercent,
  };
}

describe('new functions below hot ones', () => {
  it('can take all the time of the hot functions above, and no function is chosen whose cost then exceeds the limit', () => {
    // 10 ns each 1 µs: 1 % of the half of the run that main spends; 10 ns each 50 ns: 20 % of it.
    const { chosen, refused, riskPercent } = exploreBelow(
      [
        ['main', 'long'],
        ['main', 'short'],
      ],
      { main: 0.5 },
      { long: 1e-6, short: 50e-9 },
    );
    expect(chosen).toEqual({ long: { below: 'main', share: 0.5, counted: false } });
    expect(riskPercent).toBeCloseTo(0.5, 9);
    expect(refused.short).toBeCloseTo(10, 9);
    expect(Object.keys(refused)).toEqual(['short']);
  });

  it('share the time of a hot function: the shortest visits decide, not the sum', () => {
    const { chosen, riskPercent } = exploreBelow(
      [
        ['main', 'a'],
        ['main', 'b'],
        ['main', 'c'],
      ],
      { main: 1 },
      { a: 1e-6, b: 4e-7, c: 2e-7 },
    );
    expect(Object.keys(chosen)).toEqual(['a', 'b', 'c']);
    expect(riskPercent).toBeCloseTo(5, 9);
  });

  it('may spend the time of each hot function above them, and stand below the hottest', () => {
    const calls = [
      ['main', 'warm'],
      ['main', 'hot'],
      ['main', 'other'],
      ['warm', 'leaf'],
      ['hot', 'leaf'],
      ['other', 'leaf'],
    ] as const;
    const { chosen, riskPercent } = exploreBelow(calls, { warm: 0.2, hot: 0.3, other: 0.3 }, { leaf: 1e-6 });
    expect(chosen).toEqual({ leaf: { below: 'hot', share: 0.3, counted: false } });
    expect(riskPercent).toBeCloseTo(0.8, 9);
  });

  it('are looked for where the hot functions above have the least share together', () => {
    const calls = [
      ['warm', 'leaf'],
      ['hot', 'leaf'],
      ['hot', 'own'],
    ] as const;
    const shares = { warm: 0.25, hot: 0.25 };
    const names = (leastShare: number): readonly string[] => {
      const { chosen, refused } = exploreBelow(calls, shares, { leaf: 1e-6, own: 1e-6 }, { leastShare });
      expect(refused).toEqual({});
      return Object.keys(chosen).sort();
    };
    expect(names(0.25)).toEqual(['leaf', 'own']);
    expect(names(0.26)).toEqual(['leaf']);
    expect(names(0.5)).toEqual(['leaf']);
    expect(names(0.51)).toEqual([]);
  });

  it('are found through functions that cannot be recorded and through new ones, not through recorded ones', () => {
    const calls = [
      ['hot', 'plain'],
      ['plain', 'new'],
      ['new', 'deep'],
      ['deep', 'hot'],
      ['hot', 'recorded'],
      ['recorded', 'hidden'],
    ] as const;
    const visits = { new: 1e-6, deep: 1e-6, hidden: 1e-6 };
    const below = (above: Readonly<Record<string, number>>) =>
      Object.entries(exploreBelow(calls, above, visits).chosen).map(([name, { below }]) => [name, below]);
    expect(below({ hot: 0.5, recorded: 0 })).toEqual([
      ['new', 'hot'],
      ['deep', 'hot'],
    ]);
    expect(below({ hot: 0.5, recorded: 0.4 })).toEqual([
      ['new', 'hot'],
      ['deep', 'hot'],
      ['hidden', 'recorded'],
    ]);
  });

  it('are counted first where they may cost too much to time, with a fifth of the estimated visit', () => {
    const calls = [
      ['main', 'long'],
      ['main', 'short'],
      ['main', 'tiny'],
    ] as const;
    // Timing costs 10 ns and counting 1 ns of a visit that may be as short as 10 µs, 100 ns, 1 ns.
    const { chosen, refused, riskPercent } = exploreBelow(
      calls,
      { main: 1 },
      { long: 50e-6, short: 500e-9, tiny: 5e-9 },
      { costOfVisit: () => ({ timed: 1e-8, counted: 1e-9 }) },
    );
    expect(chosen).toEqual({
      long: { below: 'main', share: 1, counted: false },
      short: { below: 'main', share: 1, counted: true },
    });
    expect(riskPercent).toBeCloseTo(1, 9);
    expect(refused.tiny).toBeCloseTo(100, 9);
  });

  it('are timed at once only within their own limit, where they could be counted', () => {
    const counted = (options: Partial<ExploreInput>) =>
      exploreBelow([['main', 'f']], { main: 1 }, { f: 5e-6 }, options).chosen.f?.counted;
    const costOfVisit = () => ({ timed: 1e-8, counted: 1e-9 });
    // At most 1 % if each visit takes 1 µs.
    expect(counted({ costOfVisit, timedPercent: 1 + 1e-9 })).toBe(false);
    expect(counted({ costOfVisit, timedPercent: 0.9 })).toBe(true);
    // Where they cannot be counted, the limit of all applies, and the estimate as it is: 0.2 %.
    expect(counted({ timedPercent: 0.1 })).toBe(false);
    expect(counted({ limitPercent: 0.19 })).toBeUndefined();
    // A visit whose loops end at once is shorter than a fifth: 10 ns each 100 ns.
    const briefSeconds = new Float64Array(2).fill(1e-7);
    expect(counted({ costOfVisit, timedPercent: 9.9, briefSeconds })).toBe(true);
    expect(counted({ costOfVisit, timedPercent: 10.1, briefSeconds })).toBe(false);
  });

  it('take a nanosecond at least, whatever the estimate', () => {
    const { refused } = exploreBelow([['main', 'f']], { main: 1 }, { f: 1e-12 });
    expect(refused.f).toBeCloseTo(1000, 6);
  });

  it('are counted as far as the runtime has counters', () => {
    const leaves = Array.from({ length: mostCounted + 5 }, (_, n) => `f${n}`);
    const { chosen, refused } = exploreBelow(
      leaves.map((leaf) => ['main', leaf] as const),
      { main: 1 },
      Object.fromEntries(leaves.map((leaf) => [leaf, 500e-9])),
      { costOfVisit: () => ({ timed: 1e-8, counted: 1e-9 }) },
    );
    expect(Object.values(chosen).filter(({ counted }) => counted)).toHaveLength(mostCounted);
    expect(Object.keys(chosen)).toHaveLength(mostCounted);
    // The others would be timed: 10 ns each 100 ns.
    expect(Object.keys(refused)).toEqual(leaves.slice(mostCounted));
    expect(refused.f962).toBeCloseTo(10, 9);
  });
});

describe('the way down to a function', () => {
  it('is the shortest one, with both ends', () => {
    const graph = graphOf(
      ['main', 'a', 'b', 'c', 'd'].map((name) => fn(name)),
      [
        ['main', 'a'],
        ['a', 'b'],
        ['b', 'c'],
        ['main', 'd'],
        ['d', 'c'],
      ],
    );
    expect(wayDown(graph, 0, (index) => index === 3)).toEqual(['main', 'd', 'c']);
    expect(wayDown(graph, 3, (index) => index === 0)).toBeUndefined();
  });
});
