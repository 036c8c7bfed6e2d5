import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costsOf } from '../../../../../src/core/signal/fits/costs';
import { fitHinge, type Hinge } from '../../../../../src/core/signal/fits/hinge';
import { fitTrend, type TrendFit } from '../../../../../src/core/signal/fits/trendFit';
import { gauss, sampled } from '../../../../fixtures/dynamics/signals';
import { regression, squaresAboutMean } from './leastSquares';

const length = fc.integer({ min: 2, max: 28 });
const seed = fc.integer({ min: 1, max: 1_000_000 });
const shapes = fc.constantFrom<(i: number) => number>(
  () => 5,
  (i) => i / 4,
  (i) => -Math.abs(i - 12) / 2,
  (i) => Math.max(0, Math.min(6, i - 10)),
  (i) => (i < 15 ? -1 : 2),
);

/** A stretch of a longer signal: positions have to count from the right place. */
function stretch(shape: (i: number) => number, count: number, from: number): Float64Array {
  const noise = gauss(from);
  return Float64Array.from({ length: count + 7 }, (_, i) => shape(i - 3) + 0.5 * noise());
}

function expectClose(found: object | undefined, wanted: object | undefined): void {
  const close: readonly (readonly [string, unknown])[] = Object.entries(wanted ?? {}).map(([name, value]) => [
    name,
    expect.closeTo(value as number, 7),
  ]);
  expect(found).toEqual(wanted === undefined ? undefined : Object.fromEntries(close));
}

describe('the knee of two straight pieces', () => {
  function byRegression(values: readonly number[], first: number): Hinge | undefined {
    let best: Hinge | undefined;
    for (let knee = 1; knee < values.length - 1; knee++) {
      const columns = [
        values.map(() => 1),
        values.map((_, n) => n),
        values.map((_, n) => Math.max(0, n - knee)),
      ];
      const fit = regression(columns, values);
      if (fit === undefined) continue;
      const [, before = NaN, bend = NaN] = fit.coefficients;
      const explained = 1 - fit.left / squaresAboutMean(values);
      if (explained > (best?.fit ?? -1))
        best = { at: first + knee, before, after: before + bend, fit: explained };
    }
    return best;
  }

  it('is that of the best regression with a bend', () => {
    fc.assert(
      fc.property(length, seed, shapes, (count, from, shape) => {
        const values = stretch(shape, count, from);
        const wanted = count < 5 ? undefined : byRegression([...values.slice(3, 3 + count)], 3);
        expectClose(fitHinge(values, 3, 2 + count), wanted);
      }),
      { numRuns: 100 },
    );
  });

  it('needs five samples that are not all the same', () => {
    const values = Float64Array.of(0, 1, 2, 1, 0);
    expectClose(fitHinge(values, 0, 4), { at: 2, before: 1, after: -1, fit: 1 });
    expect(fitHinge(values, 0, 3)).toBeUndefined();
    for (const level of [0.25, 0.1, 1e9 / 3])
      expect(fitHinge(new Float64Array(9).fill(level), 0, 8)).toBeUndefined();
  });
});

describe('flat, straight, flat', () => {
  interface Choice extends TrendFit {
    readonly breaks: number;
    readonly left: number;
  }

  /** Every pair of break points by regression; of each number of break points the best, of these the one with the least costs. */
  function byRegression(values: readonly number[]): TrendFit | undefined {
    const end = values.length - 1;
    const all = squaresAboutMean(values);
    const choices: Choice[] = [];
    const choice = (from: number, to: number): Choice => {
      const ramp = values.map((_, n) => Math.min(1, Math.max(0, (n - from) / (to - from))));
      const { coefficients, left } = regression([values.map(() => 1), ramp], values)!;
      const [low = NaN, rise = NaN] = coefficients;
      // A fit that falls explains nothing of a rise.
      const unexplained = rise > 0 ? left : all;
      const breaks = Number(from > 0) + Number(to < end);
      return {
        from,
        to,
        low,
        high: low + rise,
        fit: rise > 0 ? 1 - left / all : -1,
        breaks,
        left: unexplained,
      };
    };
    for (let from = 0; from < end; from++)
      for (let to = from + 1; to <= end; to++) choices.push(choice(from, to));
    const best = choices.reduce((a, b) => (b.left < a.left ? b : a));
    const cost = ({ left, breaks }: Choice): number =>
      values.length * Math.log(left) + 2 * Math.log(values.length) * breaks;
    const simpler = [choice(best.from, end), choice(0, best.to), choice(0, end)];
    const { from, to, low, high, fit } = simpler.reduce((a, b) => (cost(b) <= cost(a) ? b : a), best);
    return fit > 0 ? { from, to, low, high, fit } : undefined;
  }

  it('is the best of all pairs of break points, and has no break point that explains little', () => {
    fc.assert(
      fc.property(length, seed, shapes, fc.constantFrom<1 | -1>(1, -1), (count, from, shape, direction) => {
        const values = stretch(shape, count, from);
        const found = fitTrend(values, 3, 2 + count, direction);
        const wanted = byRegression([...values.slice(3, 3 + count)].map((value) => value * direction));
        if (wanted !== undefined || found !== undefined) expectClose(found, wanted);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [129, 40, 90],
    [130, 1, 127],
    [300, 77, 78],
    [300, 150, 211],
    [1000, 333, 334],
    [1000, 5, 903],
    [4000, 1999, 3141],
  ])('in a run of %i samples: the rise from %i to %i', (count, from, to) => {
    const values = sampled(count, (i) => 2 + 3 * Math.min(1, Math.max(0, (i - from) / (to - from))));
    expectClose(fitTrend(values, 0, count - 1, 1), { from, to, low: 2, high: 5, fit: 1 });
    expectClose(
      fitTrend(
        values.map((value) => -value),
        0,
        count - 1,
        -1,
      ),
      { from, to, low: 2, high: 5, fit: 1 },
    );
    expect(fitTrend(values, 0, count - 1, -1)).toBeUndefined();
  });

  it('needs two samples, and a rise', () => {
    expect(fitTrend(Float64Array.of(1, 2), 0, 0, 1)).toBeUndefined();
    expectClose(fitTrend(Float64Array.of(1, 2), 0, 1, 1), { from: 0, to: 1, low: 1, high: 2, fit: 1 });
    expect(fitTrend(Float64Array.of(2, 2, 2), 0, 2, 1)).toBeUndefined();
  });
});

describe('the costs of a rise', () => {
  const rise = fc.record({ from: fc.integer({ min: 0, max: 12 }), low: fc.integer({ min: -3, max: 3 }) });

  it('are what is above its low level: inside of it, and after it until the median of five samples is back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -4, max: 8 }), { minLength: 6, maxLength: 30 }),
        fc.record({
          from: fc.integer({ min: 0, max: 3 }),
          more: fc.integer({ min: 1, max: 2 }),
          low: fc.integer({ min: -3, max: 1 }),
          height: fc.constantFrom(2, 4, 5),
        }),
        fc.array(rise, { maxLength: 2 }),
        fc.constantFrom<1 | -1>(1, -1),
        (list, { from, more, low, height }, others, direction) => {
          const to = from + more;
          const later = others
            .map((other) => ({ from: to + other.from, to: to + other.from + 1, low: other.low, high: 9 }))
            .sort((a, b) => a.from - b.from);
          const values = list.map((value) => value * direction);
          const above = (i: number, most = Infinity): number => Math.max(0, Math.min(list[i]!, most) - low);
          let excess = 0;
          for (let i = from; i <= to; i++) excess += above(i);
          let aftermath = 0;
          for (let i = to + 1; i < list.length; i++) {
            const near = list.slice(i - 2, i + 3);
            const back = near.filter((value) => value < low + height / 4).length;
            if (back > near.length / 2) break;
            const begun = later.filter((other) => other.from <= i).map((other) => other.low);
            aftermath += above(i, Math.min(...begun));
          }
          const found = costsOf(
            { from, to, low, high: low + height },
            later,
            Float64Array.from(values),
            direction,
          );
          expect(found).toEqual({ excess, aftermath });
        },
      ),
      { numRuns: 300 },
    );
  });
});
