import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, atFloat } from '../../../../src/core/at';
import { brokenLine } from '../../../../src/core/detect/brokenLines';
import { fitColumns } from '../../../../src/core/detect/leastSquares';
import { levelEnds } from '../../../../src/core/detect/levels';
import { placesOf, Polyline } from '../../../../src/core/detect/polyline';
import {
  medianReach,
  normalQuantile,
  quantile,
  quantileInPlace,
  runningMedian,
} from '../../../../src/core/detect/robust';
import { Whitened, type Shape } from '../../../../src/core/detect/whitened';
import { randomNumbers } from '../../../../src/core/randomNumbers';

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

describe('continuous lines', () => {
  /** In order, with a gap, without one, or beginning where the one before has not ended. */
  const lines = fc
    .tuple(
      series(30, 50),
      memory,
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 9 }),
    )
    .map(([values, rho, isWeighed, widths]) => {
      const places = [0];
      for (const width of widths) places.push(at(places, places.length - 1) + width);
      const inside = places.filter((place) => place < values.length);
      const weights = isWeighed ? values.map((_, i) => 1 + (i % 7)) : undefined;
      return { values, rho, weights, white: new Whitened(values, rho, weights), places: inside };
    });
  const ramps = (places: readonly number[]): Shape[] =>
    places.slice(1).map((to, i) => ({ kind: 'ramp', from: at(places, i), to }));
  const wanted = (
    { values, rho, weights }: { values: Float64Array; rho: number; weights: Float64Array | undefined },
    shapes: readonly Shape[],
  ): number =>
    fitColumns(
      values,
      [new Float64Array(values.length).fill(1), ...shapes.map((shape) => column(shape, values.length))],
      rho,
      weights,
    ).rss;

  it('leave as much as ramps of which each has a column, with levels between some of them', () => {
    fc.assert(
      fc.property(lines, fc.nat(), ({ white, places, ...given }, left) => {
        const shapes = ramps(places).filter((_, i) => (left >> i) % 2 === 0);
        const { rss } = new Polyline(white, placesOf(shapes, white.length));
        expect(rss).toBeCloseTo(wanted(given, shapes), 4);
      }),
    );
  });

  it('leave as much as ramps that begin within another one', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), ({ white, places, ...given }, isLast) => {
        const [from, to] = [at(places, 0), at(places, 2)];
        const step = isLast ? to - 1 : from;
        const shapes: Shape[] = [
          { kind: 'ramp', from, to },
          { kind: 'ramp', from: step, to: step + 1 },
        ];
        const { rss } = new Polyline(white, placesOf(shapes, white.length));
        expect(rss).toBeCloseTo(wanted(given, shapes), 4);
      }),
    );
  });

  it('that change at one place leave as much as those that are made so', () => {
    fc.assert(
      fc.property(lines, fc.nat(), fc.nat(), ({ white, places, ...given }, one, other) => {
        const { length } = white;
        const all = [...places, length - 1].filter((place, i, own) => own.indexOf(place) === i);
        fc.pre(all.length > 3);
        const line = new Polyline(white, placesOf(ramps(all), length));
        // In any order, so that what is remembered of both sides is used.
        for (const chosen of [one, other, one]) {
          const i = 1 + (chosen % (all.length - 2));
          const without = all.filter((_, k) => k !== i);
          expect(line.rssWithout(i)).toBeCloseTo(wanted(given, ramps(without)), 4);
          const flat = ramps(all).filter((_, k) => k !== i);
          expect(line.flatRss(i)).toBeCloseTo(wanted(given, flat), 4);
          const place = at(all, i - 1) + 1;
          const moved = all.with(i, place);
          expect(line.movedRss(i, place)).toBeCloseTo(wanted(given, ramps(moved)), 4);
          line.move(i, place);
          all[i] = place;
          expect(line.rss).toBeCloseTo(wanted(given, ramps(all)), 4);
        }
        const last = one % (all.length - 1);
        line.flatten(last);
        expect(line.rss).toBeCloseTo(
          wanted(
            given,
            ramps(all).filter((_, k) => k !== last),
          ),
          4,
        );
      }),
    );
  });

  it('have steps that move with both ends', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 3, max: 12 }), ({ white, ...given }, from) => {
        const steps = (place: number): Shape[] =>
          [place, 20].map((begin) => ({ kind: 'ramp', from: begin, to: begin + 1 }));
        const line = new Polyline(white, placesOf(steps(from), white.length));
        for (const way of [-1, 1])
          expect(line.shiftedRss(1, from + way, from + way + 1)).toBeCloseTo(
            wanted(given, steps(from + way)),
            4,
          );
      }),
    );
  });
});

describe('lines that bend', () => {
  const bent = (places: readonly number[], slopes: readonly number[]): Float64Array => {
    const random = randomNumbers(7);
    let value = 10;
    return Float64Array.from({ length: 120 }, (_, t) => {
      value += at(slopes, places.filter((place) => place < t).length);
      return value + 0.2 * (random() + random() + random() - 1.5);
    });
  };

  it.each<[string, readonly number[], readonly number[], readonly (readonly [number, number])[]]>([
    ['rise and stay', [40, 80], [0, 0.1, 0], [[40, 80]]],
    [
      'rise and fall',
      [50],
      [0.1, -0.1],
      [
        [0, 50],
        [50, 119],
      ],
    ],
    [
      'rise twice',
      [20, 40, 70, 90],
      [0, 0.2, 0, 0.2, 0],
      [
        [20, 40],
        [70, 90],
      ],
    ],
  ])('that %s have their bends, and nothing where they are level', (_, places, slopes, lines) => {
    const found = brokenLine(new Whitened(bent(places, slopes), 0));
    expect(found).toHaveLength(lines.length);
    found.forEach(({ from, to }, i) => {
      expect(Math.abs(from - at(at(lines, i), 0))).toBeLessThanOrEqual(2);
      expect(Math.abs(to - at(at(lines, i), 1))).toBeLessThanOrEqual(2);
    });
  });

  it('are none where nothing bends', () => {
    expect(brokenLine(new Whitened(bent([], [0]), 0))).toEqual([]);
    expect(brokenLine(new Whitened(bent([], [0.1]), 0))).toEqual([]);
    expect(brokenLine(new Whitened(Float64Array.from([1, 2, 3, 4, 5, 6]), 0))).toEqual([]);
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

it('quantiles of values in any order are those of the sorted values', () => {
  fc.assert(
    fc.property(series(1, 40), fc.constantFrom(0, 0.16, 0.5, 0.84, 1), (values, share) => {
      expect(quantileInPlace(values.slice(), share)).toBeCloseTo(quantile(values.slice().sort(), share), 9);
    }),
  );
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

  it('are the same when places are left out together', () => {
    const given = fc.tuple(series(60, 90), fc.integer({ min: 1, max: 400 }), memory);
    fc.assert(
      fc.property(given, ([values, penalty, rho]) => {
        const ends = levelEnds(values, { rho, variance: 1, penalty });
        const innovations = values.map((value, t) => (t === 0 ? 0 : value - rho * atFloat(values, t - 1)));
        const cost = [-penalty];
        for (let end = 1; end <= values.length; end++) {
          let least = Infinity;
          for (let from = 0; from <= end - 2; from++)
            least = Math.min(
              least,
              at(cost, from) + penalty + costOf(innovations.slice(from, end), [end - from], 0),
            );
          cost.push(least);
        }
        expect(costOf(innovations, ends, penalty)).toBeCloseTo(at(cost, values.length), 5);
      }),
      { numRuns: 30 },
    );
  });
});
