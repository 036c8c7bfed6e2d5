import { atFloat, atInt } from '../at';

/** How a level changes: it rises (or falls) between two positions, which is a step where these are neighbours; or it is another one behind `from`, up to `to`. */
export interface Shape {
  readonly kind: 'ramp' | 'box';
  readonly from: number;
  readonly to: number;
}

export interface FittedShape extends Shape {
  readonly height: number;
  /** By which it reduces the squared innovations that a constant leaves. */
  readonly gain: number;
}

/** Where shapes begin and end. */
export interface Pairs {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Shapes of one kind, by column: there are thousands of them, and objects take several times as long. */
export interface Fits extends Pairs {
  readonly height: Float64Array;
  /** As of `FittedShape`; negative where nothing is left of the shape beside a constant. */
  readonly gain: Float64Array;
}

/**
 * A series under first-order autoregressive noise, made white: v₀ = √(1 − ρ²)·z₀, vₜ = zₜ − ρ·zₜ₋₁ (Prais and Winsten, 1954). The generalised least squares
 * of a constant and one shape are computed in constant time, from sums.
 */
export class Whitened {
  readonly length: number;
  /** Squared innovations. */
  readonly squares: number;
  /** Squared innovations that a constant leaves. */
  readonly constantRss: number;
  /** What a constant becomes. */
  readonly unit: number;
  /** Weight of the square of the first value. */
  readonly first: number;
  /** Sums in front of each position, from position 1 on, of w, w·t, w·t², w·v and w·v·t. */
  readonly w: Float64Array;
  readonly wt: Float64Array;
  readonly wtt: Float64Array;
  readonly wv: Float64Array;
  readonly wvt: Float64Array;
  /** 1 by the square of what a constant becomes. */
  readonly #perOne: number;
  readonly #mean: number;
  readonly #one = fitsOf({ from: new Int32Array(1), to: new Int32Array(1) });

  /** @param weights of the innovations: 1 / their variance, relative to each other */
  constructor(
    readonly values: Float64Array,
    readonly rho: number,
    private readonly weights?: Float64Array,
  ) {
    const { length } = values;
    const sums = (): Float64Array => new Float64Array(length + 1);
    const [w, wt, wtt, wv, wvt] = [sums(), sums(), sums(), sums(), sums()];
    const first = (weights === undefined ? 1 : atFloat(weights, 0)) * (1 - rho * rho);
    let before = atFloat(values, 0);
    let squares = first * before * before;
    let sum = first * before;
    for (let t = 1; t < length; t++) {
      const own = atFloat(values, t);
      const weight = weights === undefined ? 1 : atFloat(weights, t);
      const v = own - rho * before;
      before = own;
      w[t + 1] = atFloat(w, t) + weight;
      wt[t + 1] = atFloat(wt, t) + weight * t;
      wtt[t + 1] = atFloat(wtt, t) + weight * t * t;
      wv[t + 1] = atFloat(wv, t) + weight * v;
      wvt[t + 1] = atFloat(wvt, t) + weight * v * t;
      squares += weight * v * v;
    }
    this.length = length;
    this.unit = 1 - rho;
    this.first = first;
    this.squares = squares;
    [this.w, this.wt, this.wtt, this.wv, this.wvt] = [w, wt, wtt, wv, wvt];
    sum += this.unit * atFloat(wv, length);
    this.#perOne = 1 / (first + this.unit * this.unit * atFloat(w, length));
    this.#mean = sum * this.#perOne;
    this.constantRss = squares - sum * this.#mean;
  }

  /** Undefined where nothing is left of the shape beside a constant. */
  fit(kind: Shape['kind'], from: number, to: number): FittedShape | undefined {
    this.#one.from[0] = from;
    this.#one.to[0] = to;
    return this.best(kind, this.#one);
  }

  /** All of them, each by itself. */
  ramps(pairs: Pairs): Fits {
    const fits = fitsOf(pairs);
    this.#fitRamps(fits);
    return fits;
  }

  /** The shape that explains most, between two places each. @param fits of which the columns of results are overwritten */
  best(kind: Shape['kind'], fits: Fits): FittedShape | undefined {
    if (kind === 'ramp') this.#fitRamps(fits);
    else this.#fitBoxes(fits);
    const i = indexOfMost(fits.gain);
    if (fits.gain.length === 0 || atFloat(fits.gain, i) < 0) return undefined;
    const [from, to] = [atInt(fits.from, i), atInt(fits.to, i)];
    return { kind, from, to, gain: atFloat(fits.gain, i), height: atFloat(fits.height, i) };
  }

  /** By how much any column reduces the squared innovations that a constant leaves. */
  gainOf(column: Float64Array): number {
    const { values, weights, rho, length, unit } = this;
    let [x, z] = [atFloat(column, 0), atFloat(values, 0)];
    let [own, withOne, withValues] = [this.first * x * x, this.first * x, this.first * x * z];
    for (let t = 1; t < length; t++) {
      const weight = weights === undefined ? 1 : atFloat(weights, t);
      const innovation = weight * (atFloat(column, t) - rho * x);
      own += innovation * (atFloat(column, t) - rho * x);
      withOne += innovation * unit;
      withValues += innovation * (atFloat(values, t) - rho * z);
      x = atFloat(column, t);
      z = atFloat(values, t);
    }
    const left = leftOf(own, withOne, this.#perOne);
    return left > 0 ? (withValues - withOne * this.#mean) ** 2 / left : 0;
  }

  /** clamp(t, from, to) − from: inside, its innovations are unit·t + offset, behind unit·(to − from). One loop over all: calls would be most of the work. */
  #fitRamps({ from, to, gain, height }: Fits): void {
    const { unit, rho, length, w, wt, wtt, wv, wvt } = this;
    const [perOne, mean] = [this.#perOne, this.#mean];
    for (let i = 0; i < from.length; i++) {
      const [begin, end] = [atInt(from, i) + 1, atInt(to, i) + 1];
      const offset = rho - unit * (begin - 1);
      const tail = unit * (end - begin);
      const inside = atFloat(w, end) - atFloat(w, begin);
      const behind = tail * (atFloat(w, length) - atFloat(w, end));
      const line = unit * (atFloat(wt, end) - atFloat(wt, begin));
      const squares = unit * unit * (atFloat(wtt, end) - atFloat(wtt, begin));
      const own = squares + 2 * offset * line + offset * offset * inside + tail * behind;
      const withOne = unit * (line + offset * inside + behind);
      const withValues =
        unit * (atFloat(wvt, end) - atFloat(wvt, begin)) +
        offset * (atFloat(wv, end) - atFloat(wv, begin)) +
        tail * (atFloat(wv, length) - atFloat(wv, end));
      const left = leftOf(own, withOne, perOne);
      const both = withValues - withOne * mean;
      gain[i] = left > 0 ? (both * both) / left : -1;
      height[i] = left > 0 ? (both / left) * (end - begin) : 0;
    }
  }

  /** 1 behind `from` up to `to`: innovations 1, then 1 − ρ, and −ρ behind it. */
  #fitBoxes({ from, to, gain, height }: Fits): void {
    const { unit, rho, length, w, wv } = this;
    const [perOne, mean] = [this.#perOne, this.#mean];
    for (let i = 0; i < from.length; i++) {
      const [begin, end] = [atInt(from, i) + 1, atInt(to, i) + 1];
      const after = Math.min(length, end + 1);
      const first = atFloat(w, begin + 1) - atFloat(w, begin);
      const inside = unit * (atFloat(w, end) - atFloat(w, begin + 1));
      const last = rho * (atFloat(w, after) - atFloat(w, end));
      const own = first + unit * inside + rho * last;
      const withOne = unit * (first + inside - last);
      const withValues =
        atFloat(wv, begin + 1) -
        atFloat(wv, begin) +
        unit * (atFloat(wv, end) - atFloat(wv, begin + 1)) -
        rho * (atFloat(wv, after) - atFloat(wv, end));
      const left = leftOf(own, withOne, perOne);
      const both = withValues - withOne * mean;
      gain[i] = left > 0 ? (both * both) / left : -1;
      height[i] = left > 0 ? both / left : 0;
    }
  }
}

/** Of a whitened shape's product with itself, beside a constant; 0 where that is nothing. */
function leftOf(own: number, withOne: number, perOne: number): number {
  const left = own - withOne * withOne * perOne;
  return left > 1e-9 * own ? left : 0;
}

/** Columns for the shapes between these places. */
export function fitsOf({ from, to }: Pairs): Fits {
  return { from, to, height: new Float64Array(from.length), gain: new Float64Array(from.length) };
}

/** The first of several. */
export function indexOfMost(values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (atFloat(values, i) > atFloat(values, best)) best = i;
  return best;
}

/** Of sums in front of positions. */
export function between(sums: Float64Array, from: number, to: number): number {
  return atFloat(sums, to) - atFloat(sums, from);
}
