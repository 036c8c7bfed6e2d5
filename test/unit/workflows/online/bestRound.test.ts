import { describe, expect, it } from 'vitest';
import type { FunctionKnowledge } from '../../../../src/core/knowledge/knowledge';
import type { Selection } from '../../../../src/core/selection/selection';
import { bestRound, type TriedRound } from '../../../../src/workflows/online/bestRound';
import { slotsToCount } from '../../../../src/workflows/online/relief';

function selecting(...keys: readonly string[]): Selection {
  return {
    decisions: new Map(
      keys.map((key) => [key, { key, selected: true, reason: { rule: 'hot-spot' as const } }]),
    ),
  };
}

function taking(exclusiveSeconds: number): FunctionKnowledge {
  const times = { inclusiveSeconds: exclusiveSeconds, exclusiveSeconds, timesMeasured: 1 };
  return { visits: 1, allVisits: 1, ...times, callers: new Map() };
}

const knowledge = {
  runSeconds: 1,
  functions: new Map([
    ['hot', taking(0.6)],
    ['warm', taking(0.3)],
    ['cold', taking(0.01)],
  ]),
};
const round = (index: number, overheadPercent: number, ...keys: readonly string[]): TriedRound => ({
  index,
  selection: selecting(...keys),
  overheadPercent,
});

describe('the round that a refinement inside one run ends with', () => {
  it('is an earlier one that held the target, when its functions have more of the time than those of the last', () => {
    const rounds = [round(0, 20, 'hot', 'warm', 'cold'), round(1, 4, 'hot', 'warm'), round(2, 1, 'warm')];
    expect(bestRound(rounds, knowledge, 5)?.index).toBe(1);
  });

  it('is the last one of those that are alike, whatever a few tiny functions add', () => {
    const rounds = [
      round(0, 4, 'hot', 'warm', 'cold'),
      round(1, 4, 'hot', 'warm'),
      round(2, 6, 'hot', 'warm'),
    ];
    expect(bestRound(rounds, knowledge, 5)?.index).toBe(1);
  });

  it('is none when no round held the target', () => {
    expect(bestRound([round(0, 5.1, 'hot')], knowledge, 5)).toBeUndefined();
  });
});

describe('functions that cost too much within a round', () => {
  const costs = new Map([
    [1, 0.1],
    [2, 0.06],
    [3, 0.01],
  ]);
  it('are only counted from then on, the most expensive ones, until the others hold the target', () => {
    expect([...slotsToCount(costs, 0.05, () => true)]).toEqual([1, 2]);
    expect([...slotsToCount(costs, 0.05, (slot) => slot !== 1)]).toEqual([]);
  });

  it('stay timed while all together take no multiple of the target', () => {
    expect([...slotsToCount(costs, 0.06, () => true)]).toEqual([]);
  });
});
