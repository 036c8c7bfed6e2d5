import { isComparison, type BinaryOperator, type Expression } from './syntax';

/** Values of names. True is 1, false is 0. */
export interface Quantities {
  name(name: string): number;
  figure(figure: string, of: string): number;
}

/** A comparison and the numbers that it had. */
export interface Test {
  readonly text: string;
  readonly left: number;
  readonly operator: string;
  readonly right: number;
  readonly holds: boolean;
}

/**
 * Value of an expression. A division by zero is 0: a share of nothing is nothing. Both sides of `&&` and `||` are always looked at, so
 * that a reader sees all numbers.
 * @param test receives each comparison, in order
 */
export function evaluate(
  expression: Expression,
  quantities: Quantities,
  test?: (
    comparison: Expression & { readonly kind: 'binary' },
    left: number,
    right: number,
    holds: boolean,
  ) => void,
): number {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'name':
      return quantities.name(expression.name);
    case 'figure':
      return quantities.figure(expression.figure, expression.of);
    case 'function':
      return applied(
        expression.name,
        expression.parameters.map((one) => evaluate(one, quantities, test)),
      );
    case 'unary': {
      const value = evaluate(expression.of, quantities, test);
      return expression.operator === '-' ? -value : Number(value === 0);
    }
    case 'binary': {
      const left = evaluate(expression.left, quantities, test);
      const right = evaluate(expression.right, quantities, test);
      const value = combined(expression.operator, left, right);
      if (isComparison(expression.operator)) test?.(expression, left, right, value !== 0);
      return value;
    }
  }
}

/** Whether a condition holds, and the comparisons that decided. */
export function evaluateCondition(
  expression: Expression,
  text: string,
  quantities: Quantities,
): { readonly holds: boolean; readonly tests: readonly Test[] } {
  const tests: Test[] = [];
  const value = evaluate(expression, quantities, (comparison, left, right, holds) => {
    const [first, last] = comparison.span;
    tests.push({ text: text.slice(first, last), left, operator: comparison.operator, right, holds });
  });
  return { holds: value !== 0 && !Number.isNaN(value), tests };
}

/** Each part of an expression, the whole first. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  switch (expression.kind) {
    case 'function':
      for (const parameter of expression.parameters) yield* partsOf(parameter);
      break;
    case 'unary':
      yield* partsOf(expression.of);
      break;
    case 'binary':
      yield* partsOf(expression.left);
      yield* partsOf(expression.right);
      break;
    case 'number':
    case 'name':
    case 'figure':
      break;
  }
}

function applied(name: string, values: readonly number[]): number {
  const [first = NaN, second = NaN] = values;
  if (name === 'min') return Math.min(first, second);
  if (name === 'max') return Math.max(first, second);
  return name === 'abs' ? Math.abs(first) : Math.sqrt(Math.max(0, first));
}

const operations: Readonly<Record<BinaryOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (right === 0 ? 0 : left / right),
  '<': (left, right) => Number(left < right),
  '>': (left, right) => Number(left > right),
  '<=': (left, right) => Number(left <= right),
  '>=': (left, right) => Number(left >= right),
  '==': (left, right) => Number(left === right),
  '!=': (left, right) => Number(left !== right),
  '&&': (left, right) => Number(left !== 0 && right !== 0),
  '||': (left, right) => Number(left !== 0 || right !== 0),
};

/** Saturates at `Number.MAX_VALUE`; NaN becomes 0. */
function bounded(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));
}

function combined(operator: BinaryOperator, left: number, right: number): number {
  return bounded(operations[operator](left, right));
}
