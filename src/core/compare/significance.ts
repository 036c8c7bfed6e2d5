import { at, atFloat } from '../at';
import { moderated, priorOf, type OwnVariance } from './moderation';
import { tailOfT } from './studentT';

/** A quantity in each run of both sides; all above 0. */
export interface Quantity {
  readonly values: Float64Array;
}

/** How a quantity differs between the sides. */
export interface Change {
  /** Second ÷ first, of geometric means. */
  readonly ratio: number;
  /** Probability of such a change, or a larger one, of any of the quantities where nothing changed; absent: no side was repeated. */
  readonly byChance?: number;
}

/**
 * How each of several quantities differs between `first` runs and the others. The noise of a measurement is a share of what is measured, and so logarithms are
 * compared: Student's t with variances that the others moderate (Smyth 2004), and Holm's correction for so many tests.
 * @param shift what all changed by, as a logarithm; the changes are beside it
 */
export function changesOf(quantities: readonly Quantity[], first: number, shift = 0): readonly Change[] {
  const rows = quantities.map(({ values }) => {
    const logs = values.map(Math.log);
    const [a, b] = [logs.subarray(0, first), logs.subarray(first)];
    const difference = meanOf(b) - meanOf(a) - shift;
    const freedom = values.length - 2;
    const own: OwnVariance = {
      variance: freedom > 0 ? (squares(a) + squares(b)) / freedom : 0,
      freedom: Math.max(0, freedom),
    };
    return { difference, own, weight: 1 / a.length + 1 / b.length };
  });
  const prior = priorOf(rows.map(({ own }) => own));
  const byChance = rows.map(({ difference, own, weight }) => {
    const { variance, freedom } = moderated(own, prior);
    if (freedom === 0) return undefined;
    if (variance === 0) return difference === 0 ? 1 : 0;
    return tailOfT(difference / Math.sqrt(variance * weight), freedom);
  });
  const corrected = holm(byChance.map((value) => value ?? 1));
  return rows.map(({ difference }, row) => ({
    ratio: Math.exp(difference),
    ...(byChance[row] === undefined ? {} : { byChance: at(corrected, row) }),
  }));
}

/** S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979). */
export function holm(tails: readonly number[]): readonly number[] {
  const order = [...tails.keys()].sort((a, b) => at(tails, a) - at(tails, b));
  const corrected = new Array<number>(tails.length);
  let largest = 0;
  order.forEach((row, rank) => {
    largest = Math.max(largest, Math.min(1, at(tails, row) * (tails.length - rank)));
    corrected[row] = largest;
  });
  return corrected;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function squares(values: Float64Array): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** The middle one, or the mean of both. */
export function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const half = (sorted.length - 1) / 2;
  return (atFloat(sorted, Math.floor(half)) + atFloat(sorted, Math.ceil(half))) / 2;
}
