import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../../../src/core/rules/catalogue';
import { Traces } from '../../../../../src/core/degradations/report/traces';
import type { Evaluation } from '../../../../../src/core/rules/evaluateRule';
import { solve } from '../bursts';

const rule = catalogue[0]!;
const context = { region: solve, metric: 'time', rank: 3, thread: 0 };
const evaluation = (confidence: number): Evaluation => ({
  rule,
  quantities: { rank: 3 },
  tests: [],
  holds: true,
  confidence,
});

describe('evaluations for the explanation', () => {
  it('are all kept where they are few', () => {
    const traces = new Traces(2);
    traces.add(evaluation(0.5), context, 7);
    traces.add(evaluation(1), context, 0, 4);
    expect(traces.kept).toMatchObject([
      { rule: rule.definition.id, context, iterations: [1, 7], confidence: 0.5 },
      { iterations: [1, 1], confidence: 1, series: 4 },
    ]);
    expect(traces.kept[0]).not.toHaveProperty('series');
    expect(traces.notes()).toEqual([]);
  });

  it('are counted where they are many, and the first are kept', () => {
    const traces = new Traces(2);
    for (const confidence of [0.1, 0.2, 0.3, 0.4, 0.5]) traces.add(evaluation(confidence), context, 7);
    expect(traces.kept.map(({ confidence }) => confidence)).toEqual([0.1, 0.2]);
    expect(traces.notes()).toEqual(['Of 5 evaluations of rules the first 2 are stored.']);
  });
});
