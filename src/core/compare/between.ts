import type { OwnVariance } from './moderation';
import { tailOfT } from './studentT';

/** By how much the logarithm of a quantity differs between two sides. */
export interface Shift {
  readonly difference: number;
  /** Variance of the difference by the noise of the runs, and its degrees of freedom. */
  readonly variance: number;
  readonly freedom: number;
  /** Further variance that the runs do not show. */
  readonly doubt: number;
}

/** By how much longer functions take, as logarithms: a standard deviation for each unit of the logarithm of wall time ÷ processor time. */
const byLoad = 0.3;
/** As many functions that knowledge is worth. */
const worth = 4;

/**
 * What the load of a machine does to functions, before anything is known of them: on a processor that others use half of the time (their programs take
 * caches and memory bandwidth, too), some take a fifth longer and others hardly.
 * @param load difference of the sides in the logarithm of wall time ÷ processor time; undefined: not known
 */
export function loadVariance(load: number | undefined): OwnVariance {
  return load === undefined
    ? { variance: 0, freedom: 0 }
    : { variance: (byLoad * load) ** 2, freedom: worth };
}

/** Shifts that are larger than noise by no more than chance makes them in so many comparisons show nothing. */
const byChance = 0.01;

/**
 * By how much quantities differ between two sides beyond the noise of the runs, as a variance: between measurements, a machine changes what it does not change
 * between the runs of one of them, and differently for each function. It is the random effect of meta-analysis: the variance with which squared shifts,
 * each divided by its whole variance, are as large on average as chance makes them (R. C. Paule and J. Mandel, Consensus values and weighting factors,
 * Journal of Research of the National Bureau of Standards 87 (1982)). The largest is left out on both sides of that equation, for it may be a change of the program.
 * @param expected what the load of the machine lets expect (`loadVariance`)
 */
export function betweenVariance(shifts: readonly Shift[], expected: OwnVariance): OwnVariance {
  const shown = shownVariance(shifts);
  const freedom = shown.freedom + expected.freedom;
  if (freedom === 0) return { variance: 0, freedom };
  return {
    variance: (shown.freedom * shown.variance + expected.freedom * expected.variance) / freedom,
    // Few functions change much, and most hardly: such variances are as uncertain as normal ones of half as many.
    freedom: freedom / 2,
  };
}

function shownVariance(all: readonly Shift[]): OwnVariance {
  const shifts = all.filter(({ variance, doubt }) => variance + doubt > 0);
  const count = shifts.length - 1;
  // The smaller one of two shows nothing.
  if (count < 2) return { variance: 0, freedom: 0 };
  const expected = expectedWithoutLargest(shifts.length);
  const excess = (between: number): number => {
    const squares = shifts.map(
      ({ difference, variance, doubt }) => difference ** 2 / (variance + doubt + between),
    );
    return squares.reduce((sum, square) => sum + square, 0) - Math.max(...squares) - expected;
  };
  // Whether the largest is such a change is not known: those that remain are all or all but the largest.
  if (chanceOfMean((excess(0) + expected) / count, count) > byChance) return { variance: 0, freedom: count };
  let [low, high] = [0, shifts.reduce((sum, { difference }) => sum + difference ** 2, 0) / expected];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return { variance: high, freedom: count };
}

/** Probability that the mean of so many squared standard normal numbers is at least this (E. B. Wilson and M. M. Hilferty, PNAS 17 (1931)). */
function chanceOfMean(mean: number, count: number): number {
  const variance = 2 / (9 * count);
  const normal = (Math.cbrt(mean) - (1 - variance)) / Math.sqrt(variance);
  const tail = tailOfT(normal, Infinity) / 2;
  return normal > 0 ? tail : 1 - tail;
}

const expectations: number[] = [];

/** Of so many squared standard normal numbers, the mean sum of all but the largest. */
function expectedWithoutLargest(count: number): number {
  const known = expectations[count];
  if (known !== undefined) return known;
  const step = 0.02;
  // The mean of the largest is the integral of the probability that it is larger than x².
  let largest = 0;
  for (let x = step / 2; x < 8; x += step)
    largest += (1 - (1 - tailOfT(x, Infinity)) ** count) * 2 * x * step;
  return (expectations[count] = count - largest);
}
