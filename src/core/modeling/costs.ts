import { atFloat } from '../at';

export function mean(ys: Float64Array): number {
  return ys.reduce((sum, y) => sum + y, 0) / ys.length;
}

/** Σ (y − mean)². */
export function totalSquares(ys: Float64Array): number {
  const middle = mean(ys);
  return ys.reduce((sum, y) => sum + (y - middle) ** 2, 0);
}

/** Sums of what models miss, point by point. */
export class Costs {
  rss = 0;
  nrss = 0;
  #smape = 0;
  #re = 0;
  #rrss = 0;

  constructor(private readonly points: number) {}

  add(predicted: number, measured: number): void {
    const miss = predicted - measured;
    const size = Math.abs(measured) + Math.abs(predicted);
    this.rss += miss * miss;
    if (size !== 0) this.#smape += (200 * Math.abs(miss)) / size / this.points;
    if (measured === 0) return;
    this.#re += Math.abs(miss / measured) / this.points;
    this.#rrss += (miss / measured) ** 2;
  }

  values(): {
    readonly smape: number;
    readonly rss: number;
    readonly re: number;
    readonly rrss: number;
    readonly nrss: number;
  } {
    return { smape: this.#smape, rss: this.rss, re: this.#re, rrss: this.#rrss, nrss: this.nrss };
  }
}

/** The adjusted coefficient of determination of a model with a number of factors in its terms. */
export function adjusted(rss: number, ys: Float64Array, factors = 1): number {
  return 1 - ((rss / totalSquares(ys)) * (ys.length - 1)) / (ys.length - factors - 1);
}

/** The largest share that a term has of a value. NaN (0 of 0) is handed on, and excludes no term in Extra-P. */
export function largestShare(coefficient: number, shape: Float64Array, ys: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < ys.length; i++)
    largest = Math.max(largest, Math.abs((coefficient * atFloat(shape, i)) / atFloat(ys, i)));
  return largest;
}
