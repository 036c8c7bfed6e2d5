import { describe, expect, it } from 'vitest';
import { formulaValue, segmentsValue } from '../../../../src/core/modeling/formula';
import { fraction } from '../../../../src/core/modeling/fraction';
import { measuredPoint } from '../../../../src/core/modeling/measurements';
import { functionModels } from '../../../../src/core/views/models/functionModels';
import type { ServedModel } from '../../../../src/core/views/models/servedModels';

const power = (exponent: number) => [
  { parameter: 0, exponent: fraction(exponent), logExponent: fraction(0) },
];

function model(callPath: string, coefficient: number, more: Partial<ServedModel> = {}): ServedModel {
  const formula = { constant: 1, terms: [{ coefficient, factors: power(1) }] };
  return {
    callPath,
    metric: 'time',
    formula,
    smape: 0,
    ar2: 1,
    verdict: { kind: 'clear' },
    measured: [1, 2, 4].map((p) => measuredPoint([p], [coefficient * p, coefficient * p + 2])),
    predict: (point) => {
      const value = formulaValue(formula, point);
      return { value, low: value - 1, high: value + 2 };
    },
    ...more,
  };
}

describe('models of functions', () => {
  it('are the sums of the call paths that end with them, by metric', () => {
    const visits = model('main->f', 9, { metric: 'visits' });
    const models = functionModels(
      [model('main->f', 2), model('main->g', 1), model('main->g->f', 3), visits],
      'mean',
    );
    expect(models.map(({ callPath, metric, callPaths }) => [callPath, metric, callPaths])).toEqual([
      ['f', 'time', 2],
      ['g', 'time', undefined],
      ['f', 'visits', undefined],
    ]);
    const [f] = models;
    expect(f?.formula).toEqual({ constant: 2, terms: [{ coefficient: 5, factors: power(1) }] });
    expect(f?.predict([10])).toEqual({ value: 52, low: 50, high: 56 });
    expect(f?.measured[1]).toMatchObject({
      point: [2],
      mean: 12,
      minimum: 10,
      maximum: 14,
      values: [10, 14],
      repetitions: 2,
    });
    expect(f?.smape).toBeCloseTo(0, 9);
    expect(f?.noise).toBeGreaterThan(0);
  });

  it('have terms of both where these grow otherwise', () => {
    const other = { formula: { constant: 0, terms: [{ coefficient: 1, factors: power(2) }] } };
    const [f] = functionModels([model('a->f', 2), model('b->f', 2, other)], 'mean');
    expect(f?.formula.terms.map(({ coefficient }) => coefficient)).toEqual([2, 1]);
  });

  it('change wherever one of them changes', () => {
    const constant = (value: number) => ({ constant: value, terms: [] });
    const one = [
      { to: 4, formula: constant(1) },
      { from: 8, formula: constant(2) },
    ];
    const other = [
      { to: 16, formula: constant(10) },
      { from: 32, formula: constant(20) },
    ];
    const [f] = functionModels(
      [model('a->f', 2, { segments: one }), model('b->f', 2, { segments: other })],
      'mean',
    );
    expect([1, 6, 8, 20, 64].map((p) => segmentsValue(f?.segments ?? [], [p]))).toEqual([
      11,
      NaN,
      12,
      NaN,
      22,
    ]);
    expect(f?.segments).toHaveLength(3);
  });

  it('are as reliable as the least reliable of them, and have no range if one has none', () => {
    const verdict = { kind: 'noise-too-large', noise: 1 } as const;
    const expected = (worse: number) => ({ expectation: { text: 'O(1)' }, worse });
    const [f] = functionModels(
      [
        model('a->f', 2, { expected: expected(0.2) }),
        model('b->f', 1, { verdict, expected: expected(0.9), predict: () => ({ value: 1 }) }),
        model('c->f', 1, { expected: expected(0.5) }),
      ],
      'mean',
    );
    expect(f?.verdict).toEqual(verdict);
    expect(f?.expected?.worse).toBe(0.9);
    expect(f?.predict([1])).toEqual({ value: 3 + 1 + 2 });
  });

  it('have the value of the calls that there are at each point', () => {
    const few = model('b->f', 1);
    const [f] = functionModels([model('a->f', 2), { ...few, measured: few.measured.slice(1) }], 'median');
    expect(f?.measured.map(({ median }) => median)).toEqual([3, 8, 14]);
    const { mean, median, minimum, maximum, deviation } = measuredPoint([1], [1, 3]);
    const statistics = { point: [1], mean, median, minimum, maximum, deviation, repetitions: 2 };
    const [g] = functionModels([model('a->f', 2), { ...few, measured: [statistics] }], 'mean');
    expect(g?.measured[0]).not.toHaveProperty('values');
  });
});
