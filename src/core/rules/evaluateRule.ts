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
  const lets = new Map<string, number>();
  const known: Quantities = {
    name: (name) => (used[name] = lets.get(name) ?? quantities.name(name)),
    figure: (figure, of) => (used[`${figure}(${of})`] = quantities.figure(figure, of)),
  };
  for (const [name, expression] of rule.let) lets.set(name, (used[name] = evaluate(expression, known)));
  const { holds, tests } = evaluateCondition(rule.condition, rule.definition.condition, known);
  const severity =
    holds && rule.severity !== undefined ? { severity: shareOf(evaluate(rule.severity, known), 1) } : {};
  const confidence = holds ? Math.min(1, Math.max(0, finite(evaluate(rule.confidence, known)))) : 0;
  return { rule, quantities: { ...used }, tests, holds, confidence, ...severity };
}

/** Whether the condition holds, and nothing else. */
export function holds(rule: Rule, quantities: Quantities): boolean {
  const lets = new Map<string, number>();
  const known: Quantities = {
    name: (name) => lets.get(name) ?? quantities.name(name),
    figure: (figure, of) => quantities.figure(figure, of),
  };
  for (const [name, expression] of rule.let) lets.set(name, evaluate(expression, known));
  const value = evaluate(rule.condition, known);
  return value !== 0 && !Number.isNaN(value);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
