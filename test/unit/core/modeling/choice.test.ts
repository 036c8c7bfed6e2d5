import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GrowthModeler, type GrowthModel } from '../../../../src/core/modeling/choice';
import { ExtrapModeler } from '../../../../src/core/modeling/extrap';
import { measuredPoint, type MeasuredPoint } from '../../../../src/core/modeling/measurements';
import { verdictText } from '../../../../src/core/modeling/verdict';
import { modelValue } from '../../../../src/core/modeling/model';
import { growth, grid, line, madeSet, measuredWith, normalOf, randomOf, trueGrowth } from './made';
import { oracleRows, pointsOf } from './oracle';

const doubling = line(2, 4, 8, 16, 32, 64);

describe('the chosen formula', () => {
  const rows = oracleRows();
  const ofGroup = (group: RegExp, noise: number) =>
    (rows ?? []).filter((row) => group.test(row.group) && row.noise === noise && row.truth !== undefined);

  test.skipIf(rows === undefined).each([0, 0.01, 0.05, 0.1])(
    'has the true exponents of one parameter at least as often as Extra-P’s, with noise of %s',
    (noise) => {
      const sets = ofGroup(/^1p\/in-space/, noise);
      const modeler = new GrowthModeler();
      const ours = sets.filter((row) => growth(modeler.model(pointsOf(row)).formula) === trueGrowth(row));
      const theirs = sets.filter(({ runs: [first] }) => first?.exponents_recovered === true);
      expect(sets.length).toBeGreaterThan(10);
      expect(ours.length).toBeGreaterThanOrEqual(theirs.length);
    },
  );

  test.skipIf(rows === undefined).each(['2p', '3p'])(
    'has the true form more often than Extra-P’s: %s',
    (parameters) => {
      const sets = [0, 0.01, 0.05, 0.1].flatMap((noise) => ofGroup(new RegExp(`^${parameters}`), noise));
      const modeler = new GrowthModeler();
      const ours = sets.filter((row) => growth(modeler.model(pointsOf(row)).formula) === trueGrowth(row));
      const theirs = sets.filter(({ runs: [first] }) => first?.exponents_recovered === true);
      expect(sets.length).toBeGreaterThan(15);
      expect(ours.length).toBeGreaterThan(theirs.length);
    },
  );

  test.each([0.05, 0.1])(
    'is right more often than Extra-P’s, and predicts better, on series that no reference has, with noise of %s',
    (noise) => {
      const [ours, theirs] = [new GrowthModeler(), new ExtrapModeler()];
      const judged = Array.from({ length: 500 }, (_, seed) => madeSet(seed + 2000, noise)).map((made) => {
        const { points, truth, largest } = made;
        const [own, other] = [ours.model(points), theirs.model(points)];
        const miss = (value: number) => Math.abs(value / truth(10 * largest) - 1);
        return {
          own: growth(own.formula) === made.growth,
          other: 'formula' in other && growth(other.formula) === made.growth,
          ownMiss: miss(own.predict([10 * largest]).value),
          otherMiss: miss(modelValue(other, [10 * largest])),
        };
      });
      expect(judged.filter(({ own }) => own).length).toBeGreaterThan(
        judged.filter(({ other }) => other).length,
      );
      expect(middle(judged.map(({ ownMiss }) => ownMiss))).toBeLessThan(
        middle(judged.map(({ otherMiss }) => otherMiss)),
      );
    },
  );

  test('is a constant where nothing grows', () => {
    const grows = Array.from({ length: 100 }, (_, seed) =>
      measuredWith(0.05, () => 3, doubling, seed),
    ).filter((points) => new GrowthModeler().model(points).formula.terms.length > 0);
    expect(grows.length).toBeLessThanOrEqual(2);
  });

  test('is a constant where only whole points differ, as when other programs run', () => {
    const normal = normalOf(randomOf(4));
    const grows = Array.from({ length: 100 }, () =>
      doubling.map((point) => {
        const shift = 1 + 0.1 * normal();
        return measuredPoint(
          point,
          [1, 2, 3, 4, 5].map(() => 3 * shift * (1 + 0.002 * normal())),
        );
      }),
    ).filter((points) => new GrowthModeler().model(points).formula.terms.length > 0);
    expect(grows.length).toBeLessThanOrEqual(10);
  });

  test('does not follow one disturbed repetition', () => {
    const points = measuredWith(0.01, ([x = 0]) => 1 + 2 * x, doubling, 3).map(({ point, values = [] }, i) =>
      measuredPoint(point, i === 3 ? [...values.slice(1), 20 * (values[0] ?? 0)] : values),
    );
    const model = new GrowthModeler().model(points);
    expect(growth(model.formula)).toBe('0:1,0');
    expect(model.predict([640]).value / (1 + 2 * 640)).toBeCloseTo(1, 1);
  });

  test('of times has no negative coefficients where they rise, and stays above 0 where they fall', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (ys) => {
          const rising = [...ys].sort((a, b) => a - b);
          const model = new GrowthModeler().model(
            doubling.map((point, i) => measuredPoint(point, [rising[i] ?? 0])),
          );
          for (const { formula } of model.formulas)
            for (const { coefficient } of formula.terms) expect(coefficient).toBeGreaterThanOrEqual(0);
        },
      ),
    );
    const strong = measuredWith(0.02, ([p = 1]) => 0.2 + 80 / p, doubling);
    const model = new GrowthModeler().model(strong);
    expect(growth(model.formula)).toBe('0:-1,0');
    expect(model.predict([6400]).low).toBeGreaterThan(0);
  });

  test('has two terms where one does not fit', () => {
    const truth = ([x = 0]: readonly number[]) => 100 + 20 * Math.sqrt(x) + 0.001 * x ** 3;
    const model = new GrowthModeler().model(measuredWith(0, truth, line(2, 4, 8, 16, 32, 64, 128)));
    expect(growth(model.formula)).toBe('0:1/2,0+0:3,0');
  });

  test('of two parameters has the right terms, whatever their order and scale', () => {
    const truth = ([p = 0, n = 0]: readonly number[]) => 0.5 + 0.02 * n * Math.log2(p) + 0.05 * n;
    const points = measuredWith(0.01, truth, grid([2, 4, 8, 16, 32], [10, 20, 40, 80, 160]));
    const swapped = points.map((one) => ({ ...one, point: [...one.point].reverse() }));
    expect(growth(new GrowthModeler().model(points).formula)).toBe('0:0,1*1:1,0+1:1,0');
    expect(growth(new GrowthModeler().model(swapped).formula)).toBe('0:1,0+0:1,0*1:0,1');
  });

  test('of two parameters may have negative coefficients where values are negative', () => {
    const truth = ([p = 0, n = 0]: readonly number[]) => 5 - 3 * n + 0.2 * p ** 2;
    const points = measuredWith(0.01, truth, grid([2, 4, 8, 16, 32], [10, 20, 40, 80, 160]));
    expect(growth(new GrowthModeler().model(points).formula)).toBe('0:2,0+1:1,0');
  });

  test('of a parameter without effect does not have it', () => {
    const points = measuredWith(0.02, ([, n = 0]) => 1 + n, grid([2, 4, 8, 16, 32], [10, 20, 40, 80, 160]));
    expect(growth(new GrowthModeler().model(points).formula)).toBe('1:1,0');
  });

  test('does not depend on the order of the points, or on the unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: -30, max: 30 }), (seed, power) => {
        const { points } = madeSet(seed, 0.05);
        const shuffled = [...points].reverse();
        const scaled = points.map(({ point, values = [] }) =>
          measuredPoint(
            point,
            values.map((value) => value * 2 ** power),
          ),
        );
        const expected = growth(new GrowthModeler().model(points).formula);
        expect(growth(new GrowthModeler().model(shuffled).formula)).toBe(expected);
        expect(growth(new GrowthModeler().model(scaled).formula)).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  test('of one modeler is the same after other series, also at other points', () => {
    const sets = [1, 2, 3].map((seed) => madeSet(seed, 0.02).points);
    const modeler = new GrowthModeler();
    const together = [...sets, ...sets].map((points) => growth(modeler.model(points).formula));
    expect(together).toEqual(
      [...sets, ...sets].map((points) => growth(new GrowthModeler().model(points).formula)),
    );
  });
});

describe('the range of a prediction', () => {
  test('contains the truth in 90 to 98 of 100 cases, at twice and at ten times the largest value', () => {
    for (const times of [2, 10]) {
      const inside = [0.01, 0.05, 0.1]
        .flatMap((noise) =>
          Array.from({ length: 150 }, (_, seed) => {
            const { points, truth, largest } = madeSet(seed + 700, noise);
            const { low, high } = new GrowthModeler().model(points).predict([times * largest]);
            return low <= truth(times * largest) && truth(times * largest) <= high;
          }),
        )
        .filter(Boolean).length;
      expect(inside / 450).toBeGreaterThanOrEqual(0.9);
      expect(inside / 450).toBeLessThanOrEqual(0.98);
    }
  });

  test('is wider where noise is larger, and contains the value', () => {
    const width = (noise: number) => {
      const { value, low, high } = new GrowthModeler()
        .model(measuredWith(noise, ([x = 0]) => 1 + x, doubling, 9))
        .predict([640]);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      return (high - low) / value;
    };
    expect(width(0.1)).toBeGreaterThan(width(0.01));
  });
});

describe('the verdict', () => {
  const verdictOf = (points: readonly MeasuredPoint[]) => new GrowthModeler().model(points).verdict;

  test('is clear for exact values, and for constants', () => {
    expect(verdictOf(measuredWith(0, ([x = 0]) => 2 + x, doubling))).toEqual({ kind: 'clear' });
    expect(verdictOf(measuredWith(0, () => 0, doubling))).toEqual({ kind: 'clear' });
    expect(verdictOf(measuredWith(0, () => 7, doubling))).toEqual({ kind: 'clear' });
  });

  test.each([1, 2, 3, 4])('needs five values of a parameter, and names the one that has %s', (values) => {
    const xs = [2, 4, 8, 16].slice(0, values);
    expect(verdictOf(measuredWith(0, ([x = 0]) => x, line(...xs)))).toMatchObject({
      kind: 'not-enough-data',
      parameter: 0,
      values,
    });
    const two = measuredWith(0, ([x = 0, y = 0]) => x * y, grid([1, 2, 3, 4, 5], xs));
    const model = new GrowthModeler().model(two);
    expect(model.verdict).toEqual({ kind: 'not-enough-data', parameter: 1, values, needed: 5 });
    expect(model.formula.terms).toEqual([]);
  });

  test('needs as many points of several parameters as lines along each have', () => {
    const diagonal = [1, 2, 4, 8, 16, 32, 64].map((x) => [x, 2 * x, 3 * x]);
    const model = new GrowthModeler().model(measuredWith(0, ([x = 0]) => x, diagonal));
    expect(model.verdict).toEqual({ kind: 'not-enough-data', values: 7, needed: 13 });
    expect(model.formula.terms).toEqual([]);
  });

  test('names the runner-up of a lines-only design, on which a sum and products are the same', () => {
    const cross = [...grid([2, 4, 8, 16, 32], [10]), ...grid([2], [20, 40, 80, 160])];
    const verdict = verdictOf(measuredWith(0.001, ([x = 0, y = 0]) => 1000 + 30 * x + 2 * y, cross, 5));
    expect(verdict.kind).toBe('ambiguous');
  });

  test('names the border between two regimes, and both formulas hold on their side', () => {
    const truth = ([x = 0]: readonly number[]) => (x <= 64 ? 1 + 0.1 * x : 50 + 2 * x);
    const model = new GrowthModeler().model(
      measuredWith(0.01, truth, line(8, 16, 32, 64, 128, 256, 512, 1024)),
    );
    expect(model.verdict).toEqual({ kind: 'two-regimes', from: 128 });
    expect(model.segments?.map(({ to, from }) => [to, from])).toEqual([
      [64, undefined],
      [undefined, 128],
    ]);
    expect(model.predict([2048]).value / truth([2048])).toBeCloseTo(1, 1);
    expect(model.predict([90])).toEqual({ value: NaN, low: NaN, high: NaN });
    const { low, high } = model.predict([2048]);
    expect(low).toBeLessThanOrEqual(truth([2048]));
    expect(high).toBeGreaterThanOrEqual(truth([2048]));
    expect(high / low).toBeLessThan(2);
    expect(model.probability(({ terms }) => terms.length > 0)).toBeCloseTo(1, 6);
  });

  test('says that noise is too large when nothing can be predicted', () => {
    const verdicts = [1, 2, 3, 4, 5].map(
      (seed) => verdictOf(measuredWith(0.5, ([x = 0]) => 1 + 0.001 * x, doubling, seed)).kind,
    );
    expect(verdicts).toContain('noise-too-large');
  });

  test('does not speak of noise where the repetitions of a count agree', () => {
    // Visits of a function of LULESH: regions of another size at each point.
    const counts = [300, 300, 330, 300, 330];
    const exact = counts.map((value, i) => measuredPoint([8 + 2 * i], [value, value]));
    const { verdict } = new GrowthModeler().model(exact);
    expect(verdict.kind).not.toBe('noise-too-large');
    expect(verdictText({ kind: 'does-not-fit', miss: 0.026, isExact: true }, ['s'])).toMatch(
      /No smooth formula fits: repetitions agree, and the points are 2\.6 % away/,
    );
  });

  test('says that no formula fits a sawtooth that its repetitions show exactly', () => {
    const points = measuredWith(
      0.001,
      ([x = 0]) => 1 + (Math.log2(x) % 2),
      line(2, 4, 8, 16, 32, 64, 128, 256),
    );
    expect(verdictOf(points).kind).toMatch(/does-not-fit|two-regimes/);
  });

  test.each([
    ['negative coordinates', [[-1], [2], [4], [8], [16]], [1, 2, 3, 4, 5], 'coordinates'],
    ['coordinates that are no numbers', [[NaN], [2], [4], [8], [16]], [1, 2, 3, 4, 5], 'coordinates'],
    ['values that are no numbers', [[1], [2], [4], [8], [16]], [1, 2, NaN, 4, 5], 'values'],
    ['infinite values', [[1], [2], [4], [8], [16]], [1, 2, Infinity, 4, 5], 'values'],
  ])('names %s', (_, points, ys, problem) => {
    expect(verdictOf(points.map((point, i) => measuredPoint(point, [ys[i] ?? 0])))).toEqual({
      kind: 'unusable',
      problem,
    });
  });
});

describe('odd series', () => {
  test('of any finite numbers have a finite formula and a verdict', () => {
    const number = fc.oneof(
      fc.constant(0),
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.double({ min: 1e-12, max: 1, noNaN: true }),
    );
    const points = fc.uniqueArray(fc.double({ min: 0, max: 1e7, noNaN: true }), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(
        points,
        fc.array(fc.array(number, { minLength: 1, maxLength: 4 }), { minLength: 9, maxLength: 9 }),
        (xs, values) => {
          const model = new GrowthModeler().model(xs.map((x, i) => measuredPoint([x], values[i] ?? [0])));
          expectFinite(model);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of two parameters too', () => {
    const number = fc.double({ min: -100, max: 1000, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), number), {
          minLength: 1,
          maxLength: 30,
        }),
        (all) => {
          const distinct = [...new Map(all.map((one) => [`${one[0]} ${one[1]}`, one])).values()];
          expectFinite(
            new GrowthModeler().model(distinct.map(([x, y, value]) => measuredPoint([x, y], [value]))),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test('with 0 at some points, or with one repetition, have a model', () => {
    const withZero = new GrowthModeler().model(measuredWith(0, ([x = 0]) => x - 2, doubling));
    expect(withZero.formula.terms.length).toBeGreaterThan(0);
    const once = new GrowthModeler().model(
      doubling.map(([x = 0]) => measuredPoint([x], [5 * x * (1 + 0.01 * (x % 3))])),
    );
    expect(growth(once.formula)).toBe('0:1,0');
    expect(once.noise).toBeUndefined();
  });

  test('with values of a parameter up to ten million have the true growth', () => {
    const points = measuredWith(
      0.01,
      ([x = 0]) => 1 + 1e-20 * x ** 3 * Math.log2(x),
      line(1e4, 1e5, 1e6, 3e6, 1e7),
    );
    expect(growth(new GrowthModeler().model(points).formula)).toBe('0:3,1');
  });
});

function expectFinite(model: GrowthModel): void {
  expect(Number.isFinite(model.formula.constant)).toBe(true);
  for (const { coefficient } of model.formula.terms) expect(Number.isFinite(coefficient)).toBe(true);
  expect(model.verdict.kind).toBeTypeOf('string');
  expect(model.smape).toBeGreaterThanOrEqual(0);
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
