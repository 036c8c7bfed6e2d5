import { describe, expect, it } from 'vitest';
import type { FunctionKnowledge } from '../../../../src/core/knowledge/knowledge';
import type { Selection } from '../../../../src/core/selection/selection';
import { bestRound, type TriedRound } from '../../../../src/workflows/online/bestRound';

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

  it('may have taken as much as the target, and not more', () => {
    expect(bestRound([round(0, 5, 'hot')], knowledge, 5)?.index).toBe(0);
    expect(bestRound([round(0, 5.1, 'hot')], knowledge, 5)).toBeUndefined();
  });

  it('is no earlier one for functions of which nothing is known', () => {
    expect(bestRound([round(0, 1, 'hot', 'new'), round(1, 1, 'hot')], knowledge, 5)?.index).toBe(1);
  });

  it('is better by the part of the run that its functions have, however long the run is', () => {
    const rounds = [round(0, 1, 'hot', 'cold'), round(1, 1, 'hot')];
    expect(bestRound(rounds, { ...knowledge, runSeconds: 0.4 }, 5)?.index).toBe(0);
    expect(bestRound(rounds, { ...knowledge, runSeconds: 0.6 }, 5)?.index).toBe(1);
  });
});
