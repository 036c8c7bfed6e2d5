import { atFloat } from '../../at';

/** How values spread: order statistics and moments of one value per location. */
export interface Spread {
  readonly count: number;
  readonly sum: number;
  readonly mean: number;
  readonly minimum: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly maximum: number;
  /** Standard deviation of the population: the divisor is the number of values. */
  readonly standardDeviation: number;
  /** Positions of the least and of the greatest value. */
  readonly leastAt: number;
  readonly mostAt: number;
}

/** Undefined when there are no values. Quartiles interpolate between neighbours (type 7 of Hyndman and Fan, 1996). */
export function spreadOf(values: Float64Array): Spread | undefined {
  const count = values.length;
  if (count === 0) return undefined;
  const sorted = values.slice().sort();
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / count;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  const minimum = atFloat(sorted, 0);
  const maximum = atFloat(sorted, count - 1);
  return {
    count,
    sum,
    mean,
    minimum,
    lowerQuartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuartile: quantile(sorted, 0.75),
    maximum,
    standardDeviation: Math.sqrt(squares / count),
    leastAt: values.indexOf(minimum),
    mostAt: values.indexOf(maximum),
  };
}

/** @param sorted ascending, at least one */
function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = atFloat(sorted, below);
  const high = atFloat(sorted, Math.ceil(place));
  return low + (high - low) * (place - below);
}
