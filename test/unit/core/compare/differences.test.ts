import { describe, expect, test } from 'vitest';
import { compareRuns, type Comparison } from '../../../../src/core/compare/differences';
import { compareSides, type ComparedSides } from '../../../../src/core/compare/sides';
import { sideOf, type Plant } from './planted';

function compared(
  seed: number,
  plant: Plant = {},
  options = {},
): Comparison & { readonly sides: ComparedSides } {
  const sides = compareSides(
    sideOf('a', 2 * seed + 1, {}, options),
    sideOf('b', 2 * seed + 2, plant, { ...options }),
  );
  return { ...compareRuns(sides), sides };
}
const seeds = Array.from({ length: 100 }, (_, seed) => seed);

describe('two measurements of one program', () => {
  test('have no difference in at least 95 of 100', () => {
    const named = seeds.filter((seed) => compared(seed).differences.length > 0);
    expect(named.length).toBeLessThanOrEqual(5);
  });
  test('nor on a machine that is slower the second time', () => {
    const named = seeds.filter((seed) => {
      const sides = compareSides(sideOf('a', 2 * seed + 1), sideOf('b', 2 * seed + 2, {}, { drift: 0.08 }));
      const { differences, shift } = compareRuns(sides);
      expect(shift).toBeCloseTo(Math.exp(0.08), 1);
      return differences.length > 0;
    });
    expect(named.length).toBeLessThanOrEqual(5);
  });
  test('of three repetitions neither', () => {
    const named = seeds.filter(
      (seed) => compared(seed, {}, { repetitions: 3, noise: 0.05 }).differences.length > 0,
    );
    expect(named.length).toBeLessThanOrEqual(5);
  });
});

test('a function of 20 % that takes 10 % longer is named in at least 95 of 100, alone', () => {
  let [found, others] = [0, 0];
  for (const seed of seeds) {
    const { differences, sides } = compared(seed, { slower: 1.1 });
    const names = differences.map(({ kind, function: own }) => `${kind} ${sides.functions[own]?.name}`);
    if (names.includes('slower kernel')) found++;
    others += names.filter((name) => name !== 'slower kernel').length;
  }
  expect(found).toBeGreaterThanOrEqual(95);
  expect(others).toBeLessThanOrEqual(2);
});
