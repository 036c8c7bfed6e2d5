import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../src/core/strategies/budget';
import { countFirst } from '../../../../src/core/strategies/countFirst';
import { measureAgain } from '../../../../src/core/strategies/measureAgain';
import { typicalPairCosts, typicalSampledCosts } from '../../../../src/core/cost/pairCost';
import type { Decision } from '../../../../src/core/selection/selection';
import { mostCounted } from '../../../../src/core/knowledge/explore';
import { briefVisitSeconds } from '../../../../src/core/knowledge/visitEstimate';
import { fn, graphOf } from '../selection/graphs';

const limits = { overheadPercent: 5, againPercent: 15, hotExclusiveShare: 0.04 };

function candidate(
  key: string,
  overheadPercent: number,
  { seconds = 10, doubtSeconds = 20, timesMeasured = 1 } = {},
): Candidate {
  return {
    key,
    overheadPercent,
    measured: {
      visits: 1,
      allVisits: 1,
      inclusiveSeconds: seconds,
      exclusiveSeconds: seconds,
      doubtSeconds,
      timesMeasured,
      callers: new Map(),
    },
  };
}

const again = (candidates: readonly Candidate[], budgetPercent = 4): readonly string[] =>
  [...measureAgain(candidates, 100, budgetPercent, limits)].sort();

describe('what a dear run has blurred', () => {
  it('is measured again, what seems hottest first, as far as the limit goes', () => {
    const dear = [
      candidate('c', 12, { seconds: 10 }),
      candidate('a', 2, { seconds: 20 }),
      candidate('b', 3, { seconds: 15 }),
      candidate('d', 40, { seconds: 30 }),
    ];
    expect(again(dear)).toEqual(['a', 'b']);
    expect(again(dear.filter(({ key }) => key === 'c'))).toEqual(['c']);
    expect(again(dear.filter(({ key }) => key === 'd'))).toEqual([]);
  });

  it('is left alone where it cannot be hot, where its share is sure, and where it was tried before', () => {
    expect(again([candidate('cold', 1, { seconds: 0.5, doubtSeconds: 3.4 })])).toEqual([]);
    expect(again([candidate('perhaps', 1, { seconds: 0.5, doubtSeconds: 3.6 })])).toEqual(['perhaps']);
    expect(again([candidate('sure', 1, { seconds: 40, doubtSeconds: 3.9 })])).toEqual([]);
    expect(again([candidate('tried', 1, { timesMeasured: 3 })])).toEqual([]);
  });

  it('stays blurred where what has to be recorded costs as much', () => {
    expect(again([candidate('a', 2)], 19)).toEqual([]);
  });
});

describe('the first run', () => {
  const graph = graphOf(
    [
      fn('main', { statements: 20 }),
      fn('long', { statements: 400 }),
      fn('nested', { statements: 12, loops: 2, loopDepth: 2 }),
      fn('small', { statements: 12 }),
      fn('pinned', { statements: 12 }),
      fn('out', { statements: 12 }),
    ],
    [],
  );
  const rules = new Map([
    ['main', 'entry'],
    ['pinned', 'pinned-in'],
    ['out', 'too-small'],
  ] as const);
  const decisions = new Map(
    graph.functions.map(({ key }): [string, Decision] => {
      const rule = rules.get(key as 'main') ?? 'statements';
      return [key, { key, selected: key !== 'out', reason: { rule } }];
    }),
  );
  const countedOf = (pairCosts: typeof typicalPairCosts): readonly string[] =>
    [
      ...countFirst(decisions, {
        graph,
        sites: new Map(),
        pairCosts,
        briefSeconds: briefVisitSeconds(graph),
      }).values(),
    ]
      .filter(({ reason }) => reason.countedFirst !== undefined)
      .map(({ key }) => key);

  it('counts what its own statements do not make worth timing, and never what the user wants', () => {
    expect(countedOf(typicalSampledCosts)).toEqual(['nested', 'small']);
  });

  it('counts the functions with the shortest visits where not all can be counted, then by key', () => {
    const size = mostCounted + 3;
    const functions = Array.from({ length: size }, (_, index) =>
      fn(`f${String(size - index).padStart(5, '0')}`),
    );
    const seconds = Float64Array.from(functions, (_, index) => (index === 5 ? 2e-9 : 1e-9));
    const counted = countFirst(
      new Map(functions.map(({ key }) => [key, { key, selected: true, reason: { rule: 'statements' } }])),
      {
        graph: graphOf(functions, []),
        sites: new Map(),
        pairCosts: typicalSampledCosts,
        briefSeconds: seconds,
      },
    );
    const timed = [...counted.values()].filter(({ reason }) => reason.countedFirst === undefined);
    expect(timed.map(({ key }) => key)).toEqual([functions[0]?.key, functions[1]?.key, functions[5]?.key]);
  });

  it('times everything where nothing else is possible', () => {
    expect(countedOf(typicalPairCosts)).toEqual([]);
  });
});
