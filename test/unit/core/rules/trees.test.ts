import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { evaluate, evaluateCondition, partsOf } from '../../../../src/core/rules/expression/evaluate';
import {
  ExpressionError,
  figures,
  isComparison,
  parseExpression,
  type Expression,
} from '../../../../src/core/rules/expression/syntax';
import { evaluateRule, holds } from '../../../../src/core/rules/evaluateRule';
import { compileRule, RuleError, type RuleDefinition } from '../../../../src/core/rules/rule';
import { shareOf } from '../../../../src/core/rules/share';
import { matchesWildcard } from '../../../../src/core/rules/wildcard';

const nothing = { name: () => NaN, figure: () => NaN };

describe('trees of expressions', () => {
  it('have the places of their parts', () => {
    expect(parseExpression('  -a.b * (2.5e1 + max(x_1, sum("odd \' name"))) ')).toEqual({
      kind: 'binary',
      operator: '*',
      left: { kind: 'unary', operator: '-', of: { kind: 'name', name: 'a.b', at: 3 }, at: 2 },
      right: {
        kind: 'binary',
        operator: '+',
        left: { kind: 'number', value: 25, at: 10 },
        right: {
          kind: 'function',
          name: 'max',
          parameters: [
            { kind: 'name', name: 'x_1', at: 22 },
            { kind: 'figure', figure: 'sum', of: "odd ' name", at: 27 },
          ],
          at: 18,
        },
        at: 16,
        span: [10, 45],
      },
      at: 7,
      span: [2, 46],
    });
    expect(parseExpression("sum('a')")).toEqual({ kind: 'figure', figure: 'sum', of: 'a', at: 0 });
    expect(parseExpression('.5')).toEqual({ kind: 'number', value: 0.5, at: 0 });
    expect(parseExpression('1. + 2E+1')).toMatchObject({ left: { value: 1 }, right: { value: 20 } });
  });

  /** With all parentheses. */
  function inFull(tree: Expression): string {
    switch (tree.kind) {
      case 'number':
        return String(tree.value);
      case 'name':
        return tree.name;
      case 'unary':
        return `${tree.operator}${inFull(tree.of)}`;
      case 'binary':
        return `(${inFull(tree.left)} ${tree.operator} ${inFull(tree.right)})`;
      case 'figure':
      case 'function':
        return '?';
    }
  }

  it.each([
    ['a || b && c || d', '((a || (b && c)) || d)'],
    ['a && b < c', '(a && (b < c))'],
    ['a + b <= c * d', '((a + b) <= (c * d))'],
    ['a - b + c - d', '(((a - b) + c) - d)'],
    ['a / b * c / d', '(((a / b) * c) / d)'],
    ['!a == -b', '(!a == -b)'],
    ['--a - -b', '(--a - -b)'],
    ['(a < b) == (c < d)', '((a < b) == (c < d))'],
    ['(a < b) < c', '((a < b) < c)'],
  ])('"%s" is %s', (text, full) => {
    expect(inFull(parseExpression(text))).toBe(full);
  });

  it.each([
    ['a < b > c', 'two comparisons in a row need && or || between them', 6],
    ['$', "'$' means nothing here", 0],
    ['a + = b', "'=' means nothing here", 4],
    ['a)', "an operator is missing before ')'", 1],
    ['a "b"', `an operator is missing before '"b"'`, 2],
    ['"b"', `a value is missing before '"b"'`, 0],
    ['a + )', "a value is missing before ')'", 4],
    ['a +  ', 'the expression ends too early', 3],
    ['', 'the expression ends too early', 0],
    ['  ', 'the expression ends too early', 0],
    ['(a', "')' is missing", 2],
    ['(a b', "')' is missing before 'b'", 3],
    ['(a")"', `')' is missing before '")"'`, 2],
    ['sum(a b)', "')' is missing before 'b'", 6],
    ['sum()', 'sum(…) takes the name of a metric or of patterns', 4],
    ['sum(2)', 'sum(…) takes the name of a metric or of patterns', 4],
    ['abs(1, 2)', 'abs takes 1 value', 0],
    ['1 + max(1)', 'max takes 2 values', 4],
    ['sqrt()', "a value is missing before ')'", 5],
    [
      'f(1)',
      "there is no function 'f'; there are sum, mean, stddev, largest, count, excess, aftermath, min, max, abs, sqrt",
      0,
    ],
  ])('"%s" is wrong: %s (at %i)', (text, message, at) => {
    const fault = (() => {
      try {
        return parseExpression(text);
      } catch (error) {
        return error;
      }
    })();
    expect(fault).toBeInstanceOf(ExpressionError);
    expect(fault).toMatchObject({ message, at });
  });

  it('are nested fifty times at most, and come from 2,000 characters at most', () => {
    const nested =
      (count: number, open: string, close: string): (() => unknown) =>
      () =>
        parseExpression(`${open.repeat(count)}a${close.repeat(count)}`);
    for (const [open, close] of [
      ['(', ')'],
      ['-', ''],
      ['!', ''],
      ['abs(', ')'],
    ] as const) {
      expect(nested(50, open, close)).not.toThrow();
      expect(nested(51, open, close)).toThrow('the expression is nested more than 50 times');
    }
    // One after the other they are not nested.
    expect(() => parseExpression(Array.from({ length: 60 }, () => '(-abs(a))').join('+'))).not.toThrow();
    expect(() => parseExpression('a'.repeat(2000))).not.toThrow();
    expect(() => parseExpression('a'.repeat(2001))).toThrow('the expression is longer than 2000 characters');
  });

  it('have parts, the whole first', () => {
    const text = (each: Expression): string =>
      'name' in each ? each.name : 'operator' in each ? each.operator : each.kind;
    expect([...partsOf(parseExpression('min(a, -b) + sum(c) * 2'))].map(text)).toEqual([
      ...['+', 'min', 'a', '-', 'b', '*', 'figure', 'number'],
    ]);
    expect(
      ['<', '>', '<=', '>=', '==', '!=', '+', '&&'].map((operator) => isComparison(operator as '<')),
    ).toEqual([...[true, true, true, true, true, true, false, false]]);
    expect(figures).toHaveLength(7);
  });
});

describe('values of expressions', () => {
  const value = (text: string, names: Readonly<Record<string, number>> = {}): number =>
    evaluate(parseExpression(text), { ...nothing, name: (name) => names[name] ?? NaN });

  it('are those of JavaScript where that has numbers', () => {
    const operators = ['+', '-', '*', '<', '>', '<=', '>=', '=='] as const;
    fc.assert(
      fc.property(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), (a, b) => {
        const expected = [a + b, a - b, a * b, a < b, a > b, a <= b, a >= b, a === b].map(Number);
        expect(operators.map((operator) => value(`a ${operator} b`, { a, b }) + 0)).toEqual(
          expected.map((each) => each + 0),
        );
        const others = ['a != b', 'a && b', 'a || b', '!a', 'min(a, b)', 'max(a, b)', 'abs(a)'].map((text) =>
          value(text, { a, b }),
        );
        expect(others).toEqual([
          ...[Number(a !== b), Number(a !== 0 && b !== 0), Number(a !== 0 || b !== 0), Number(a === 0)],
          ...[Math.min(a, b), Math.max(a, b), Math.abs(a)],
        ]);
        expect(value('a / b', { a, b })).toBe(b === 0 ? 0 : a / b);
        expect(value('sqrt(a)', { a })).toBe(Math.sqrt(Math.max(0, a)));
      }),
    );
  });

  it('are always numbers', () => {
    expect(value('1e308 * 1e308')).toBe(Number.MAX_VALUE);
    expect(value('-1e308 * 1e308')).toBe(-Number.MAX_VALUE);
    expect(value('none * 2')).toBe(0);
    const text = 'none';
    expect(evaluateCondition(parseExpression(text), text, nothing)).toEqual({ holds: false, tests: [] });
    expect(evaluateCondition(parseExpression('2'), '2', nothing).holds).toBe(true);
  });

  it.each([
    [1, 2, 0.5],
    [1, 0, 0],
    [1, -1, 0],
    [NaN, 1, 0],
    [1, NaN, 0],
    [1e9, 1, 1e6],
    [-1e9, 1, -1e6],
    [Infinity, Infinity, NaN],
  ])('the share of %d in %d is %d', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share);
  });

  it.each([
    ['solve', 'solve', true],
    ['solver', 'solve', false],
    ['solve', '*', true],
    ['', '*', true],
    ['MPI_Send', 'MPI_*', true],
    ['XMPI_Send', 'MPI_*', false],
    ['MPI_Send', '*_Send', true],
    ['MPI_Sendrecv', '*_Send', false],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['a-b-c', 'a*b*c', true],
    ['a-c-c', 'a*b*c', false],
    ['axbyb', '*b*b', true],
    ['axb', 'a*b*b', false],
    ['abcabc', 'a*bc*bc', true],
    ['abc', 'a*bc*bc', false],
    ['xay', 'x*a*a*y', false],
    ['xaay', 'x*a*a*y', true],
  ])('the name "%s" and the pattern "%s": %s', (name, pattern, expected) => {
    expect(matchesWildcard(name, pattern)).toBe(expected);
  });
});

describe('rules as they are written', () => {
  const base = { id: 'own', title: 'Own', kind: 'hot-spot' } as const;
  const fixed = { ...base, level: 'static', condition: '1', severity: '1' } as const;
  const dynamic = { ...base, level: 'dynamic', condition: '1' } as const;
  const fault = (definition: RuleDefinition): unknown => {
    try {
      compileRule(definition);
    } catch (error) {
      if (error instanceof RuleError) return [error.field, error.at, error.message];
    }
    return 'none';
  };
  const wrong = (field: string, at: number, message: string): unknown => [
    ...[field, at],
    `Rule 'own', ${field}: ${message} (character ${at + 1}). Correct the rule or leave it out.`,
  ];

  const settings = [
    'reportThreshold',
    'overheadThreshold',
    'thresholdEnergy',
    'thresholdTime',
    'shortGate',
    'wideGate',
  ];
  const places = ['phaseTime', 'iterations', 'rank', 'thread'];
  const ofDynamics = ['impact', 'totalEnergy', 'dynamicEnergy', 'shortEnergy', 'wideEnergy', 'noise'];
  const ofPatterns = [
    ...['patternSum', 'patternExcess', 'patternAftermath', 'patternLength', 'patternFirst', 'patternLast'],
    ...['levelBefore', 'levelAfter', 'fit', 'stability'],
  ];

  it('know their names: thresholds and places, what changes in dynamic ones, and a pattern where they are about each', () => {
    const known = (definition: RuleDefinition): readonly string[] =>
      [...settings, ...places, ...ofDynamics, ...ofPatterns, 'burst'].filter(
        (condition) => fault({ ...definition, condition }) === 'none',
      );
    expect(known(fixed)).toEqual([...settings, ...places]);
    expect(known(dynamic)).toEqual([...settings, ...places, ...ofDynamics]);
    expect(known({ ...dynamic, each: 'peaks' })).toEqual([
      ...settings,
      ...places,
      ...ofDynamics,
      ...ofPatterns,
    ]);
  });

  it('have figures of metrics, or of patterns', () => {
    expect(fault({ ...fixed, impact: '1 + count(time)' })).toEqual(
      wrong('impact', 4, 'count(…) is about patterns, which only rules of the level dynamic know'),
    );
    expect(fault({ ...dynamic, severity: 'mean(peaks)' })).toEqual(
      wrong('severity', 0, 'there is no mean(…) of patterns'),
    );
    expect(fault({ ...dynamic, confidence: 'sum(time)' })).toEqual(
      wrong('confidence', 0, "there are no patterns 'time'; there are peaks, trends, patterns, improvements"),
    );
    const sets = ['peaks', 'trends', 'patterns', 'improvements'];
    expect(sets.map((set) => fault({ ...dynamic, condition: `count(${set})` }))).toEqual(
      sets.map(() => 'none'),
    );
  });

  it('are compiled with the metrics that they need, and a confidence of 1', () => {
    const rule = compileRule({
      ...fixed,
      condition: 'sum(b) > sum(a)',
      severity: 'mean(a)',
      impact: 'sum(c)',
      let: { x: 'largest(d)', y: 'x' },
    });
    expect(rule).toMatchObject({
      confidence: { kind: 'number', value: 1 },
      impact: { of: 'c' },
      severity: { of: 'a' },
    });
    expect('metrics' in rule ? [...rule.metrics].sort() : []).toEqual(['a', 'b', 'c', 'd']);
    expect(rule.let.map(([name]) => name)).toEqual(['x', 'y']);
    expect(compileRule(dynamic)).not.toHaveProperty('severity');
    expect(compileRule(fixed)).not.toHaveProperty('impact');
    expect(() => compileRule({ ...fixed, let: { y: 'x', x: '1' } })).toThrow(
      "Rule 'own', let y: there is no 'x'; there are reportThreshold, ",
    );
  });

  it('are evaluated with their own names, a confidence from 0 to 1, and a share as severity', () => {
    const rule = (others: Partial<RuleDefinition>): ReturnType<typeof compileRule> =>
      compileRule({
        ...fixed,
        let: { half: 'sum(time) / 2', quarter: 'half / 2' },
        condition: 'quarter > 1',
        ...others,
      });
    const quantities = { name: () => NaN, figure: () => 8 };
    expect(evaluateRule(rule({ severity: 'half', confidence: '1 / quarter' }), quantities)).toEqual({
      rule: expect.anything() as unknown,
      quantities: { 'sum(time)': 8, half: 4, quarter: 2 },
      tests: [{ text: 'quarter > 1', left: 2, operator: '>', right: 1, holds: true }],
      ...{ holds: true, confidence: 0.5, severity: 4 },
    });
    const confidence = (text: string): number =>
      evaluateRule(rule({ confidence: text }), quantities).confidence;
    expect(['-1', '7', 'rank', '0.5'].map(confidence)).toEqual([0, 1, 0, 0.5]);
    expect(evaluateRule(rule({ condition: 'quarter > 2' }), quantities)).not.toHaveProperty('severity');
    expect(
      [rule({}), rule({ condition: 'quarter > 2' }), rule({ condition: 'rank' })].map((each) =>
        holds(each, quantities),
      ),
    ).toEqual([...[true, false, false]]);
  });
});
