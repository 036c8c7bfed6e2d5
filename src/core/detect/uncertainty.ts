/** How well the cost of a rise and its place are known: all lines, steps and ramps, weighed by how well they explain the series, whatever the memory of its noise. */
import { at, atFloat, atInt } from '../at';
import type { Noise } from './evidence';
import { firstRise, modelOf, type Explanation, type WeighedCurve } from './explanations';
import { fitColumns } from './leastSquares';
import { sumsOf } from './gaps';
import { between, indexOfMost, Whitened, type Fits, type Pairs } from './whitened';

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
    const { from, to, height, gain } = white.ramps(this.#shapes(white));
    const best = indexOfMost(gain);
    const [begin, end] = [atInt(from, best), atInt(to, best)];
    const rise = atFloat(gain, best) > 0 ? atFloat(height, best) : 0;
    const model = new Float64Array(this.#length);
    let sum = 0;
    for (let t = 0; t < model.length; t++) {
      model[t] = rise * Math.min(1, Math.max(0, (t - begin) / (end - begin)));
      sum = sum + atFloat(this.values, t) - atFloat(model, t);
    }
    const level = sum / model.length;
    for (let t = 0; t < model.length; t++) model[t] = level + atFloat(model, t);
    return model;
  }

  uncertain(): Required<Uncertain> {
    const shapes = this.#shapes(this.#white(this.#rho));
    const known = this.#memories().map((rho) => this.#weighed(this.#white(rho), shapes));
    const most = Math.max(...known.map(({ logarithms }) => atFloat(logarithms, indexOfMost(logarithms))));
    const [begins, ends] = [new Float64Array(this.#length), new Float64Array(this.#length)];
    let [whole, sum, squares] = [0, 0, 0];
    for (const { white, ramps, logarithms } of known)
      for (let i = 0; i < logarithms.length; i++) {
        const weight = Math.exp(atFloat(logarithms, i) - most);
        const [from, to, gain] = [atInt(ramps.from, i), atInt(ramps.to, i), atFloat(ramps.gain, i)];
        const own = atFloat(ramps.height, i) * this.#excess(from, to);
        const variance = this.#rest(white, gain) / (this.#freedom - 2);
        whole += weight;
        sum += weight * own;
        // The height's variance is height² · σ² / gain.
        squares += weight * own * own * (1 + variance / Math.max(gain, variance / 100));
        begins[from] = atFloat(begins, from) + weight;
        ends[to] = atFloat(ends, to) + weight;
      }
    const mean = sum / whole;
    return {
      excess: mean,
      deviation: Math.sqrt(Math.max(0, squares / whole - mean * mean)),
      onset: rangeOf(begins, whole),
      end: rangeOf(ends, whole),
    };
  }

  /** Of a rise by one. */
  #excess(from: number, to: number): number {
    const { count, sum } = this.#before;
    const inside = between(sum, from, to) - from * between(count, from, to);
    return inside / (to - from) + between(count, to, this.#length);
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

  /** The variance of noise is not known either: Student's distribution instead of the normal one. */
  #weighed(white: Whitened, shapes: Shapes): Known {
    const { length, rho, first, unit, w } = white;
    const ramps = white.ramps(shapes);
    const best = indexOfMost(ramps.gain);
    // What level and height take of the likelihood (Patterson and Thompson, 1971): without it, noise seems to have less memory than it has.
    const [gain, height] = [atFloat(ramps.gain, best), atFloat(ramps.height, best)];
    const taken =
      Math.log(first + unit * unit * atFloat(w, length)) +
      Math.log(Math.max(gain, 1e-300) / Math.max(height ** 2, 1e-300));
    const ofMemory = 0.5 * Math.log(1 - rho * rho) - 0.5 * taken;
    const logarithms = new Float64Array(ramps.gain.length);
    for (let i = 0; i < logarithms.length; i++) {
      const own = atFloat(ramps.gain, i);
      const ofShape = ofMemory + Math.log(atFloat(shapes.prior, i));
      logarithms[i] = own < 0 ? -Infinity : ofShape - (this.#freedom / 2) * Math.log(this.#rest(white, own));
    }
    return { white, ramps, logarithms };
  }

  /** All lines, steps and ramps that are possible. */
  #shapes(white: Whitened): Shapes {
    const last = this.#length - 1;
    const kinds = [
      white.ramps(rampsOf([0], [last])),
      this.#refined(white, ([[low, high]]) => stepsAt(grid([low, Math.min(high, last - 1)], placesOfSteps))),
      // Of many ramps end before the series, and few where it ends.
      this.#refined(white, ([from]) => rampsOf(grid(from, places), [last])),
      this.#refined(white, ([, to]) => rampsOf([0], grid(to, places))),
      this.#refined(white, ([from, to]) => rampsOf(grid(from, places), grid(to, places), 2)),
    ];
    const least = this.#leastGain(white, Math.max(...kinds.map(({ gain }) => mostOf(gain))));
    const [begins, ends, priors]: [number[], number[], number[]] = [[], [], []];
    for (const { from, to, gain } of kinds) {
      let count = 0;
      for (const own of gain) if (own >= 0) count++;
      for (let i = 0; i < gain.length; i++) {
        if (atFloat(gain, i) < least) continue;
        begins.push(atInt(from, i));
        ends.push(atInt(to, i));
        priors.push(1 / count);
      }
    }
    return { from: new Int32Array(begins), to: new Int32Array(ends), prior: new Float64Array(priors) };
  }

  /** What a shape that is possible gains, where the best one gains `most`. */
  #leastGain(white: Whitened, most: number): number {
    const rest = this.#rest(white, most) * Math.exp(possible / Math.max(0, this.#freedom));
    return Math.max(0, white.constantRss - rest);
  }

  /** Of a coarse grid, and of finer ones where these are possible. */
  #refined(white: Whitened, pairsOf: (around: readonly [Pair, Pair]) => Pairs): Fits {
    const last = this.#length - 1;
    let around: readonly [Pair, Pair] = [
      [0, last],
      [0, last],
    ];
    for (;;) {
      const ramps = white.ramps(pairsOf(around));
      const most = mostOf(ramps.gain);
      if (most < 0) return ramps;
      const least = this.#leastGain(white, most);
      const near = (border: 'from' | 'to', [low, high]: Pair): Pair => {
        const step = Math.ceil((high - low) / places);
        let [first, end] = [last, 0];
        for (let i = 0; i < ramps.gain.length; i++) {
          if (atFloat(ramps.gain, i) < least) continue;
          first = Math.min(first, atInt(ramps[border], i));
          end = Math.max(end, atInt(ramps[border], i));
        }
        return [Math.max(0, first - step), Math.min(last, end + step)];
      };
      const next = [near('from', around[0]), near('to', around[1])] as const;
      const sizeOf = (of: readonly [Pair, Pair]): number =>
        of.reduce((sum, [low, high]) => sum + high - low, 0);
      if (sizeOf(next) > sizeOf(around) / 2) return ramps;
      around = next;
    }
  }
}

interface Shapes extends Pairs {
  readonly prior: Float64Array;
}

interface Known {
  readonly white: Whitened;
  readonly ramps: Fits;
  /** Of the probabilities. */
  readonly logarithms: Float64Array;
}

type Pair = readonly [low: number, high: number];

function grid([low, high]: Pair, most: number): readonly number[] {
  const step = Math.max(1, (high - low) / most);
  return Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, i) =>
    Math.round(low + i * step),
  );
}

function stepsAt(places: readonly number[]): Pairs {
  const from = new Int32Array(places);
  return { from, to: from.map((place) => place + 1) };
}

/** @param shortest values from the beginning to the end */
function rampsOf(begins: readonly number[], ends: readonly number[], shortest = 1): Pairs {
  const [from, to]: [number[], number[]] = [[], []];
  for (const begin of begins)
    for (const end of ends) {
      if (end < begin + shortest) continue;
      from.push(begin);
      to.push(end);
    }
  return { from: new Int32Array(from), to: new Int32Array(to) };
}

/** Negative without any. */
function mostOf(gains: Float64Array): number {
  return gains.length === 0 ? -1 : atFloat(gains, indexOfMost(gains));
}

/** What contains 95 % of the weights. */
function rangeOf(weights: Float64Array, whole: number): readonly [number, number] {
  const quantile = (share: number): number => {
    let sum = 0;
    return weights.findIndex((weight) => (sum += weight) >= share * whole);
  };
  return [quantile(0.025), quantile(0.975)];
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
