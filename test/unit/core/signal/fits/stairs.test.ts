import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../../src/core/signal/analyseSeries';
import { findStairs } from '../../../../../src/core/signal/fits/stairs';
import { sampled } from '../../../../fixtures/dynamics/signals';

const stairs = (...starts: readonly (readonly [from: number, level: number])[]) => {
  return (i: number): number => starts.filter(([from]) => from <= i).at(-1)?.[1] ?? 0;
};
const kinds = (values: Float64Array): string[] => analyseSeries(values).patterns.map(({ type }) => type);

describe('stairs', () => {
  it.each([
    ['of one height', 200, stairs([60, 1], [130, 2]), [59, 129]],
    ['the second higher', 200, stairs([60, 1], [130, 3]), [59, 129]],
    ['the first higher', 200, stairs([60, 2], [130, 3]), [59, 129]],
    ['three', 300, stairs([75, 1], [150, 2], [225, 3]), [74, 149, 224]],
    ['four', 500, stairs([100, 1], [200, 2], [300, 3], [400, 4]), [99, 199, 299, 399]],
  ])('steps: %s are steps where they are, with the levels that they have', (_, length, shape, places) => {
    const { patterns } = analyseSeries(sampled(length, shape));
    expect(patterns.map(({ type, from, to }) => [type, from, to])).toEqual(
      places.map((at) => ['step', at, at + 1]),
    );
    for (const { from, levels } of patterns) {
      expect(levels[0]).toBeCloseTo(shape(from), 9);
      expect(levels[1]).toBeCloseTo(shape(from + 1), 9);
    }
  });

  it.each([0.001, 0.01, 0.05, 0.1, 0.2])(
    'steps: two of height 1 in noise of %d are found in 9 of 10 series',
    (noise) => {
      const seeds = Array.from({ length: 40 }, (_, n) => n + 1);
      const found = seeds.filter((seed) => {
        const { patterns } = analyseSeries(sampled(200, stairs([60, 1], [130, 2]), noise, seed));
        const places = patterns.filter(({ type }) => type === 'step').map(({ from }) => from);
        return places.length === 2 && Math.abs(places[0]! - 59) <= 1 && Math.abs(places[1]! - 129) <= 1;
      });
      expect(found.length).toBeGreaterThanOrEqual(36);
    },
  );

  it('are no reading of a curve', () => {
    const curves: readonly ((i: number) => number)[] = [
      (i) => i / 200,
      (i) => Math.max(0, i - 100) / 100,
      (i) => Math.exp(i / 40) / 150,
      (i) => Math.sqrt(i / 200),
      (i) => 1 / (1 + Math.exp((100 - i) / 15)),
      (i) => (i / 200) ** 2,
    ];
    for (const curve of curves)
      for (const noise of [0, 0.05, 0.2])
        for (let seed = 1; seed <= 20; seed++)
          expect(kinds(sampled(200, (i) => 10 + curve(i), noise, seed))).not.toContain('step');
  });

  it('more than four are one trend', () => {
    expect(kinds(sampled(400, (i) => Math.floor(i / 40)))).toEqual(['trend']);
  });

  it('are the exact ones of any levels that rise, mirrored for falls', () => {
    const level = fc.record({
      length: fc.integer({ min: 4, max: 30 }),
      rise: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(level, { minLength: 3, maxLength: 5 }),
        fc.integer({ min: -1000, max: 1000 }),
        fc.constantFrom<1 | -1>(1, -1),
        (levels, base, direction) => {
          let height = base;
          const values = levels.flatMap(({ length, rise }) => {
            height += rise;
            const value = direction * height;
            return Array.from({ length }, () => value);
          });
          const found = findStairs(Float64Array.from(values), [0, values.length - 1], direction, 0.5, 4);
          let end = 0;
          const places = levels.slice(0, -1).map(({ length }) => (end += length) - 1);
          expect(found?.steps.map(({ at }) => at)).toEqual(places);
          expect(found?.fit).toBeCloseTo(1, 9);
          found?.steps.forEach(({ at, low, high }) => {
            expect(low).toBeCloseTo(direction * values[at]!, 6);
            expect(high).toBeCloseTo(direction * values[at + 1]!, 6);
          });
        },
      ),
    );
  });

  it('stand where two levels fit best of all pairs of places, in noise', () => {
    /** Sum of squares beside the mean, by its definition. */
    const beside = (values: Float64Array, from: number, end: number): number => {
      const piece = values.subarray(from, end);
      const mean = piece.reduce((sum, value) => sum + value, 0) / piece.length;
      return piece.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    };
    const [length, shortest] = [60, 4];
    for (let seed = 1; seed <= 20; seed++) {
      const values = sampled(length, stairs([20, 1], [40, 2]), 0.35, seed);
      let [pair, least]: [readonly number[], number] = [[], Infinity];
      for (let first = shortest; first <= length - 2 * shortest; first++)
        for (let second = first + shortest; second <= length - shortest; second++) {
          const sum =
            beside(values, 0, first) + beside(values, first, second) + beside(values, second, length);
          if (sum < least) [pair, least] = [[first, second], sum];
        }
      const found = findStairs(values, [0, length - 1], 1, 0.1, shortest);
      expect([seed, found?.steps.map(({ at }) => at + 1)]).toEqual([seed, pair]);
      expect(found?.fit).toBeCloseTo(1 - least / beside(values, 0, length), 9);
    }
  });

  it('are none where the levels themselves rise, which makes them pieces of a curve', () => {
    const sloped = (slope: number, noise: number): Float64Array =>
      sampled(120, (i) => stairs([40, 1], [80, 2])(i) + slope * i, noise);
    for (const direction of [1, -1] as const) {
      const found = (slope: number, noise = 0.01): number | undefined =>
        findStairs(
          sloped(slope, noise).map((value) => direction * value),
          [0, 119],
          direction,
          0.5,
          4,
        )?.steps.length;
      expect(found(0)).toBe(2);
      expect(found(0.0001, 0.02)).toBe(2);
      expect(found(0.01)).toBeUndefined();
      expect(found(0.01, 0)).toBeUndefined();
    }
  });

  it('are none where levels would be too short, or fall, or a rise explains as much', () => {
    const values = (shape: (i: number) => number): Float64Array => sampled(100, shape);
    expect(findStairs(values(stairs([50, 1], [52, 2])), [0, 99], 1, 0.9, 4)?.steps.length).not.toBe(2);
    expect(findStairs(values(stairs([30, 2], [60, 1])), [0, 99], 1, 0.1, 4)).toBeUndefined();
    expect(
      findStairs(
        values((i) => i),
        [0, 99],
        1,
        1,
        4,
      ),
    ).toBeUndefined();
    expect(findStairs(Float64Array.of(1, 1), [0, 1], 1, 0, 4)).toBeUndefined();
    expect(findStairs(new Float64Array(50), [0, 49], 1, 0, 4)).toBeUndefined();
  });
});
