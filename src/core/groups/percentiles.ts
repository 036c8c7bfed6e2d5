import { atFloat } from '../at';

/** Nearest-rank percentiles of a distribution: half of the values are from `lower` to `upper`, nearly all from `p2` to `p98`. */
export interface Percentiles {
  readonly p2: number;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
  readonly p98: number;
}

/**
 * The smallest value such that at least `percent` percent of all are not larger; NaN without values.
 * @param sorted ascending
 * @param percent a whole number; a fraction would make the rank depend on rounding
 */
export function percentile(sorted: Float64Array, percent: number): number {
  return sorted.length === 0 ? Number.NaN : atFloat(sorted, nearestRank(sorted.length, percent) - 1);
}

/** ⌈percent · count / 100⌉, at least 1, with whole numbers only. */
export function nearestRank(count: number, percent: number): number {
  const hundredths = percent * count;
  const rest = hundredths % 100;
  return Math.max(1, (hundredths - rest) / 100 + (rest > 0 ? 1 : 0));
}

export function percentilesOf(values: Iterable<number>): Percentiles {
  const sorted = Float64Array.from(values).sort();
  const of = (percent: number): number => percentile(sorted, percent);
  return { p2: of(2), lower: of(25), median: of(50), upper: of(75), p98: of(98) };
}

/** Positions of the values from `low` to `high`, both inclusive, in their order. */
export function positionsBetween(values: ArrayLike<number>, low: number, high: number): readonly number[] {
  const positions: number[] = [];
  Array.from(values).forEach((value, position) => {
    if (value >= low && value <= high) positions.push(position);
  });
  return positions;
}
