import { present } from '../../present';
import type { SeriesContext } from '../../series/series';
import type { Evaluation } from '../../rules/evaluateRule';
import type { RuleTrace } from '../model/result';
import type { Tried } from './tryDynamics';

/** The first evaluations of a run, for the explanation. */
export class Traces {
  readonly kept: RuleTrace[] = [];
  /** Number of all evaluations, including those that are not stored. */
  count = 0;

  /** @param most maximum number of stored evaluations */
  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.kept.length >= this.most;
  }

  /** @param series position among the analysed series, if it is one of them */
  add(evaluation: Evaluation | Tried, context: SeriesContext, iterations: number, series?: number): void {
    this.count++;
    if (!this.isFull) this.kept.push(traceOf(evaluation, context, iterations, series));
  }

  /** A note when some evaluations are not stored. */
  notes(): readonly string[] {
    return this.count > this.most
      ? [`Of ${this.count} evaluations of rules the first ${this.most} are stored.`]
      : [];
  }
}

function traceOf(
  evaluation: Evaluation | Tried,
  context: SeriesContext,
  iterations: number,
  series: number | undefined,
): RuleTrace {
  const { rule, quantities, tests, holds, confidence, severity } = evaluation;
  const pattern = 'pattern' in evaluation ? evaluation.pattern : undefined;
  return {
    rule: rule.definition.id,
    ...present({ series }),
    context,
    iterations: pattern === undefined ? [1, Math.max(1, iterations)] : [pattern.from + 1, pattern.to + 1],
    quantities,
    tests,
    holds,
    confidence,
    ...present({ severity }),
  };
}
