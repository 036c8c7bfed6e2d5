import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { withoutCoincidences } from '../../../../src/core/series/coincidences';

const length = 400;

/** Repetitions of which each is interrupted in this part of the iterations. */
function repetitions(part: number, seed: number, alsoAt: readonly number[] = []): readonly Float64Array[] {
  const random = randomNumbers(seed);
  return [1, 2, 3].map(() =>
    Float64Array.from({ length }, (_, i) =>
      random() < part || alsoAt.includes(i) ? 5 : 1 + 0.02 * random(),
    ),
  );
}

function pooled(all: readonly Float64Array[]): { least: Float64Array; left: Float64Array } {
  const least = Float64Array.from({ length }, (_, i) => Math.min(...all.map((values) => values[i] ?? 0)));
  return { least, left: withoutCoincidences(least, all) };
}

const long = (values: Float64Array): number => values.filter((value) => value > 2).length;

describe('iterations that are long in all repetitions', () => {
  it('are left out where each is interrupted so often that some coincide', () => {
    const all = Array.from({ length: 20 }, (_, seed) => pooled(repetitions(0.3, seed + 1)));
    expect(all.some(({ least }) => long(least) > 5)).toBe(true);
    expect(all.filter(({ left }) => long(left) > 0).length).toBeLessThanOrEqual(1);
  });

  it('stay where there are more of them than chance explains', () => {
    const moments = [40, 150, 151, 333];
    for (let seed = 1; seed <= 20; seed++) {
      const { least, left } = pooled(repetitions(0.02, seed, moments));
      for (const i of moments) expect([least[i], left[i]]).toEqual([5, 5]);
    }
  });

  it('are no exceptions where most are long: a level that rises stays', () => {
    const random = randomNumbers(7);
    const all = [1, 2, 3].map(() =>
      Float64Array.from({ length }, (_, i) => (i < 200 ? 1 : 3) * (random() < 0.3 ? 4 : 1)),
    );
    const { least, left } = pooled(all);
    for (let i = 0; i < length; i++) expect(left[i]).toBeLessThanOrEqual(least[i] ?? 0);
    expect(left.subarray(0, 200).every((value) => value === 1)).toBe(true);
    expect(left.subarray(212).every((value) => value >= 3)).toBe(true);
  });

  it('change nothing of what was not executed, or of quiet repetitions', () => {
    const quiet = [1, 2].map(() => Float64Array.from({ length }, (_, i) => (i % 10 === 0 ? 0 : 1)));
    const { least, left } = pooled(quiet);
    expect(left).toEqual(least);
  });
});
