import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import type { ServedModel } from '../../../../src/core/views/models/servedModels';
import { ServedModels, type Partner } from '../../../../src/core/views/models/servedModels';
import { predictedShares, type ModelPlane } from '../../../../src/core/views/models/modelPieces';
import { measuredPoint } from '../../../../src/core/modeling/measurements';

const linear = {
  parameter: 0,
  exponent: { numerator: 1, denominator: 1 },
  logExponent: { numerator: 0, denominator: 1 },
};

/** 1 + 2 p, whatever n is, at p = 1, 2, 4 and n = 10, 20. */
function model(callPath: string, more: Partial<ServedModel> = {}): ServedModel {
  return {
    callPath,
    metric: 'time',
    formula: { constant: 1, terms: [{ coefficient: 2, factors: [linear] }] },
    smape: 1,
    ar2: 0.9,
    verdict: { kind: 'two-regimes', from: 4 },
    measured: [1, 2, 4].flatMap((p) => [10, 20].map((n) => measuredPoint([p, n], [p + n, p + n + 2]))),
    predict: ([p = NaN, n = NaN]) => ({ value: 1 + 2 * p, low: p, high: 3 * p + n }),
    ...more,
  };
}

function served(...models: readonly ServedModel[]): ServedModels {
  return new ServedModels('id', {
    parameters: ['p', 'n'],
    constants: [],
    points: [[40, 200]],
    measure: 'median',
    models,
  });
}

describe('served models', () => {
  it('say what was measured, and which rows a metric has', () => {
    const all = served(model('a'), model('b'), model('a', { metric: 'visits' }));
    const header = all.header(served(model('a'), model('b')));
    expect(header.values).toEqual([
      [1, 2, 4],
      [10, 20],
    ]);
    expect(header.point).toEqual([40, 200]);
    expect(header.metrics).toEqual([
      { name: 'time', unit: 'sec', first: 0, count: 2 },
      { name: 'visits', unit: '', first: 2, count: 1 },
    ]);
  });

  it('give rows and predictions in pieces', () => {
    const models = served(model('a'), model('b', { predict: () => ({ value: 7 }) }), model('c'));
    expect(models.rows(1, 1)).toEqual([
      {
        callPath: 'b',
        formula: '1 s + 2 s · p',
        growth: { text: 'p', order: 1 },
        smape: 1,
        verdict: { kind: 'two-regimes', message: expect.stringContaining('p = 4') as string },
      },
    ]);
    const { values, low, high } = models.predictions(0, 2, [3, 5]);
    expect([...values]).toEqual([7, 7]);
    expect([...low]).toEqual([3, -Infinity]);
    expect([...high]).toEqual([14, Infinity]);
  });

  it('draw a model over one parameter, at fixed values of the others, from what was measured to the chosen point', () => {
    const curve = served(model('a')).curve(0, 0, [40, 20]);
    expect(curve?.range).toEqual([1, 4]);
    expect(curve?.measured).toEqual(
      [1, 2, 4].map((p) => ({ at: p, value: p + 21, repetitions: [p + 20, p + 22] })),
    );
    const at = [...(curve?.at ?? [])];
    expect(at).toEqual([...new Set(at)].sort((a, b) => a - b));
    expect([at[0], at.at(-1)]).toEqual([1, 40]);
    expect(at).toContain(2);
    expect(at.map((p) => 1 + 2 * p)).toEqual([...(curve?.values ?? [])]);
    expect(curve?.high.at(-1)).toBe(3 * 40 + 20);
    expect(served(model('a')).curve(0, 1, [4, 5])?.at.at(-1)).toBe(20);
    expect(served(model('a')).curve(0, 2, [4, 5])).toBeUndefined();
    expect(served(model('a')).curve(1, 0, [4, 5])).toBeUndefined();
  });

  it('draw both segments, and the gap between them', () => {
    const formula = { constant: 1, terms: [] };
    const segments = [
      { to: 2, formula },
      { from: 3, formula },
    ];
    const predict = ([p = NaN]: readonly number[]) => ({ value: p <= 2 || p >= 3 ? 1 : NaN });
    const curve = served(model('a', { segments, predict })).curve(0, 0, [4, 10]);
    const at = [...(curve?.at ?? [])];
    expect(at).toEqual(expect.arrayContaining([2, 2.5, 3]));
    expect(curve?.values[at.indexOf(2.5)]).toBeNaN();
    expect(curve?.values[at.indexOf(2)]).toBe(1);
  });

  it('know the repetitions only by their ends in files without them', () => {
    const { mean, median, minimum, maximum, deviation, repetitions } = measuredPoint([1, 10], [3, 5, 4]);
    const statistics = { point: [1, 10], mean, median, minimum, maximum, deviation, repetitions };
    const curve = served(model('a', { measured: [statistics] })).curve(0, 0, [4, 10]);
    expect(curve?.measured[0]?.repetitions).toEqual([3, 5]);
  });

  it('name the called function, an operator too', () => {
    const models = served(model('main->solve'), model('main->operator->'), model('main->operator->->inner'));
    expect([0, 1, 2, 3].map((row) => models.regionOf(row))).toEqual([
      'solve',
      'operator->',
      'inner',
      undefined,
    ]);
  });

  it('compare formulas at the chosen point', () => {
    const { formula } = model('a');
    const detail = served(model('a', { formulas: [{ formula, probability: 0.7 }], noise: 0.02 })).detail(
      0,
      [10, 1],
    );
    expect(detail?.compared).toEqual([{ formula: '1 s + 2 s · p', probability: 0.7, value: 21 }]);
    expect(detail).toMatchObject({ noise: 0.02, points: 6, smape: 1, ar2: 0.9 });
    expect(detail?.formulas.python).toBe('1+2*p**(1)');
  });
});

describe('a plane of two parameters', () => {
  const planeOf = (point: readonly number[]): ModelPlane => {
    const plane = served(model('a')).plane(0, [0, 1], point, [true, false]);
    if (plane === undefined) throw new Error('there is no plane');
    return plane;
  };

  it('has stops where something was measured and at the end', () => {
    const plane = planeOf([8, 20]);
    expect(plane.ranges).toEqual([
      [1, 4],
      [10, 20],
    ]);
    expect([...plane.stops.horizontal]).toEqual([1, 2, 4, 8]);
    expect([...plane.stops.vertical]).toEqual([10, 20]);
    // Row by row: 1 + 2 p, and the range depends on n.
    expect([...plane.stops.values]).toEqual([3, 5, 9, 17, 3, 5, 9, 17]);
    expect(plane.stops.high[4]).toBe(3 + 20);
    expect(plane.measured).toContainEqual({ horizontal: 2, vertical: 20, value: 23 });
    expect(plane.measured).toHaveLength(6);
  });

  it('has cells of equal ratios or differences, with half a cell to the ends', () => {
    const { horizontal, vertical, values } = planeOf([8, 20]).cells;
    const ratios = [...horizontal].slice(1).map((value, cell) => value / at(horizontal, cell));
    expect(Math.max(...ratios) / Math.min(...ratios)).toBeCloseTo(1, 9);
    expect(8 / at(horizontal, horizontal.length - 1)).toBeCloseTo(Math.sqrt(at(ratios, 0)), 9);
    expect(at(vertical, 1) - at(vertical, 0)).toBeCloseTo(10 / vertical.length, 9);
    expect(at(vertical, 0) - 10).toBeCloseTo(5 / vertical.length, 9);
    expect(values).toHaveLength(horizontal.length * vertical.length);
    // As in the table: row by row.
    expect(at(values, horizontal.length)).toBeCloseTo(1 + 2 * at(horizontal, 0), 9);
  });

  it('needs two parameters of a model', () => {
    const models = served(model('a'));
    for (const [row, parameters] of [
      [0, [1, 1]],
      [0, [0, 2]],
      [0, [2, 0]],
      [1, [0, 1]],
    ] as const)
      expect(models.plane(row, parameters, [8, 20], [true, true])).toBeUndefined();
  });
});

describe('models that are compared with others', () => {
  const there = (parameters: readonly string[], ...models: readonly ServedModel[]): Partner => ({
    title: 'before',
    models: new ServedModels('b', {
      parameters,
      constants: [],
      points: [[1]],
      measure: 'mean',
      models,
      notes: ['of the others'],
    }),
  });
  const here = {
    parameters: ['p', 'n'],
    constants: [['t', 4]],
    points: [[40, 200]],
    measure: 'mean',
  } as const;

  it('are matched by metric and call path, at the same values of the parameters', () => {
    const other = there(
      ['n', 't'],
      model('b', { predict: ([n = NaN, t = NaN]) => ({ value: 1000 * n + t }) }),
      model('b', { metric: 'visits' }),
      model('c'),
    );
    const models = new ServedModels('a', { ...here, models: [model('a'), model('b')] }, other);
    expect(models.rows(0, 2).map(({ compared }) => compared)).toEqual([undefined, '1 s + 2 s · n']);
    const { values, compared = [] } = models.predictions(0, 2, [3, 5]);
    expect([...values]).toEqual([7, 7]);
    expect([...compared]).toEqual([NaN, 5004]);
    expect(models.header(models)).toMatchObject({
      notes: ['of the others'],
      compared: {
        title: 'before',
        parameters: [1],
        onlyHere: { count: 1, examples: ['a'] },
        onlyThere: { count: 2, examples: ['b', 'c'] },
      },
    });
    expect(models.detail(1, [3, 5], true)?.points).toBe(6);
    expect(models.detail(0, [3, 5], true)).toBeUndefined();
    expect(models.curve(1, 0, [3, 5], true)).toBeUndefined();
    expect(models.curve(1, 1, [3, 50], true)?.at.at(-1)).toBe(50);
    expect(models.predictions(1, 1, [3, 5]).compared?.[0]).toBe(5004);
    expect(
      new ServedModels('a', { ...here, models: [model('a')] }).predictions(0, 1, [3, 5]),
    ).not.toHaveProperty('compared');
  });

  it('need the same parameters', () => {
    expect(() => new ServedModels('a', { ...here, models: [model('a')] }, there(['q'], model('a')))).toThrow(
      /several values of q.*here: p, n/,
    );
  });
});

describe('what is expected of a model', () => {
  it('is said, and marked where it certainly grows faster', () => {
    const expectation = { text: 'O(1)' };
    const rows = served(
      model('a', { expected: { expectation, worse: 0.95 } }),
      model('b', { expected: { expectation, worse: 0.2 } }),
      model('c'),
    ).rows(0, 3);
    expect(rows.map(({ expected }) => expected)).toEqual([
      { isWorse: true, message: 'It grows with p, and O(1) is expected (95.0 % certain).' },
      { isWorse: false, message: 'O(1) is expected; the probability that it grows faster is 20.0 %.' },
      undefined,
    ]);
  });
});

describe('shares of predictions', () => {
  it('are of the sum of what is not negative, and none without a sum', () => {
    expect([...(predictedShares(Float64Array.of(1, 3, -5)) ?? [])]).toEqual([0.25, 0.75, 0]);
    expect(predictedShares(Float64Array.of(0, -1))).toBeUndefined();
    expect(predictedShares(Float64Array.of(Infinity, 1))).toBeUndefined();
    expect(predictedShares(Float64Array.of(NaN, 1))).toBeUndefined();
  });
});
