import { at, atFloat } from '../at';
import { leftOf, solved, type ColumnsFit } from './leastSquares';

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
  /** Squared innovations that a constant leaves. */
  readonly constantRss: number;
  /** What a constant becomes. */
  readonly #unit: number;
  readonly #oneOne: number;
  readonly #oneZ: number;
  readonly #squares: number;
  /** Sums in front of each position, from position 1 on, of w, w·t, w·t², w·v and w·v·t. */
  readonly #w: Float64Array;
  readonly #wt: Float64Array;
  readonly #wtt: Float64Array;
  readonly #wv: Float64Array;
  readonly #wvt: Float64Array;
  /** Of the last shape. */
  #slope = 0;

  /** @param weights of the innovations: 1 / their variance, relative to each other */
  constructor(
    values: Float64Array,
    readonly rho: number,
    weights?: Float64Array,
  ) {
    const { length } = values;
    const sums = (): Float64Array => new Float64Array(length + 1);
    [this.#w, this.#wt, this.#wtt, this.#wv, this.#wvt] = [sums(), sums(), sums(), sums(), sums()];
    const first = (weights === undefined ? 1 : atFloat(weights, 0)) * (1 - rho * rho);
    let before = atFloat(values, 0);
    let squares = first * before * before;
    this.#oneZ = first * before;
    for (let t = 1; t < length; t++) {
      const own = atFloat(values, t);
      const weight = weights === undefined ? 1 : atFloat(weights, t);
      const v = own - rho * before;
      before = own;
      this.#w[t + 1] = atFloat(this.#w, t) + weight;
      this.#wt[t + 1] = atFloat(this.#wt, t) + weight * t;
      this.#wtt[t + 1] = atFloat(this.#wtt, t) + weight * t * t;
      this.#wv[t + 1] = atFloat(this.#wv, t) + weight * v;
      this.#wvt[t + 1] = atFloat(this.#wvt, t) + weight * v * t;
      squares += weight * v * v;
    }
    this.length = length;
    this.#unit = 1 - rho;
    this.#oneOne = first + this.#unit * this.#unit * atFloat(this.#w, length);
    this.#oneZ += this.#unit * atFloat(this.#wv, length);
    this.#squares = squares;
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

  /**
   * A constant and lines that are zero up to a place each and rise by one per value from there on.
   * @returns the coefficient of the constant first
   */
  hinges(places: readonly number[]): ColumnsFit {
    const size = places.length + 2;
    const table = this.#products(places);
    return solved(size - 1, (i, k) => atFloat(table, i * size + k));
  }

  /** Squared innovations that these leave. */
  hingesRss(places: readonly number[]): number {
    return leftOf(this.#products(places), places.length + 2);
  }

  /** A constant and ramps of height 1. */
  ramps(shapes: readonly Shape[]): ColumnsFit {
    const size = shapes.length + 2;
    const table = this.#rampProducts(shapes);
    return solved(size - 1, (i, k) => atFloat(table, i * size + k));
  }

  /** Squared innovations that these leave. */
  rampsRss(shapes: readonly Shape[]): number {
    return leftOf(this.#rampProducts(shapes), shapes.length + 2);
  }

  /** Of the constant, ramps of height 1, and the series with each other: a ramp is the hinge where it begins less the one where it ends. */
  #rampProducts(shapes: readonly Shape[]): Float64Array {
    const places = [...new Set(shapes.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
    const hinges = places.length + 2;
    const table = this.#products(places);
    const size = shapes.length + 2;
    const begins = shapes.map(({ from }) => places.indexOf(from) + 1);
    const ends = shapes.map(({ to }) => places.indexOf(to) + 1);
    // Rows of hinges, columns of ramps.
    const half = new Float64Array(hinges * size);
    for (let row = 0; row < hinges; row++) {
      const [own, hinge] = [row * size, row * hinges];
      half[own] = atFloat(table, hinge);
      half[own + size - 1] = atFloat(table, hinge + hinges - 1);
      for (let i = 0; i < shapes.length; i++)
        half[own + i + 1] = atFloat(table, hinge + at(begins, i)) - atFloat(table, hinge + at(ends, i));
    }
    const products = new Float64Array(size * size);
    for (let column = 0; column < size; column++) {
      products[column] = atFloat(half, column);
      products[(size - 1) * size + column] = atFloat(half, (hinges - 1) * size + column);
      for (let i = 0; i < shapes.length; i++)
        products[(i + 1) * size + column] =
          atFloat(half, at(begins, i) * size + column) - atFloat(half, at(ends, i) * size + column);
    }
    for (let i = 0; i < shapes.length; i++) {
      const slope = 1 / (at(shapes, i).to - at(shapes, i).from);
      for (let k = 0; k < size; k++) {
        products[(i + 1) * size + k] = slope * atFloat(products, (i + 1) * size + k);
        products[k * size + i + 1] = slope * atFloat(products, k * size + i + 1);
      }
    }
    return products;
  }

  /** Of the constant, hinges at places, and the series with each other. Innovations of a hinge are unit·(t − place) + ρ behind it. */
  #products(places: readonly number[]): Float64Array {
    const unit = this.#unit;
    const { length, rho } = this;
    const [size, series] = [places.length + 2, places.length + 1];
    const table = new Float64Array(size * size);
    const put = (i: number, k: number, product: number): void => {
      table[i * size + k] = product;
      table[k * size + i] = product;
    };
    put(0, 0, this.#oneOne);
    put(0, series, this.#oneZ);
    put(series, series, this.#squares);
    places.forEach((place, i) => {
      const offset = rho - unit * place;
      const [w, wt] = [between(this.#w, place + 1, length), between(this.#wt, place + 1, length)];
      put(0, i + 1, unit * (unit * wt + offset * w));
      put(
        series,
        i + 1,
        unit * between(this.#wvt, place + 1, length) + offset * between(this.#wv, place + 1, length),
      );
      for (let k = 0; k <= i; k++) {
        const first = Math.max(place, at(places, k)) + 1;
        const other = rho - unit * at(places, k);
        const own = between(this.#w, first, length);
        const line = between(this.#wt, first, length);
        put(
          i + 1,
          k + 1,
          unit * unit * between(this.#wtt, first, length) +
            unit * (offset + other) * line +
            offset * other * own,
        );
      }
    });
    return table;
  }

  /** clamp(t, from, to) − from: inside, its innovations are unit·(t − from) + ρ, behind unit·(to − from). */
  #ramp(from: number, to: number): number {
    const { rho } = this;
    const unit = this.#unit;
    const tail = unit * (to - from);
    const w = between(this.#w, from + 1, to + 1);
    const plain = between(this.#wt, from + 1, to + 1);
    const wt = plain - from * w;
    const wtt = between(this.#wtt, from + 1, to + 1) - 2 * from * plain + from * from * w;
    const v = between(this.#wv, from + 1, to + 1);
    const vt = between(this.#wvt, from + 1, to + 1) - from * v;
    const behind = between(this.#w, to + 1, this.length);
    return this.#gain(
      unit * unit * wtt + 2 * unit * rho * wt + rho * rho * w + tail * tail * behind,
      unit * (unit * wt + rho * w + tail * behind),
      unit * vt + rho * v + tail * between(this.#wv, to + 1, this.length),
    );
  }

  /** 1 behind `from` up to `to`: innovations 1, then 1 − ρ, and −ρ behind it. */
  #box(from: number, to: number): number {
    const { rho } = this;
    const unit = this.#unit;
    const after = Math.min(this.length, to + 2);
    const first = between(this.#w, from + 1, from + 2);
    const inside = between(this.#w, from + 2, to + 1);
    const last = between(this.#w, to + 1, after);
    return this.#gain(
      first + unit * unit * inside + rho * rho * last,
      unit * (first + unit * inside - rho * last),
      between(this.#wv, from + 1, from + 2) +
        unit * between(this.#wv, from + 2, to + 1) -
        rho * between(this.#wv, to + 1, after),
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

function between(sums: Float64Array, from: number, to: number): number {
  return atFloat(sums, to) - atFloat(sums, from);
}
