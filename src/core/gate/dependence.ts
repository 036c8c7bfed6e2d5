import { atFloat } from '../at';
import { medianOf } from '../compare/significance';

/** Fewer values show nothing. */
const fewest = 4;
/** Chance has more of it in one series of twenty. */
const beyondChance = 1.645;
/** Runs that resemble each other more than this are as good as one. */
const most = 0.9;

/**
 * How much values that follow each other resemble each other: the correlation of each with the next one, as the median of several series of as many values.
 * A few values show less of it than there is (M. G. Kendall, Note on bias in the estimation of autocorrelation, Biometrika 41 (1954)); what chance makes of
 * independent ones is none.
 * @param series of differences from what is expected, each of the same length, in the order of time
 */
export function dependenceOf(series: readonly Float64Array[]): number {
  const count = series[0]?.length ?? 0;
  const known = series.flatMap((values) => correlationOf(values) ?? []);
  if (count < fewest || known.length === 0) return 0;
  // Of independent values it is −1 ÷ count on average, with a standard deviation of 1 ÷ √count.
  const found = medianOf(Float64Array.from(known)) + 1 / count;
  return found < beyondChance / Math.sqrt(count) ? 0 : Math.min(most, found);
}

function correlationOf(values: Float64Array): number | undefined {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (squares === 0) return undefined;
  let products = 0;
  for (let i = 1; i < values.length; i++)
    products += (atFloat(values, i) - mean) * (atFloat(values, i - 1) - mean);
  return products / squares;
}

/** By what the variance of a mean grows with the correlation of each value with the next one. */
export function varianceFactor(dependence: number): number {
  return (1 + dependence) / (1 - dependence);
}
