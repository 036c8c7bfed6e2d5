import { atFloat } from '../at';

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
  readonly #oneOne: number;
  readonly #oneZ: number;
  /** Of the last shape. */
  #slope = 0;

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
    this.#oneZ = first * before;
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
    this.#oneOne = first + this.unit * this.unit * atFloat(w, length);
    this.#oneZ += this.unit * atFloat(wv, length);
    this.constantRss = squares - (this.#oneZ * this.#oneZ) / this.#oneOne;
  }

  /** Undefined where nothing is left of the shape beside a constant. */
  fit(kind: Shape['kind'], from: number, to: number): FittedShape | undefined {
    const gain = this.gain(kind, from, to);
    if (gain < 0) return undefined;
    return { kind, from, to, gain, height: this.#slope * (kind === 'ramp' ? to - from : 1) };
  }

  /** Of the shape that `fit` makes; negative: nothing is left of it beside a constant. For many shapes, of which few are wanted. */
  gain(kind: Shape['kind'], from: number, to: number): number {
    return kind === 'ramp' ? this.#ramp(from, to) : this.#box(from, to);
  }

  /** The same of any column. */
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
    return this.#gain(own, withOne, withValues);
  }

  /** clamp(t, from, to) − from: inside, its innovations are unit·(t − from) + ρ, behind unit·(to − from). */
  #ramp(from: number, to: number): number {
    const { rho, unit, length } = this;
    const tail = unit * (to - from);
    const w = between(this.w, from + 1, to + 1);
    const plain = between(this.wt, from + 1, to + 1);
    const wt = plain - from * w;
    const wtt = between(this.wtt, from + 1, to + 1) - 2 * from * plain + from * from * w;
    const v = between(this.wv, from + 1, to + 1);
    const vt = between(this.wvt, from + 1, to + 1) - from * v;
    const behind = between(this.w, to + 1, length);
    return this.#gain(
      unit * unit * wtt + 2 * unit * rho * wt + rho * rho * w + tail * tail * behind,
      unit * (unit * wt + rho * w + tail * behind),
      unit * vt + rho * v + tail * between(this.wv, to + 1, length),
    );
  }

  /** 1 behind `from` up to `to`: innovations 1, then 1 − ρ, and −ρ behind it. */
  #box(from: number, to: number): number {
    const { rho, unit } = this;
    const after = Math.min(this.length, to + 2);
    const first = between(this.w, from + 1, from + 2);
    const inside = between(this.w, from + 2, to + 1);
    const last = between(this.w, to + 1, after);
    return this.#gain(
      first + unit * unit * inside + rho * rho * last,
      unit * (first + unit * inside - rho * last),
      between(this.wv, from + 1, from + 2) +
        unit * between(this.wv, from + 2, to + 1) -
        rho * between(this.wv, to + 1, after),
    );
  }

  /** By the products of the whitened shape with itself, the constant and the series. */
  #gain(own: number, withOne: number, withValues: number): number {
    const left = own - (withOne * withOne) / this.#oneOne;
    if (!(left > 1e-9 * own)) return -1;
    this.#slope = (withValues - (withOne * this.#oneZ) / this.#oneOne) / left;
    return this.#slope * this.#slope * left;
  }
}

/** Of sums in front of positions. */
export function between(sums: Float64Array, from: number, to: number): number {
  return atFloat(sums, to) - atFloat(sums, from);
}
