import { factorValue, type Factor, type Formula } from '../../../../src/core/modeling/formula';
import { fractionText } from '../../../../src/core/modeling/fraction';
import { measuredPoint, type MeasuredPoint } from '../../../../src/core/modeling/measurements';
import { searchSpace } from '../../../../src/core/modeling/searchSpace';
import type { OracleRow } from './oracle';

/** Random numbers from 0 to 1 that are the same for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Normal noise with standard deviation 1. */
export function normalOf(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Five repetitions of a function at points, each disturbed in proportion to the value. */
export function measuredWith(
  noise: number,
  truth: (point: readonly number[]) => number,
  points: readonly (readonly number[])[],
  seed = 1,
): readonly MeasuredPoint[] {
  const normal = normalOf(randomOf(seed));
  return points.map((point) =>
    measuredPoint(
      point,
      [1, 2, 3, 4, 5].map(() => truth(point) * (1 + noise * normal())),
    ),
  );
}

/** Points of one parameter. */
export function line(...xs: readonly number[]): readonly (readonly number[])[] {
  return xs.map((x) => [x]);
}

/** All combinations of the values of two parameters. */
export function grid(first: readonly number[], second: readonly number[]): readonly (readonly number[])[] {
  return first.flatMap((x) => second.map((y) => [x, y]));
}

/** A series of the search space with random exponents, coefficients and points. */
export function madeSet(seed: number, noise: number) {
  const random = randomOf(seed * 7919 + 13);
  const growths = searchSpace();
  const chosen = growths[Math.floor(random() * growths.length)];
  const lists = [
    [5, 10, 20, 40, 80, 160, 320, 640],
    [3, 7, 12, 25, 44, 90],
    [2, 4, 8, 16, 32],
    [20, 30, 40, 50, 60, 70, 80],
    [1000, 2000, 4000, 8000, 16000],
  ];
  const xs = lists[Math.floor(random() * lists.length)] ?? [];
  const largest = xs.at(-1) ?? 1;
  if (chosen === undefined) throw new Error('no growth');
  const constant = 10 ** (3 * random() - 1);
  const coefficient = (constant * 10 ** (2.2 * random() - 0.4)) / factorValue(chosen, largest);
  const truth = (x: number) => constant + coefficient * factorValue(chosen, x);
  const points = measuredWith(noise, ([x = 0]) => truth(x), line(...xs), seed);
  return { points, truth, largest, growth: factorsText([[{ parameter: 0, ...chosen }]]) };
}

/** The exponents of a formula, in an order of their own. */
export function growth({ terms }: Formula): string {
  return factorsText(terms.map(({ factors }) => factors));
}

function factorsText(terms: readonly (readonly Factor[])[]): string {
  return joined(
    terms.map((factors) =>
      factors.map(
        ({ parameter, exponent, logExponent }) =>
          `${parameter}:${fractionText(exponent)},${fractionText(logExponent)}`,
      ),
    ),
  );
}

/** The exponents that a reference row was made with. */
export function trueGrowth({ truth }: OracleRow): string {
  return joined(
    (truth?.terms ?? []).map(({ factors }) =>
      factors.map(({ param, poly, log }) => `${param}:${poly},${log}`),
    ),
  );
}

function joined(terms: readonly (readonly string[])[]): string {
  return terms
    .map((factors) => [...factors].sort().join('*'))
    .sort()
    .join('+');
}
