import { at, atFloat } from '../at';
import { betweenVariance, type Shift } from './between';
import { digamma, moderated, priorOf, trigamma, type OwnVariance } from './moderation';
import { quantileOfT, tailOfT } from './studentT';

/** A quantity in each run of both sides; all above 0. */
export interface Quantity {
  readonly values: Float64Array;
  /** Variance of the logarithm of its ratio of the sides beside what repetitions show; default 0. */
  readonly doubt?: number;
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
 * compared. Few repetitions say little about the noise of one quantity, and so the others help in two ways: by how much one side is noisier than the other, in
 * all of them alike; and how the variances of quantities are distributed (Smyth 2004). Student's t, and Holm's correction for so many tests.
 * @param expected by how much quantities may be expected to differ between the sides beyond the noise of the runs where nothing changed; how much it is, is
 *   estimated for each from the others (`betweenVariance`); absent: they do not
 */
export function changesOf(
  quantities: readonly Quantity[],
  first: number,
  expected?: OwnVariance,
): readonly Change[] {
  const shifts = shiftsOf(quantities, first);
  const byChance = shifts.map((shift, row) => {
    const others = shifts.filter((_, other) => other !== row);
    return chanceOf(shift, expected === undefined ? nothing : betweenVariance(others, expected));
  });
  const corrected = holm(byChance.map((value) => value ?? 1));
  return shifts.map(({ difference }, row) => ({
    ratio: Math.exp(difference),
    ...(byChance[row] === undefined ? {} : { byChance: at(corrected, row) }),
  }));
}

/** By how much each quantity differs between the sides, and how much of that is noise of the runs. */
export function shiftsOf(quantities: readonly Quantity[], first: number): readonly Shift[] {
  const rows = quantities.map(({ values }) => {
    const logs = values.map(Math.log);
    return [spreadOf(logs.subarray(0, first)), spreadOf(logs.subarray(first))] as const;
  });
  const noise = noiseRatio(rows);
  const own = rows.map(([a, b]): OwnVariance => {
    const freedom = a.freedom + b.freedom;
    return { variance: freedom > 0 ? (a.squares + b.squares / noise.ratio) / freedom : 0, freedom };
  });
  const prior = priorOf(own);
  return rows.map(([a, b], row): Shift => {
    const { variance, freedom } = moderated(at(own, row), prior);
    const [weightA, weightB] = [1 / a.count, noise.ratio / b.count];
    // How much the variance changes with the noise ratio, relatively: not at all for sides of equal numbers of runs and equal noise.
    const lean = weightB / (weightA + weightB) - b.freedom / (a.freedom + b.freedom);
    return {
      difference: b.mean - a.mean,
      variance: variance * (weightA + weightB),
      // Variances of logarithms of variances add up, and are 2 ÷ degrees of freedom.
      freedom: freedom === 0 ? 0 : 2 / (2 / freedom + lean * lean * noise.doubt),
      doubt: at(quantities, row).doubt ?? 0,
    };
  });
}

const nothing: OwnVariance = { variance: 0, freedom: 0 };

/** Probability of a shift or a larger one, by what the runs show, by what is doubtful, and by what the other quantities show. */
export function chanceOf(shift: Shift, between: OwnVariance): number | undefined {
  if (shift.freedom === 0) return undefined;
  const { difference } = shift;
  const whole = wholeVariance(shift, between);
  if (whole.variance === 0) return difference === 0 ? 1 : 0;
  // What is added makes nothing surer, although more degrees of freedom are behind the sum.
  return Math.max(
    ...[shift, whole].map(({ variance, freedom }) => tailOfT(difference / Math.sqrt(variance), freedom)),
  );
}

/** The smallest difference, as a logarithm, that has this probability: smaller ones are hidden. */
export function leastShift(shift: Shift, between: OwnVariance, probability: number): number {
  if (shift.freedom === 0) return 0;
  return Math.max(
    ...[shift, wholeVariance(shift, between)].map(
      ({ variance, freedom }) => quantileOfT(probability, freedom) * Math.sqrt(variance),
    ),
  );
}

/** Variances of sums: F. E. Satterthwaite, Biometrics Bulletin 2 (1946). */
function wholeVariance({ variance, freedom, doubt }: Shift, between: OwnVariance): OwnVariance {
  const whole = variance + doubt + between.variance;
  const spread =
    variance ** 2 / freedom + (between.variance === 0 ? 0 : between.variance ** 2 / between.freedom);
  return { variance: whole, freedom: spread === 0 ? Infinity : whole ** 2 / spread };
}

interface Spread {
  readonly count: number;
  readonly mean: number;
  /** Sum of squared differences from the mean. */
  readonly squares: number;
  readonly freedom: number;
}

/** Variance of the second side ÷ that of the first, in most quantities, and the variance of its logarithm; 1 where a side was not repeated. */
function noiseRatio(rows: readonly (readonly [Spread, Spread])[]): {
  readonly ratio: number;
  readonly doubt: number;
} {
  const usable = rows.filter((sides) => sides.every(({ freedom, squares }) => freedom > 0 && squares > 0));
  const [one] = usable;
  if (one === undefined) return { ratio: 1, doubt: 0 };
  const logs = usable.reduce((sum, [a, b]) => sum + logVariance(b) - logVariance(a), 0);
  const doubt = one.reduce((sum, { freedom }) => sum + trigamma(freedom / 2), 0);
  return { ratio: Math.exp(logs / usable.length), doubt: doubt / usable.length };
}

/** Without the bias that the logarithm of few measurements has. */
function logVariance({ squares, freedom }: Spread): number {
  return Math.log(squares / freedom) - digamma(freedom / 2) + Math.log(freedom / 2);
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

function spreadOf(values: Float64Array): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count: values.length, mean, squares, freedom: values.length - 1 };
}

/** The middle one, or the mean of both. */
export function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const half = (sorted.length - 1) / 2;
  return (atFloat(sorted, Math.floor(half)) + atFloat(sorted, Math.ceil(half))) / 2;
}
