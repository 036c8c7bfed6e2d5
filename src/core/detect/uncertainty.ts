/** How well the cost of a rise and its place are known: all lines, steps and ramps, weighed by how well they explain the series, whatever the memory of its noise. */
import { at, atFloat } from '../at';
import type { Noise } from './evidence';
import { firstRise, modelOf, type Explanation, type WeighedCurve } from './explanations';
import { fitColumns } from './leastSquares';
import { sumsOf } from './gaps';
import { between, Whitened, type FittedShape } from './whitened';

export interface Uncertain {
  /** What is above the level before, in units of the values: its expectation and standard deviation. */
  readonly excess: number;
  readonly deviation: number;
  /** Last value before the rise: range that contains it with a probability of 95 %; absent for several changes and for curves. */
  readonly onset?: readonly [first: number, last: number];
  /** The same of the first value of the new level. */
  readonly end?: readonly [first: number, last: number];
}

/** Places of lines on a grid, and again around the best ones; of steps. */
const places = 32;
const placesOfSteps = 512;
/** Twice a log-likelihood: what is less likely than the best by as much is impossible. */
const possible = 30;
/** Shorter series say little of the memory of their noise, which is the one that was found then. */
const fewestForMemory = 60;
const longestMemory = 0.98;
/** Memories that are weighed, in standard deviations of its estimate, which is too low rather than too high. */
const memories = [-1.5, 0, 1.5, 3];

/** How well a series is explained by one rise. */
export class Posterior {
  readonly #length: number;
  readonly #leastRest: number;
  /** Beside the level and the height. */
  readonly #freedom: number;

  readonly #rho: number;
  readonly #before: ReturnType<typeof sumsOf>;

  /**
   * @param noise weights are zero where there is nothing known
   * @param rho autocorrelation of the noise, as far as it is known
   */
  constructor(
    private readonly values: Float64Array,
    private readonly noise: Noise,
    rho: number,
    isValue: Uint8Array = new Uint8Array(values.length).fill(1),
  ) {
    this.#length = values.length;
    this.#rho = Math.min(rho, longestMemory);
    const known = noise.weights?.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0) ?? values.length;
    this.#leastRest = noise.leastVariance * known;
    this.#freedom = known - 2;
    this.#before = sumsOf(isValue);
  }

  /** The series without noise, by the shape that explains it best. */
  model(): Float64Array {
    const white = this.#white(this.#rho);
    const weighed = this.#shapes(white).map(({ shape }) => shape);
    const { from, to, height, gain } = weighed.reduce((best, one) => (one.gain > best.gain ? one : best));
    const column = Float64Array.from({ length: this.#length }, (_, t) =>
      gain > 0 ? height * Math.min(1, Math.max(0, (t - from) / (to - from))) : 0,
    );
    const level = this.values.reduce((sum, value, t) => sum + value - atFloat(column, t), 0) / this.#length;
    return column.map((value) => level + value);
  }

  uncertain(): Required<Uncertain> {
    const whites = this.#memories().map((rho) => this.#white(rho));
    const shapes = this.#shapes(this.#white(this.#rho));
    const known = whites.flatMap((white) => this.#weighed(white, shapes));
    const most = Math.max(...known.map(({ weight }) => weight));
    for (const one of known) one.weight = Math.exp(one.weight - most);
    const whole = known.reduce((sum, { weight }) => sum + weight, 0);
    let [mean, squares] = [0, 0];
    for (const { shape, weight, variance } of known) {
      const own = this.#excess(shape);
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

  #excess({ from, to, height }: FittedShape): number {
    const { count, sum } = this.#before;
    const inside = between(sum, from, to) - from * between(count, from, to);
    return height * (inside / (to - from) + between(count, to, this.#length));
  }

  #white(rho: number): Whitened {
    return new Whitened(this.values, rho, this.noise.weights);
  }

  #memories(): readonly number[] {
    if (this.#freedom < fewestForMemory - 2) return [this.#rho];
    const deviation = 1 / Math.sqrt(this.#freedom + 2);
    return memories
      .map((off) => Math.tanh(Math.atanh(this.#rho) + off * deviation))
      .filter((rho) => rho >= 0 && rho <= longestMemory);
  }

  #rest(white: Whitened, gain: number): number {
    return Math.max(white.constantRss - gain, this.#leastRest);
  }

  /** The logarithm of their probabilities: the variance of noise is not known either (Student's distribution instead of the normal one). */
  #weighed(
    white: Whitened,
    shapes: readonly Weighed[],
  ): readonly { readonly shape: FittedShape; weight: number; readonly variance: number }[] {
    const { length, rho, first, unit, w } = white;
    const found = shapes.flatMap(({ shape: { from, to }, prior }) => {
      const shape = white.fit('ramp', from, to);
      return shape === undefined ? [] : [{ shape, prior }];
    });
    const best = found.reduce(
      (most, one) => (one.shape.gain > most.shape.gain ? one : most),
      at(found, 0),
    ).shape;
    // What level and height take of the likelihood (Patterson and Thompson, 1971): without it, noise seems to have less memory than it has.
    const taken =
      Math.log(first + unit * unit * atFloat(w, length)) +
      Math.log(Math.max(best.gain, 1e-300) / Math.max(best.height ** 2, 1e-300));
    const ofMemory = 0.5 * Math.log(1 - rho * rho) - 0.5 * taken;
    return found.map(({ shape, prior }) => ({
      shape,
      weight: ofMemory + Math.log(prior) - (this.#freedom / 2) * Math.log(this.#rest(white, shape.gain)),
      variance: this.#rest(white, shape.gain) / (this.#freedom - 2),
    }));
  }

  /** All lines, steps and ramps that are possible. */
  #shapes(white: Whitened): readonly Weighed[] {
    const last = this.#length - 1;
    const all = [
      fits(white, [[0, last]]),
      this.#refined(white, ([[low, high]]) =>
        grid([low, Math.min(high, last - 1)], placesOfSteps).map((from) => [from, from + 1] as const),
      ),
      // Of many ramps end before the series, and few where it ends.
      this.#refined(white, ([from]) => grid(from, places).map((place) => [place, last] as const)),
      this.#refined(white, ([, to]) => grid(to, places).map((place) => [0, place] as const)),
      this.#refined(white, ([from, to]) => pairs(from, to, this.#length)),
    ];
    const most = Math.max(...all.flat().map(({ gain }) => gain));
    return all.flatMap((shapes) =>
      shapes
        .filter(({ gain }) => this.#isPossible(white, gain, most))
        .map((shape) => ({ shape, prior: 1 / shapes.length })),
    );
  }

  #isPossible(white: Whitened, gain: number, most: number): boolean {
    return this.#freedom * Math.log(this.#rest(white, gain) / this.#rest(white, most)) < possible;
  }

  /** Of a coarse grid, and of finer ones where these are possible. */
  #refined(
    white: Whitened,
    pairsOf: (around: readonly [Pair, Pair]) => readonly Pair[],
  ): readonly FittedShape[] {
    const last = this.#length - 1;
    let around: readonly [Pair, Pair] = [
      [0, last],
      [0, last],
    ];
    for (;;) {
      const shapes = fits(white, pairsOf(around));
      if (shapes.length === 0) return shapes;
      const most = Math.max(...shapes.map(({ gain }) => gain));
      const likely = shapes.filter(({ gain }) => this.#isPossible(white, gain, most));
      const near = (border: 'from' | 'to', [low, high]: Pair): Pair => {
        const step = Math.ceil((high - low) / places);
        const all = likely.map((shape) => shape[border]);
        return [Math.max(0, Math.min(...all) - step), Math.min(last, Math.max(...all) + step)];
      };
      const next = [near('from', around[0]), near('to', around[1])] as const;
      const sizeOf = (of: readonly [Pair, Pair]): number =>
        of.reduce((sum, [low, high]) => sum + high - low, 0);
      if (sizeOf(next) > sizeOf(around) / 2) return shapes;
      around = next;
    }
  }
}

interface Weighed {
  readonly shape: FittedShape;
  readonly prior: number;
}

type Pair = readonly [low: number, high: number];

function grid([low, high]: Pair, most: number): readonly number[] {
  const step = Math.max(1, (high - low) / most);
  return Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, i) =>
    Math.round(low + i * step),
  );
}

function pairs(first: Pair, second: Pair, length: number): readonly Pair[] {
  const ends = grid(second, places);
  return grid(first, places).flatMap((from) =>
    ends.flatMap((to): Pair[] => (to > from + 1 && to < length ? [[from, to]] : [])),
  );
}

function fits(white: Whitened, all: readonly Pair[]): readonly FittedShape[] {
  return all.flatMap(([from, to]) => (to > from ? (white.fit('ramp', from, to) ?? []) : []));
}

/**
 * What is above the level before the first rise, by the covariance of all coefficients and, to first order, of the places where lines bend.
 * @param blocks means of as many values each
 * @param values of the series
 */
export function costOf(
  blocks: Float64Array,
  explanation: Explanation,
  { weights }: Noise,
  values: number,
): Uncertain {
  const { length } = blocks;
  const unit = values / length;
  if (explanation.curves !== undefined) {
    const { mean, deviation } = costOfCurves(explanation.curves, length);
    return { excess: unit * mean, deviation: unit * deviation };
  }
  const model = modelOf(explanation);
  const before = firstRise(explanation);
  const level = atFloat(model, before);
  const columns = [...explanation.columns, ...placeColumns(explanation, length)];
  const { inverse } = fitColumns(blocks, columns, explanation.rho, weights);
  const above = (column: Float64Array): number =>
    column.reduce(
      (sum, own, t) => (atFloat(model, t) > level ? sum + own - atFloat(column, before) : sum),
      0,
    );
  const slopes = columns.map(above);
  const own = slopes.reduce(
    (sum, slope, i) =>
      sum + slopes.reduce((all, other, k) => all + slope * other * atFloat(at(inverse, i), k), 0),
    0,
  );
  const variance = explanation.fit.rss / Math.max(1, length - columns.length - 2);
  return { excess: unit * above(model), deviation: unit * Math.sqrt(Math.max(0, variance * own)) };
}

function costOfCurves(
  curves: readonly WeighedCurve[],
  length: number,
): { readonly mean: number; readonly deviation: number } {
  const whole = curves.reduce((sum, { weight }) => sum + weight, 0);
  let [mean, squares] = [0, 0];
  for (const { curve, weight, fit } of curves) {
    const size = curve.reduce((sum, own) => sum + own - atFloat(curve, 0), 0);
    const own = size * atFloat(fit.coefficients, 1);
    const variance = (fit.rss / Math.max(1, length - 4)) * atFloat(at(fit.inverse, 1), 1) * size * size;
    mean += (weight / whole) * own;
    squares += (weight / whole) * (own * own + variance);
  }
  return { mean, deviation: Math.sqrt(Math.max(0, squares - mean * mean)) };
}

/** What the model changes by where a bend moves by one; steps move little. */
function placeColumns({ shapes, fit }: Explanation, length: number): readonly Float64Array[] {
  const columns = new Map<number, Float64Array>();
  shapes.forEach(({ kind, from, to }, i) => {
    if (kind === 'box' || to - from <= longestStep) return;
    const slope = atFloat(fit.coefficients, i + 1) / (to - from);
    for (const [place, rest] of [
      [from, (t: number) => (to - t) / (to - from)],
      [to, (t: number) => (t - from) / (to - from)],
    ] as const) {
      if (place === 0 || place === length - 1) continue;
      const column = columns.get(place) ?? new Float64Array(length);
      columns.set(place, column);
      for (let t = from + 1; t < to; t++) column[t] = atFloat(column, t) - slope * rest(t);
    }
  });
  return [...columns.values()];
}

/** Of blocks that have the values of both levels. */
const longestStep = 2;
