import { median } from './overhead';

/** Comparison of two programs whose runs took turns. */
export interface PairedComparison {
  /** Median of the pairs: how much more the second one takes, percent. */
  readonly percent: number;
  /** What the true median surely reaches and does not exceed, percent. Absent: too few pairs. */
  readonly leastPercent?: number;
  readonly mostPercent?: number;
}

/** Probability that the true median lies beyond a bound. Evaluating the pairs twice at most doubles it. */
const beyond = 0.025;

/**
 * By ratios of pairs, which a drift of the machine meets both of, and order statistics, which assume nothing of the noise's
 * distribution (Conover, Practical Nonparametric Statistics, section 3.2).
 */
export function comparePairs(first: readonly number[], second: readonly number[]): PairedComparison {
  const percents = second
    .map((seconds, at) => 100 * (seconds / (first[at] ?? NaN) - 1))
    .sort((a, b) => a - b);
  const skipped = skippedOf(percents.length);
  const [leastPercent, mostPercent] = [percents[skipped], percents[percents.length - 1 - skipped]];
  const percent = median(percents);
  if (skipped < 0 || leastPercent === undefined || mostPercent === undefined) return { percent };
  return { percent, leastPercent, mostPercent };
}

/** So many of the lowest values may be left out, and the next one is still below the median with that certainty; −1: not even the lowest is. */
function skippedOf(pairs: number): number {
  let probability = 0.5 ** pairs;
  let sum = 0;
  for (let below = 0; ; below++) {
    sum += probability;
    if (sum > beyond) return below - 1;
    probability *= (pairs - below) / (below + 1);
  }
}
