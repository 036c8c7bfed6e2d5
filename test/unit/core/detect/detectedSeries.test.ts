import { describe, expect, it } from 'vitest';
import { sumOf } from '../../../../src/core/sums';
import { analyseByLikelihood } from '../../../../src/core/detect/detectedSeries';
import { gauss } from '../../../fixtures/dynamics/signals';

describe('levels', () => {
  // Nearly nothing, and then much: a ramp through both begins below zero.
  const rises = [1, 2, 3].map((power) =>
    Float64Array.from({ length: 60 }, (_, i) => 0.01 + 0.005 * Math.sin(i * i) + (i / 20) ** power * 3),
  );

  it('of times are not below zero, and a rise costs no more than was measured', () => {
    for (const values of rises) {
      const { patterns } = analyseByLikelihood(values);
      expect(patterns.length).toBeGreaterThan(0);
      for (const { levels, excess, aftermath } of patterns) {
        expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
        expect(excess + aftermath).toBeLessThanOrEqual(1.02 * sumOf(values));
      }
    }
  });

  it('of what may be negative are where they are', () => {
    const values = Float64Array.from({ length: 60 }, (_, i) => (i < 30 ? -5 : -1) + 0.1 * Math.sin(i * i));
    const [one] = analyseByLikelihood(values).patterns;
    expect(one?.levels[0]).toBeCloseTo(-5, 0);
    expect(one?.excess).toBeCloseTo(4, 0);
  });
});

describe('a step', () => {
  const noisy = (levels: readonly number[]): Float64Array =>
    Float64Array.from(
      levels.flatMap((level) => new Array<number>(25).fill(level)),
      (level, i) => level + 0.02 * Math.sin(i * i),
    );
  const begins = (values: Float64Array): readonly number[] =>
    analyseByLikelihood(values, { improvements: false }).patterns.map(({ from }) => from + 1);

  it('after which all is higher is one, also where the level goes to and fro before and after it', () => {
    expect(begins(noisy([2.7, 2.4, 2.7, 4.4, 4.8, 4.4, 4.8]))).toContain(75);
  });

  it('to which the series comes back is none where it goes to and fro', () => {
    expect(begins(noisy([2, 3, 2, 3, 2]))).toEqual([]);
  });
});

describe('what begins late', () => {
  it('does so by no chance, however constant it is afterwards', () => {
    const noise = gauss(7);
    for (const start of [40, 400]) {
      const values = Float64Array.from({ length: 900 }, (_, i) => (i < start ? 0 : 1 + 0.01 * noise()));
      const [rise] = analyseByLikelihood(values).patterns.filter(({ type }) => type !== 'peak');
      expect(rise).toMatchObject({ type: 'step', from: start - 1, to: start });
      expect(rise?.chance).toBeLessThan(1e-9);
    }
  });
});

describe('a step up and back', () => {
  it('is one peak, and no steps', () => {
    for (let seed = 40_001; seed <= 40_100; seed++) {
      const noise = gauss(seed);
      const values = Float64Array.from(
        { length: 128 },
        (_, i) => (i >= 50 && i < 57 ? 4 : 1) + 0.1 * noise(),
      );
      const { patterns } = analyseByLikelihood(values);
      expect(
        patterns
          .filter(({ from, to }) => from <= 57 && to >= 49)
          .map(({ type, from, to }) => [type, from, to]),
        `seed ${seed}`,
      ).toEqual([['peak', 50, 56]]);
    }
  });
});

describe('a rise', () => {
  const rising = (before: number, after: number): Float64Array =>
    Float64Array.from(
      { length: 200 },
      (_, i) =>
        10 + before * Math.min(1, i / 80) + after * Math.max(0, (i - 80) / 119) + 0.02 * Math.sin(i * i),
    );
  const onsets = (values: Float64Array): readonly number[] =>
    analyseByLikelihood(values).patterns.map(({ from }) => from);

  it('begins where it rises in earnest', () => {
    const [onset] = onsets(rising(0.3, 20));
    expect(Math.abs((onset ?? 0) - 80)).toBeLessThanOrEqual(3);
  });

  it('begins with its slow part where that is a good part of it', () => {
    expect(onsets(rising(4, 20))[0]).toBeLessThanOrEqual(3);
  });
});

describe('what repeats', () => {
  const every = (height: (i: number) => number): Float64Array =>
    Float64Array.from({ length: 200 }, (_, i) => 1 + 0.02 * Math.sin(i * i) + (i % 10 === 9 ? height(i) : 0));

  it('is told to cost more and more where it does', () => {
    expect(analyseByLikelihood(every((i) => 0.5 + i / 60))).toMatchObject({ period: 10, peaksGrow: true });
    const steady = analyseByLikelihood(every(() => 2));
    expect(steady.period).toBe(10);
    expect(steady).not.toHaveProperty('peaksGrow');
  });

  it('grows on one of many ranks as rarely as on one that is alone', () => {
    const noisy = (seed: number): Float64Array => {
      const noise = gauss(seed);
      return every(() => 2).map((value) => value * (1 + 0.05 * noise()));
    };
    const growing = (series: number): number =>
      Array.from({ length: 60 }, (_, seed) =>
        analyseByLikelihood(noisy(9000 + seed), { alarm: 0.3, series }),
      ).filter(({ peaksGrow }) => peaksGrow === true).length;
    expect(growing(1)).toBeGreaterThan(0);
    expect(growing(60)).toBe(0);
  });
});
