import type { SeriesContext } from '../../series/series';
import type { Evaluation } from '../rules/evaluateRule';
import type { RuleTrace } from '../model/result';
import type { Tried } from './tryDynamics';

/** Evaluations for the explanation: of very many, the first. */
export class Traces {
  readonly kept: RuleTrace[] = [];
  /** All evaluations, also those that are not kept. */
  count = 0;

  /** @param most so many are kept */
  constructor(private readonly most: number) {}

  /** @param series position among the analysed series, if it is one of them */
  add(evaluation: Evaluation | Tried, context: SeriesContext, iterations: number, series?: number): void {
    this.count++;
    if (this.kept.length < this.most) this.kept.push(traceOf(evaluation, context, iterations, series));
  }

  /** What a reader must know: whether some are not kept. */
  notes(): readonly string[] {
    return this.count > this.most
      ? [`Of ${this.count} evaluations of rules the first ${this.most} are kept.`]
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
    ...(series === undefined ? {} : { series }),
    context,
    iterations: pattern === undefined ? [1, Math.max(1, iterations)] : [pattern.from + 1, pattern.to + 1],
    quantities,
    tests,
    holds,
    confidence,
    ...(severity === undefined ? {} : { severity }),
  };
}
