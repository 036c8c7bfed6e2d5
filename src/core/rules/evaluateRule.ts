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
  const used = new Map<string, number>();
  const record = (name: string, value: number): number => {
    used.set(name, value);
    return value;
  };
  const all = withLets(
    rule,
    {
      name: (name) => record(name, quantities.name(name)),
      figure: (figure, of) => record(`${figure}(${of})`, quantities.figure(figure, of)),
    },
    record,
  );
  const { holds, tests } = evaluateCondition(rule.condition, rule.definition.condition, all);
  const verdict = verdictOf(rule, all, holds);
  return { rule, quantities: Object.fromEntries(used), tests, ...verdict };
}

/** The same without its numbers, for which nobody asks: they take more time and memory than all else. */
export function evaluateBriefly(rule: Rule, quantities: Quantities): Evaluation {
  const all = withLets(rule, quantities);
  const value = evaluate(rule.condition, all);
  const verdict = verdictOf(rule, all, value !== 0 && !Number.isNaN(value));
  return { rule, ...unexplained, ...verdict };
}

const unexplained = { quantities: {}, tests: [] } as const;

function verdictOf(
  rule: Rule,
  all: Quantities,
  holds: boolean,
): Pick<Evaluation, 'holds' | 'confidence' | 'severity'> {
  const severity =
    holds && rule.severity !== undefined ? shareOf(evaluate(rule.severity, all), 1) : undefined;
  const confidence = holds ? Math.min(1, Math.max(0, finite(evaluate(rule.confidence, all)))) : 0;
  return severity === undefined ? { holds, confidence } : { holds, confidence, severity };
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
