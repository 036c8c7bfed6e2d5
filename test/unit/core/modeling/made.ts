import { measuredPoint, type MeasuredPoint } from '../../../../src/core/modeling/measurements';

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
