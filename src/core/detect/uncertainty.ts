/** How well the cost of a rise and its place are known: all lines, steps and ramps, weighed by how well they explain the series. */
import { at } from '../at';
import type { Noise } from './evidence';
import type { Explanation } from './explanations';
import { Whitened, type FittedShape } from './whitened';

export interface Uncertain {
  /** What is above the level before, in units of the blocks: its expectation and standard deviation. */
  readonly excess: number;
  readonly deviation: number;
  /** Last block before the rise: range that contains it with a probability of 95 %. */
  readonly onset: readonly [first: number, last: number];
  /** The same of the first block of the new level. */
  readonly end: readonly [first: number, last: number];
}

/** Places on a grid, and around the best ones. */
const places = 48;
/** Twice a log-likelihood: what is less likely than the best by as much is impossible. */
const possible = 30;

/** Undefined for what is no single line, step or ramp, whatever family it was found in. */
export function uncertaintyOf(
  blocks: Float64Array,
  explanation: Explanation,
  { weights, leastVariance }: Noise,
): Uncertain | undefined {
  const { shapes: told, rho } = explanation;
  if (told.length !== 1 || at(told, 0).kind !== 'ramp') return undefined;
  const { length } = blocks;
  const white = new Whitened(blocks, rho, weights);
  // Beside the level and the height.
  const freedom = length - 2;
  const restOf = (gain: number): number => Math.max(white.constantRss - gain, leastVariance * length);
  const isPossible = (gain: number, most: number): boolean =>
    freedom * Math.log(restOf(gain) / restOf(most)) < possible;
  const weighed = [linesOf(white), stepsOf(white), rampsOf(white, isPossible)].flatMap((shapes) =>
    shapes.map((shape) => ({ shape, prior: 1 / shapes.length })),
  );
  const most = Math.max(...weighed.map(({ shape }) => shape.gain));
  // The variance of noise is not known either: Student's distribution instead of the normal one.
  const known = weighed.map(({ shape, prior }) => ({
    shape,
    weight: prior * (restOf(shape.gain) / restOf(most)) ** (-freedom / 2),
  }));
  const whole = known.reduce((sum, { weight }) => sum + weight, 0);
  let [mean, squares] = [0, 0];
  for (const { shape, weight } of known) {
    const own = excessOf(shape, length);
    const variance = restOf(shape.gain) / (freedom - 2);
    mean += (weight / whole) * own;
    // The height's variance is height² · σ² / gain.
    squares += (weight / whole) * own * own * (1 + variance / Math.max(shape.gain, variance / 100));
  }
  const rangeOf = (border: 'from' | 'to'): readonly [number, number] => {
    const sorted = known.sort((a, b) => a.shape[border] - b.shape[border]);
    const quantile = (share: number): number => {
      let sum = 0;
      for (const { shape, weight } of sorted) if ((sum += weight / whole) >= share) return shape[border];
      return at(sorted, sorted.length - 1).shape[border];
    };
    return [quantile(0.025), quantile(0.975)];
  };
  return {
    excess: mean,
    deviation: Math.sqrt(Math.max(0, squares - mean * mean)),
    onset: rangeOf('from'),
    end: rangeOf('to'),
  };
}

function excessOf({ from, to, height }: FittedShape, length: number): number {
  return height * ((to - from + 1) / 2 + (length - 1 - to));
}

function linesOf(white: Whitened): readonly FittedShape[] {
  return fits(white, [[0, white.length - 1]]);
}

function stepsOf(white: Whitened): readonly FittedShape[] {
  return fits(
    white,
    Array.from({ length: white.length - 1 }, (_, from) => [from, from + 1] as const),
  );
}

/** Of a coarse grid, and of a fine one where these are possible. */
function rampsOf(
  white: Whitened,
  isPossible: (gain: number, most: number) => boolean,
): readonly FittedShape[] {
  const coarse = fits(white, pairs([0, white.length - 1], [0, white.length - 1], white.length));
  const most = Math.max(...coarse.map(({ gain }) => gain));
  const likely = coarse.filter(({ gain }) => isPossible(gain, most));
  const step = Math.ceil(white.length / places);
  const around = (values: readonly number[]): readonly [number, number] => [
    Math.max(0, Math.min(...values) - step),
    Math.min(white.length - 1, Math.max(...values) + step),
  ];
  const [from, to] = [around(likely.map((one) => one.from)), around(likely.map((one) => one.to))];
  return fits(white, pairs(from, to, white.length));
}

type Pair = readonly [from: number, to: number];

function pairs(first: Pair, second: Pair, length: number): readonly Pair[] {
  const grid = ([low, high]: Pair): readonly number[] => {
    const step = Math.max(1, (high - low) / places);
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => Math.round(low + i * step));
  };
  const ends = grid(second);
  return grid(first).flatMap((from) =>
    ends.flatMap((to): Pair[] => (to > from + 1 && to < length ? [[from, to]] : [])),
  );
}

function fits(white: Whitened, all: readonly Pair[]): readonly FittedShape[] {
  return all.flatMap(([from, to]) => white.fit('ramp', from, to) ?? []);
}
