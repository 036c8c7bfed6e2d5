import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, surelyCheap, type Exploration } from '../../../../src/core/knowledge/explore';
import { briefVisitSeconds, estimateVisitSeconds } from '../../../../src/core/knowledge/visitEstimate';
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
