import { at } from '../at';

/**
 * Values of call paths at points of a parameter space: what models are made from, whatever measured it. A point has a value for each parameter,
 * in the order of `parameters`.
 */
export interface ParameterMeasurements {
  readonly parameters: readonly string[];
  readonly series: readonly MeasuredSeries[];
}

/** One metric of one call path at the points where it was measured, each point once. */
export interface MeasuredSeries {
  /** Names of regions from the root, joined with `->`, as Extra-P writes them; a region may contain `->` itself. */
  readonly callPath: string;
  readonly metric: string;
  readonly points: readonly MeasuredPoint[];
}

/** The repetitions at one point. */
export interface MeasuredPoint extends PointStatistics {
  readonly point: readonly number[];
  /** A value of each repetition; absent where only statistics are known, as in files of Extra-P. Profiles give the mean of their locations. */
  readonly values?: readonly number[];
}

/** Statistics of the repetitions at one point, in the unit of the metric. */
export interface PointStatistics {
  readonly mean: number;
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Standard deviation of the population: the divisor is the number of values. */
  readonly deviation: number;
  readonly repetitions: number;
}

/** Which statistic of the repetitions a model describes. */
export const measures = ['mean', 'median', 'minimum', 'maximum'] as const;
export type Measure = (typeof measures)[number];

/** A point with the statistics of its repetitions. @throws RangeError without repetitions */
export function measuredPoint(point: readonly number[], values: readonly number[]): MeasuredPoint {
  const count = values.length;
  if (count === 0) throw new RangeError('A measured point needs at least one repetition.');
  const sorted = Float64Array.from(values).sort();
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const middle = count >> 1;
  const median = count % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    point,
    values,
    mean,
    median,
    minimum: at(sorted, 0),
    maximum: at(sorted, count - 1),
    deviation: Math.sqrt(squares / count),
    repetitions: count,
  };
}
