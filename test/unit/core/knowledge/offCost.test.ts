import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../../../../src/core/knowledge/knowledge';
import { accumulateKnowledge } from '../../../../src/core/knowledge/knowledge';
import {
  estimateOffCost,
  fewerProbes,
  mayExceed,
  offLimitPercent,
  raisedMinimums,
  roomBeside,
  type OffCostInput,
} from '../../../../src/core/knowledge/offCost';
import { comparePairs } from '../../../../src/core/cost/pairedRatios';
import { wantsProbe } from '../../../../src/core/source/wantsProbe';
import { costsTooMuch, pairsWithin } from '../../../../src/workflows/refine/bench/vanilla';
import {
  costs,
  graphOfProgram,
  measure,
  sitesOf,
  truthOf,
  type SimulatedProgram,
} from '../selection/simulatedProgram';

/** main calls two small functions with a loop and one without probe. */
const programOf = (visits: readonly [number, number, number], main = 1): SimulatedProgram => ({
  functions: [
    {
      name: 'main',
      ownSeconds: main,
      statements: 30,
      loopDepth: 1,
      site: 'probe',
      calls: visits.map((times, at) => ({ callee: at + 1, times })),
    },
    { name: 'short', ownSeconds: 1e-9, statements: 3, loopDepth: 1, site: 'probe', calls: [] },
    { name: 'long', ownSeconds: 1e-9, statements: 50, loopDepth: 1, site: 'probe', calls: [] },
    { name: 'plain', ownSeconds: 1e-9, statements: 1, loopDepth: 0, site: 'entry', calls: [] },
  ],
});

function inputOf(
  program: SimulatedProgram,
  recorded = program.functions.map(({ name }) => name),
): OffCostInput {
  const [graph, sites] = [graphOfProgram(program), sitesOf(program)];
  const profile = measure(program, new Set(recorded));
  const costBase = { clock: 'cpu', seconds: truthOf(program).seconds } as const;
  const knowledge: Knowledge = accumulateKnowledge(
    undefined,
    profile,
    graph,
    costs,
    recorded,
    sites,
    costBase,
  );
  return { graph, sites, knowledge, costBase };
}

const visits = fc.integer({ min: 1, max: 5e8 });
const someVisits = fc.tuple(visits, visits, visits);

describe('what idle sites cost by estimate', () => {
  it('is visits × cost of an idle site, of the run', () => {
    const { percent, mostPercent, functions } = estimateOffCost(inputOf(programOf([1e7, 0, 1e7])));
    // 10⁷ × 0.15 ns and 10⁷ × 0.15 ns of 1.02 s
    expect(percent).toBeCloseTo(0.3 / 1.02, 4);
    expect(mostPercent).toBeCloseTo(1.3 / 1.02, 4);
    expect(functions).toBe(4);
  });

  it('grows with each visit, and is never more than at most', () => {
    fc.assert(
      fc.property(someVisits, fc.integer({ min: 0, max: 2 }), (some, at) => {
        const more = some.map((n, index) => (index === at ? 2 * n : n)) as unknown as typeof some;
        // The run takes as long: main spends less by itself.
        const [less, greater] = [some, more].map((one) => {
          const input = inputOf(programOf(one, 2));
          return estimateOffCost({ ...input, costBase: { clock: 'cpu', seconds: 2 } });
        });
        expect(greater!.percent).toBeGreaterThan(less!.percent);
        expect(less!.mostPercent).toBeGreaterThanOrEqual(less!.percent);
      }),
    );
  });

  it('allows for functions that were never recorded, as far as their callers have time for them', () => {
    const program = programOf([1e8, 0, 0], 0);
    const all = estimateOffCost(inputOf(program));
    const some = estimateOffCost(inputOf(program, ['main']));
    expect(some.functions).toBe(1);
    expect(some.percent).toBeLessThan(0.001);
    expect(some.mostPercent).toBeGreaterThan(0.1);
    expect(all.percent).toBeGreaterThan(some.percent);
  });

  it('asks for a vanilla build only where it may exceed the limit', () => {
    expect(mayExceed(estimateOffCost(inputOf(programOf([1e6, 1e6, 1e6]))))).toBe(false);
    expect(mayExceed(estimateOffCost(inputOf(programOf([1e8, 0, 0]))))).toBe(true);
  });
});

it('leaves the rest of a target for recording, and at least half of it', () => {
  expect(roomBeside({ percent: 1.5 }, 5)).toBe(3.5);
  expect(roomBeside({ percent: 4 }, 5)).toBe(2.5);
  expect(roomBeside({ percent: 0 }, 5)).toBe(5);
});

describe('fewer probes', () => {
  const exceeded = fc.double({ min: offLimitPercent, max: 500, noNaN: true });
  const probed = (input: OffCostInput, minimum: number): readonly string[] =>
    input.graph.functions
      .filter((one) => input.sites.get(one.key) === 'probe' && wantsProbe(one, minimum))
      .map(({ name }) => name);

  it('take them from what is visited most, and no more than that', () => {
    const input = inputOf(programOf([1e8, 1000, 0]));
    const minimum = fewerProbes(input, 20);
    expect(minimum).toBe(40);
    expect(probed(input, minimum)).toEqual(['main', 'long']);
    expect(probed(input, fewerProbes(inputOf(programOf([1000, 1e8, 0])), 20))).toEqual([]);
  });

  it('are charged with what was measured beyond the cost of entries, by their visits', () => {
    // A run of 1 s, in which 10⁸ visits of entries cost 1.5 %. The other 2.5 % are those of two functions with as many visits each.
    const program = programOf([1e6, 1e6, 1e8]);
    const input = { ...inputOf(program), costBase: { clock: 'cpu', seconds: 1 } as const };
    expect(probed(input, fewerProbes(input, 4))).toEqual(['main', 'long']);
    expect(probed(input, fewerProbes(input, 4.6))).toEqual([]);
    // Where entries alone cost as much as was measured, or probes are never visited, the first setting is enough.
    expect(fewerProbes(input, 1.4)).toBe(20);
    const idle: OffCostInput = { ...input, knowledge: { ...input.knowledge, functions: new Map() } };
    expect(fewerProbes(idle, 50)).toBe(20);
  });

  it('are the fewest that are enough, and the fewer the more was measured', () => {
    fc.assert(
      fc.property(someVisits, exceeded, exceeded, (some, one, other) => {
        const input = inputOf(programOf(some));
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((p) => fewerProbes(input, p));
        expect(raisedMinimums).toContain(low);
        expect(high).toBeGreaterThanOrEqual(low!);
      }),
    );
  });

  it('are those that cost next to nothing where even entries alone cost too much', () => {
    const input = inputOf(programOf([1e8, 1000, 1e9], 0.1));
    expect(probed(input, fewerProbes(input, 50))).toEqual(['main', 'long']);
  });
});

describe('runs of two programs in turns', () => {
  const seconds = fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 1, maxLength: 20 });

  it('tell the median of the pairs, within its bounds', () => {
    fc.assert(
      fc.property(seconds, (first) => {
        const second = first.map((one, at) => one * (1 + at / 100));
        const { percent, leastPercent, mostPercent } = comparePairs(first, second);
        expect(percent).toBeCloseTo((first.length - 1) / 2, 9);
        expect(leastPercent === undefined).toBe(first.length < 6);
        expect(leastPercent ?? percent).toBeLessThanOrEqual(percent);
        expect(mostPercent ?? percent).toBeGreaterThanOrEqual(percent);
      }),
    );
  });

  it('leave out as many extremes as the number of pairs allows', () => {
    const pairs = (count: number): ReturnType<typeof comparePairs> =>
      comparePairs(
        Array.from({ length: count }, () => 1),
        Array.from({ length: count }, (_, at) => 1 + at / 100),
      );
    expect(pairs(7).leastPercent).toBeCloseTo(0, 9);
    expect(pairs(7).mostPercent).toBeCloseTo(6, 9);
    expect(pairs(15).leastPercent).toBeCloseTo(3, 9);
    expect(pairs(15).mostPercent).toBeCloseTo(11, 9);
  });

  it('find a difference where there is none in fewer than one of twenty comparisons', () => {
    let state = 4711;
    const uniform = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
    const trials = 2000;
    let found = 0;
    for (let trial = 0; trial < trials; trial++) {
      const [first, second] = [0, 1].map(() => Array.from({ length: 15 }, () => 1 + uniform() ** 4));
      const looks = [6, 15].map((count) => comparePairs(first!.slice(0, count), second!.slice(0, count)));
      // A cost that is just the limit is not above it.
      if (
        looks.some(({ leastPercent = -1 }) => costsTooMuch({ leastPercent: leastPercent + offLimitPercent }))
      )
        found++;
    }
    expect(found / trials).toBeLessThan(0.05);
  });

  it('are as many as the time budget allows, and more of them in doubt', () => {
    expect(pairsWithin(Infinity, 10, true)).toEqual([6, 15]);
    expect(pairsWithin(Infinity, 10, false)).toEqual([6]);
    expect(pairsWithin(299, 10, true)).toEqual([6]);
    expect(pairsWithin(119, 10, true)).toEqual([]);
  });

  it('never condemn sites on too few', () => {
    const { percent, ...bounds } = comparePairs([1, 1, 1], [2, 2, 2]);
    expect(percent).toBeCloseTo(100, 9);
    expect(costsTooMuch(bounds)).toBe(false);
    expect(costsTooMuch({ leastPercent: offLimitPercent })).toBe(false);
    expect(costsTooMuch({ leastPercent: 3.1 })).toBe(true);
  });
});
