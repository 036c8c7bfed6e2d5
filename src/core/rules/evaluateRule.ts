import { present } from '../present';
import { evaluate, evaluateCondition, type Quantities } from './expression/evaluate';
import type { RuleTrace } from '../degradations/model/result';
import type { Rule } from './rule';
import { shareOf } from './share';

/** The evaluation of a rule. */
export interface Evaluation extends Pick<
  RuleTrace,
  'quantities' | 'tests' | 'holds' | 'confidence' | 'severity'
> {
  readonly rule: Rule;
}

/** Evaluates a rule: its names in order, its condition, and where that holds confidence and severity. */
export function evaluateRule(rule: Rule, quantities: Quantities): Evaluation {
  const used: Record<string, number> = Object.create(null) as Record<string, number>;
  const all = withLets(
    rule,
    {
      name: (name) => (used[name] = quantities.name(name)),
      figure: (figure, of) => (used[`${figure}(${of})`] = quantities.figure(figure, of)),
    },
    (name, value) => (used[name] = value),
  );
  const { holds, tests } = evaluateCondition(rule.condition, rule.definition.condition, all);
  const severity =
    holds && rule.severity !== undefined ? shareOf(evaluate(rule.severity, all), 1) : undefined;
  const confidence = holds ? Math.min(1, Math.max(0, finite(evaluate(rule.confidence, all)))) : 0;
  return { rule, quantities: { ...used }, tests, holds, confidence, ...present({ severity }) };
}

/** Whether the condition holds, and nothing else. */
export function holds(rule: Rule, quantities: Quantities): boolean {
  const value = evaluate(rule.condition, withLets(rule, quantities));
  return value !== 0 && !Number.isNaN(value);
}

/** The quantities and the names that a rule gives to its parts. */
export function withLets(
  rule: Rule,
  quantities: Quantities,
  record?: (name: string, value: number) => void,
): Quantities {
  if (rule.let.length === 0) return quantities;
  const lets = new Map<string, number>();
  const all: Quantities = {
    name: (name) => lets.get(name) ?? quantities.name(name),
    figure: (figure, of) => quantities.figure(figure, of),
  };
  for (const [name, expression] of rule.let) {
    const value = evaluate(expression, all);
    lets.set(name, value);
    record?.(name, value);
  }
  return all;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
