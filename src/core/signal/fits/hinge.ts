/**
 * Where a rise becomes a fall, or a fall a rise: the knee of the best continuous line of two straight pieces. Smoothing moves the extremum
 * of noisy data by more than a fit of both sides does.
 */
import { atFloat } from '../../at';

export interface Hinge {
  /** Last sample of the first piece. */
  readonly at: number;
  /** Slopes per sample before and after. */
  readonly before: number;
  readonly after: number;
  /** R² of the fit. */
  readonly fit: number;
}

/** The least-squares knee within values[first … last]; undefined with fewer than five samples or without any change. */
export function fitHinge(values: Float64Array, first: number, last: number): Hinge | undefined {
  const length = last - first + 1;
  if (length < 5) return undefined;
  const middle = (length - 1) / 2;
  // Relative to one of the values: equal values have exactly no squares about their mean.
  const base = atFloat(values, first);
  let mean = 0;
  for (let i = first; i <= last; i++) mean += (atFloat(values, i) - base) / length;
  mean += base;
  let moment = 0;
  let squares = 0;
  for (let n = 0; n < length; n++) {
    const value = atFloat(values, first + n) - mean;
    moment += (n - middle) * value;
    squares += value * value;
  }
  if (squares === 0) return undefined;
  const spread = (length * (length * length - 1)) / 12;
  const slope = moment / spread;

  // From the right: sums of residuals of the straight line, and of these sums, are the products with max(0, n - knee).
  let [sum, product, mostGain, corner, bend] = [0, 0, 0, -1, 0];
  for (let knee = length - 2; knee > 0; knee--) {
    sum += atFloat(values, first + knee + 1) - mean - slope * (knee + 1 - middle);
    product += sum;
    const free = freeSquares(length, knee, middle, spread);
    const gain = free > 0 ? (product * product) / free : 0;
    if (gain > mostGain) {
      mostGain = gain;
      corner = knee;
      bend = product / free;
    }
  }
  if (corner < 0) return undefined;
  // The bend reduces the straight line's slope.
  const before = slope - (bend * momentOfBend(length, corner, middle)) / spread;
  return { at: first + corner, before, after: before + bend, fit: (slope * moment + mostGain) / squares };
}

/** Σ (n - middle)·max(0, n - knee). */
function momentOfBend(length: number, knee: number, middle: number): number {
  const m = length - 1 - knee;
  return ((knee - middle) * m * (m + 1)) / 2 + (m * (m + 1) * (2 * m + 1)) / 6;
}

/** Squares of max(0, n - knee) that no straight line explains. */
function freeSquares(length: number, knee: number, middle: number, spread: number): number {
  const m = length - 1 - knee;
  const squares = (m * (m + 1) * (2 * m + 1)) / 6;
  const sum = (m * (m + 1)) / 2;
  return squares - (sum * sum) / length - momentOfBend(length, knee, middle) ** 2 / spread;
}
