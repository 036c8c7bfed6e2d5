import { at } from '../../at';

/** Text of a rule as a tree. Places are offsets in the text, so that everything that is wrong later can be pointed at, too. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  /** `sum(time)`, `count(peaks)`: a figure of something named, not of a value. */
  | { readonly kind: 'figure'; readonly figure: string; readonly of: string; readonly at: number }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly parameters: readonly Expression[];
      readonly at: number;
    }
  | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly of: Expression; readonly at: number }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
      /** First and last + 1 character of the whole. */
      readonly span: readonly [number, number];
    };

export type BinaryOperator = (typeof levels)[number][number];

/** Loosest first. */
const levels = [['||'], ['&&'], ['<=', '>=', '==', '!=', '<', '>'], ['+', '-'], ['*', '/']] as const;

/** Figures of a named metric or set of patterns. */
export const figures = ['sum', 'mean', 'stddev', 'largest', 'count', 'excess', 'aftermath'] as const;

const functions: ReadonlyMap<string, number> = new Map([
  ['min', 2],
  ['max', 2],
  ['abs', 1],
  ['sqrt', 1],
]);

/** A mistake in an expression, at a character of its text (from 0). */
export class ExpressionError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const longestText = 2_000;
const deepest = 50;

/**
 * Numbers, names, `+ - * /`, comparisons, `&& || !`, parentheses, `min max abs sqrt`, and figures such as `sum(time)` or `sum("odd name")`.
 * @throws ExpressionError
 */
export function parseExpression(text: string): Expression {
  if (text.length > longestText)
    throw new ExpressionError(`the expression is longer than ${longestText} characters`, longestText);
  return new Parser(tokens(text)).whole();
}

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const token =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][A-Za-z0-9_.]*)|(?<text>"[^"]*"|'[^']*')|(?<sign>\|\||&&|[<>=!]=|[<>+\-*/!(),]))/y;

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  for (let from = 0; from < end; from = token.lastIndex) {
    const match = token.exec(text);
    const groups = match?.groups;
    if (match === null || groups === undefined) {
      const wrong = from + text.slice(from).search(/\S/);
      throw new ExpressionError(`'${text.charAt(wrong)}' means nothing here`, wrong);
    }
    for (const kind of ['number', 'name', 'text', 'sign'] as const) {
      const value = groups[kind];
      if (value !== undefined) found.push({ kind, text: value, at: token.lastIndex - value.length });
    }
  }
  return [...found, { kind: 'end', text: 'the end', at: end }];
}

class Parser {
  private position = 0;
  private depth = 0;

  constructor(private readonly list: readonly Token[]) {}

  whole(): Expression {
    const tree = this.level(0);
    const next = this.peek();
    if (next.kind !== 'end')
      throw new ExpressionError(`an operator is missing before '${next.text}'`, next.at);
    return tree;
  }

  private peek(): Token {
    return at(this.list, Math.min(this.position, this.list.length - 1));
  }

  private take(): Token {
    const next = this.peek();
    this.position++;
    return next;
  }

  private level(index: number): Expression {
    const operators = levels[index];
    if (operators === undefined) return this.unary();
    const start = this.peek().at;
    let left = this.level(index + 1);
    for (;;) {
      const next = this.peek();
      const operator = operators.find((one) => next.kind === 'sign' && one === next.text);
      if (operator === undefined) return left;
      if (index === 2 && left.kind === 'binary' && isComparison(left.operator) && left.span[0] === start)
        throw new ExpressionError('two comparisons in a row need && or || between them', next.at);
      this.take();
      const right = this.level(index + 1);
      left = { kind: 'binary', operator, left, right, at: next.at, span: [start, this.endOfLast()] };
    }
  }

  private endOfLast(): number {
    const last = at(this.list, this.position - 1);
    return last.at + last.text.length;
  }

  private unary(): Expression {
    const next = this.peek();
    if (next.kind !== 'sign' || (next.text !== '-' && next.text !== '!')) return this.primary();
    this.take();
    this.deeper(next);
    const of = this.unary();
    this.depth--;
    return { kind: 'unary', operator: next.text, of, at: next.at };
  }

  private deeper({ at: place }: Token): void {
    if (++this.depth > deepest)
      throw new ExpressionError(`the expression is nested more than ${deepest} times`, place);
  }

  private primary(): Expression {
    const next = this.take();
    if (next.kind === 'number') return { kind: 'number', value: Number(next.text), at: next.at };
    if (next.kind === 'name')
      return this.peek().text === '(' && this.peek().kind === 'sign'
        ? this.called(next)
        : { kind: 'name', name: next.text, at: next.at };
    if (next.text !== '(' || next.kind !== 'sign')
      throw new ExpressionError(
        next.kind === 'end' ? 'the expression ends too early' : `a value is missing before '${next.text}'`,
        next.at,
      );
    this.deeper(next);
    const inside = this.level(0);
    this.depth--;
    this.expect(')');
    return inside;
  }

  private called(name: Token): Expression {
    this.deeper(name);
    this.expect('(');
    const result = figures.some((one) => one === name.text) ? this.figure(name) : this.functionOf(name);
    this.expect(')');
    this.depth--;
    return result;
  }

  private figure(name: Token): Expression {
    const of = this.take();
    if (of.kind !== 'name' && of.kind !== 'text')
      throw new ExpressionError(`${name.text}(…) takes the name of a metric or of patterns`, of.at);
    return {
      kind: 'figure',
      figure: name.text,
      of: of.kind === 'text' ? of.text.slice(1, -1) : of.text,
      at: name.at,
    };
  }

  private functionOf(name: Token): Expression {
    const count = functions.get(name.text);
    if (count === undefined)
      throw new ExpressionError(
        `there is no function '${name.text}'; there are ${[...figures, ...functions.keys()].join(', ')}`,
        name.at,
      );
    const parameters = [this.level(0)];
    while (this.peek().text === ',') {
      this.take();
      parameters.push(this.level(0));
    }
    if (parameters.length !== count)
      throw new ExpressionError(`${name.text} takes ${count} value${count === 1 ? '' : 's'}`, name.at);
    return { kind: 'function', name: name.text, parameters, at: name.at };
  }

  private expect(sign: string): void {
    const next = this.take();
    if (next.kind !== 'sign' || next.text !== sign)
      throw new ExpressionError(
        `'${sign}' is missing${next.kind === 'end' ? '' : ` before '${next.text}'`}`,
        next.at,
      );
  }
}

export function isComparison(operator: BinaryOperator): boolean {
  return (levels[2] as readonly string[]).includes(operator);
}
