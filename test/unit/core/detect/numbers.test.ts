import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atFloat } from '../../../../src/core/at';
import { fitColumns } from '../../../../src/core/detect/leastSquares';
import { levelEnds } from '../../../../src/core/detect/levels';
import { medianReach, normalQuantile, quantile, runningMedian } from '../../../../src/core/detect/robust';
import { Whitened, type Shape } from '../../../../src/core/detect/whitened';

const series = (least: number, most: number): fc.Arbitrary<Float64Array> =>
  fc
    .array(fc.integer({ min: -1000, max: 1000 }), { minLength: least, maxLength: most })
    .map((values) => Float64Array.from(values, (value) => value / 100));
const memory = fc.constantFrom(0, 0.3, 0.7, 0.94);

function column({ kind, from, to }: Shape, length: number): Float64Array {
  return Float64Array.from({ length }, (_, t) =>
    kind === 'box' ? Number(t > from && t <= to) : Math.min(1, Math.max(0, (t - from) / (to - from))),
  );
}

describe('a whitened series', () => {
  it('has the gains and heights of generalised least squares, with weights or without', () => {
    const given = fc
      .tuple(series(6, 40), memory, fc.boolean(), fc.constantFrom('ramp' as const, 'box' as const))
      .chain(([values, rho, isWeighed, kind]) =>
        fc.record({
          ...{ values: fc.constant(values), rho: fc.constant(rho), kind: fc.constant(kind) },
          weights: isWeighed
            ? fc
                .array(fc.integer({ min: 1, max: 20 }), {
                  minLength: values.length,
                  maxLength: values.length,
                })
                .map((list) => Float64Array.from(list))
            : fc.constant(undefined),
          from: fc.integer({ min: 0, max: values.length - 4 }),
          width: fc.integer({ min: 1, max: 3 }),
        }),
      );
    fc.assert(
      fc.property(given, ({ values, rho, kind, weights, from, width }) => {
        const { length } = values;
        const white = new Whitened(values, rho, weights);
        const one = new Float64Array(length).fill(1);
        const constant = fitColumns(values, [one], rho, weights);
        expect(white.constantRss).toBeCloseTo(constant.rss, 6);
        const shape = { kind, from, to: from + width };
        const both = fitColumns(values, [one, column(shape, length)], rho, weights);
        const fitted = white.fit(kind, shape.from, shape.to);
        expect(fitted?.height).toBeCloseTo(atFloat(both.coefficients, 1), 6);
        expect(fitted?.gain).toBeCloseTo(constant.rss - both.rss, 5);
      }),
    );
  });
});

describe('least squares', () => {
  it('leave what no column explains', () => {
    fc.assert(
      fc.property(series(8, 30), memory, (values, rho) => {
        const columns = [
          new Float64Array(values.length).fill(1),
          Float64Array.from(values, (_, t) => t),
          Float64Array.from(values, (_, t) => t * t),
        ];
        const combined = values.map((_, t) => 3 - 2 * t + 0.5 * t * t);
        const exact = fitColumns(combined, columns, rho);
        [3, -2, 0.5].forEach((wanted, i) => {
          expect(atFloat(exact.coefficients, i)).toBeCloseTo(wanted, 5);
        });
        const fewer = fitColumns(values, columns.slice(0, 2), rho);
        expect(fitColumns(values, columns, rho).rss).toBeLessThanOrEqual(fewer.rss * (1 + 1e-9) + 1e-9);
      }),
    );
  });

  it('give nothing to a column that is there twice', () => {
    const values = Float64Array.from([1, 2, 4, 3, 5, 9]);
    const line = Float64Array.from(values, (_, t) => t);
    const one = new Float64Array(6).fill(1);
    const { coefficients, rss } = fitColumns(values, [one, line, line], 0);
    expect(atFloat(coefficients, 2)).toBe(0);
    expect(rss).toBeCloseTo(fitColumns(values, [one, line], 0).rss, 9);
  });
});

describe('a running median', () => {
  it('is the median of the values around, of three at least', () => {
    fc.assert(
      fc.property(series(3, 60), fc.integer({ min: 1, max: 12 }), (values, reach) => {
        const last = values.length - 1;
        const wanted = values.map((_, i) => {
          const own = Math.max(1, Math.min(reach, i, last - i));
          const from = Math.max(0, Math.min(i - own, last - 2 * own));
          return quantile(values.slice(from, from + 2 * own + 1).sort(), 0.5);
        });
        expect(runningMedian(values, reach)).toEqual(wanted);
      }),
    );
  });

  it('keeps a step where it is, also shortly before the end', () => {
    for (const place of [3, 50, 97]) {
      const values = Float64Array.from({ length: 100 }, (_, i) => (i < place ? 1 : 2));
      expect(runningMedian(values, medianReach(100))).toEqual(values);
    }
  });
});

it('quantiles of the normal distribution are those of the tables', () => {
  for (const [probability, wanted] of [
    [0.5, 0],
    [0.75, 0.6745],
    [0.975, 1.96],
    [0.001, -3.0902],
  ] as const)
    expect(normalQuantile(probability)).toBeCloseTo(wanted, 2);
});

describe('levels', () => {
  const costOf = (values: Float64Array, ends: readonly number[], penalty: number): number => {
    let [sum, from] = [(ends.length - 1) * penalty, 0];
    for (const end of ends) {
      // The first of a level is the innovation at the change, and counts for none.
      const own = values.slice(from + 1, end);
      const mean = own.reduce((all, value) => all + value, 0) / own.length;
      for (const value of own) sum += (value - mean) ** 2;
      from = end;
    }
    return sum;
  };
  const allEnds = function* (length: number, from = 0): Generator<readonly number[]> {
    yield [length];
    for (let end = from + 2; end <= length - 2; end++)
      for (const rest of allEnds(length, end)) yield [end, ...rest.filter((one) => one > end)];
  };

  it('are those with the least cost of all', () => {
    fc.assert(
      fc.property(series(13, 15), fc.integer({ min: 1, max: 60 }), (values, penalty) => {
        const ends = levelEnds(values, { rho: 0, variance: 1, penalty });
        const least = Math.min(...[...allEnds(values.length)].map((one) => costOf(values, one, penalty)));
        expect(costOf(values, ends, penalty)).toBeCloseTo(least, 6);
      }),
      { numRuns: 30 },
    );
  });
});
