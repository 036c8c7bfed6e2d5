import { getOrMake } from '../../core/getOrMake';
import {
  measuredPoint,
  type MeasuredPoint,
  type MeasuredSeries,
  type ParameterMeasurements,
} from '../../core/modeling/measurements';
import { quoted } from './errors';
import { limits } from './limits';

/** The repetitions at a point: a list holds the values of one repetition that has several, e.g. one for each process. */
export type Repetitions = readonly (number | readonly number[])[];

/** Squares of larger values are beyond the range of doubles. */
const largestValue = 1e150;

/** Throws the error for what is being read: what was expected, and what was found. */
export type Complain = (expected: string, found?: string) => never;

interface CollectedPoint {
  readonly point: readonly number[];
  readonly repetitions: (number | readonly number[])[];
}

type PointsByKey = Map<string, CollectedPoint | MeasuredPoint>;

/** Collects values by call path, metric and point, each in the order in which it first appears. */
export class CollectedMeasurements {
  private readonly series = new Map<string, Map<string, PointsByKey>>();
  private points = 0;
  private values = 0;

  constructor(
    readonly parameters: readonly string[],
    private readonly most: { readonly points: number; readonly values: number } = limits,
  ) {}

  /** Adds repetitions; they join those that the point has. */
  add(
    callPath: string,
    metric: string,
    point: readonly number[],
    repetitions: Repetitions,
    complain: Complain,
  ): void {
    const points = this.pointsOf(callPath, metric);
    const key = this.keyOf(point, complain);
    for (const value of repetitions) {
      const values = typeof value === 'number' ? [value] : value;
      this.countValues(values.length, complain);
      const large = values.find((one) => Math.abs(one) > largestValue);
      if (large !== undefined) complain(`values up to ${largestValue}`, `${large}`);
    }
    const known = points.get(key);
    if (known === undefined) {
      this.count(complain);
      points.set(key, { point, repetitions: [...repetitions] });
    } else if ('mean' in known) complain('a point without statistics', 'one that has them');
    else for (const value of repetitions) known.repetitions.push(value);
  }

  /** Adds a point with its statistics, once. */
  addStatistics(callPath: string, metric: string, measured: MeasuredPoint, complain: Complain): void {
    const points = this.pointsOf(callPath, metric);
    const key = this.keyOf(measured.point, complain);
    if (points.has(key)) complain('each point once', `${quoted(measured.point.join(' '))} again`);
    this.count(complain);
    this.countValues(measured.values?.length ?? 0, complain);
    points.set(key, measured);
  }

  /** Series without points are left out. */
  finish(complain: Complain): ParameterMeasurements {
    const series: MeasuredSeries[] = [];
    for (const [callPath, metrics] of this.series)
      for (const [metric, points] of metrics)
        if (points.size > 0) series.push({ callPath, metric, points: Array.from(points.values(), finished) });
    if (series.length === 0) complain('measurements', 'none');
    return { parameters: this.parameters, series };
  }

  private pointsOf(callPath: string, metric: string): PointsByKey {
    const metrics = getOrMake(this.series, callPath, () => new Map<string, PointsByKey>());
    return getOrMake<string, PointsByKey>(metrics, metric, () => new Map());
  }

  private keyOf(point: readonly number[], complain: Complain): string {
    const { length } = this.parameters;
    if (point.length !== length)
      complain(`a value for each of the ${length} parameters`, `a point of ${point.length}`);
    return point.join(' ');
  }

  private countValues(count: number, complain: Complain): void {
    this.values += count;
    if (this.values > this.most.values) complain(`a file with at most ${this.most.values} values`, 'more');
  }

  private count(complain: Complain): void {
    if (++this.points > this.most.points) complain(`a file with at most ${this.most.points} points`, 'more');
  }
}

/** Parameters need different names, and there is at least one. */
export function checkParameters(names: readonly string[], complain: Complain): void {
  if (names.length === 0) complain('at least one parameter', 'none');
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') complain('a name for each parameter', 'an empty one');
    if (seen.has(name)) complain('different names of parameters', `${quoted(name)} twice`);
    seen.add(name);
  }
}

function finished(collected: CollectedPoint | MeasuredPoint): MeasuredPoint {
  if ('mean' in collected) return collected;
  const { point, repetitions } = collected;
  if (repetitions.every((value) => typeof value === 'number')) return measuredPoint(point, repetitions);
  const { mean, median, minimum, maximum, deviation } = measuredPoint(point, repetitions.flat());
  return { point, mean, median, minimum, maximum, deviation, repetitions: repetitions.length };
}
