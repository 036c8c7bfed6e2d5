import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, evaluateCondition } from '../../../../src/core/rules/expression/evaluate';
import { ExpressionError, parseExpression } from '../../../../src/core/rules/expression/syntax';

const quantities = {
  name: (name: string) => ({ phaseTime: 10, zero: 0 })[name] ?? NaN,
  figure: (figure: string, of: string) => (figure === 'sum' && of === 'time' ? 4 : 0),
};
const value = (text: string) => evaluate(parseExpression(text), quantities);

function faultOf(text: string): { readonly message: string; readonly at: number } {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`"${text}" was taken`);
}

describe('expressions of rules', () => {
  it('calculate as people read them', () => {
    expect(value('1 + 2 * 3')).toBe(7);
    expect(value('(1 + 2) * 3')).toBe(9);
    expect(value('10 - 2 - 3')).toBe(5);
    expect(value('-2 * -3')).toBe(6);
    expect(value('2e-1 / 4')).toBeCloseTo(0.05);
    expect(value('max(1, min(5, 3)) + abs(-1) + sqrt(4)')).toBe(6);
    expect(value('sum(time) / phaseTime')).toBe(0.4);
    expect(value('sum("time") / phaseTime')).toBe(0.4);
  });

  it('compare and combine; a share of nothing is nothing', () => {
    expect(value('1 < 2 && 2 >= 2 && !(1 == 2)')).toBe(1);
    expect(value('1 > 2 || 1 != 1')).toBe(0);
    expect(value('sum(time) / zero')).toBe(0);
  });

  it.each([
    ['<', [1, 0, 0]],
    ['<=', [1, 1, 0]],
    ['==', [0, 1, 0]],
    ['!=', [1, 0, 1]],
    ['>=', [0, 1, 1]],
    ['>', [0, 0, 1]],
  ])('compare by %s below, at and above a number', (operator, expected) => {
    expect([1, 2, 3].map((left) => value(`${left} ${operator} 2`))).toEqual(expected);
  });

  it('tell the numbers of each comparison in order, also of those that no longer matter', () => {
    const text = 'sum(time) / phaseTime > 0.5 && phaseTime > 1';
    const { holds, tests } = evaluateCondition(parseExpression(text), text, quantities);
    expect(holds).toBe(false);
    expect(tests).toEqual([
      { text: 'sum(time) / phaseTime > 0.5', left: 0.4, operator: '>', right: 0.5, holds: false },
      { text: 'phaseTime > 1', left: 10, operator: '>', right: 1, holds: true },
    ]);
  });

  it.each([
    ['', 0, 'ends too early'],
    ['1 +', 3, 'ends too early'],
    ['1 2', 2, 'operator is missing'],
    ['a $ b', 2, "'$' means nothing"],
    ['(1', 2, "')' is missing"],
    ['1 < 2 < 3', 6, 'two comparisons'],
    ['evil(1)', 0, "no function 'evil'"],
    ['min(1)', 0, 'takes 2 values'],
    ['sum(1)', 4, 'name of a metric'],
    ['constructor.constructor("x")', 0, 'no function'],
  ])('"%s" is wrong at character %i', (text, at, message) => {
    const fault = faultOf(text);
    expect(fault.message).toContain(message);
    expect(fault.at).toBe(at);
  });

  it('end for whatever text there is, with a value or the place of a mistake', () => {
    expect(faultOf('('.repeat(60)).message).toContain('nested');
    expect(faultOf('1+'.repeat(2000)).message).toContain('longer');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'()+-*/<>=!&|,."a1 x'.split('')), maxLength: 60 }),
        (text) => {
          try {
            parseExpression(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
