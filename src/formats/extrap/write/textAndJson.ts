import type {
  MeasuredPoint,
  MeasuredSeries,
  ParameterMeasurements,
} from '../../../core/modeling/measurements';
import { KymoError } from '../../../core/errors';
import { quoted } from '../errors';

/**
 * Measurements as JSON that Extra-P reads (`--json`), and Kymo too. Points of which only statistics are known have their mean as only
 * value. Extra-P refuses files in which a series lacks points that another one has; Kymo reads them.
 * @throws KymoError `measurements-unwritable` when a call path has a metric twice
 */
export function writeJson(given: ParameterMeasurements): string {
  const { parameters } = given;
  const measurements = Array.from(seriesByCallPath(given), ([callPath, metrics]) =>
    named(
      callPath,
      `{\n${Array.from(metrics, ([metric, { points }]) =>
        named(metric, `[\n${points.map(pointJson).join(',\n')}\n]`),
      ).join(',\n')}\n}`,
    ),
  );
  return `{\n"parameters": ${JSON.stringify(parameters)},\n"measurements": {\n${measurements.join(',\n')}\n}\n}\n`;
}

/**
 * The series of each call path by metric.
 * @throws KymoError `measurements-unwritable` when a call path has a metric twice
 */
export function seriesByCallPath({
  series,
}: ParameterMeasurements): ReadonlyMap<string, ReadonlyMap<string, MeasuredSeries>> {
  const callPaths = new Map<string, Map<string, MeasuredSeries>>();
  for (const one of series) {
    const metrics = callPaths.get(one.callPath) ?? new Map<string, MeasuredSeries>();
    callPaths.set(one.callPath, metrics);
    if (metrics.has(one.metric)) throw unwritable(one, 'is there twice');
    metrics.set(one.metric, one);
  }
  return callPaths;
}

/** Most parameters of a text that Extra-P reads. */
const mostTextParameters = 4;

/**
 * Measurements in the text format of Extra-P (`--text`), for at most four parameters. Points of which only statistics are known have
 * their mean as only value.
 * @throws KymoError `measurements-unwritable` for what the format cannot hold: more parameters, names with several blanks or line ends,
 * and series that lack points that another one has; JSON can hold these
 */
export function writeText({ parameters, series }: ParameterMeasurements): string {
  if (parameters.length > mostTextParameters)
    throw new KymoError(
      'measurements-unwritable',
      `Extra-P’s text has at most ${mostTextParameters} parameters, and there are ${parameters.length}. Write JSON.`,
    );
  const unfit = parameters.find((name) => !/^[^\s()]+$/.test(name));
  if (unfit !== undefined)
    throw new KymoError(
      'measurements-unwritable',
      `Extra-P’s text cannot hold the parameter ${quoted(unfit)}. Write JSON.`,
    );
  const points = pointsOf(series);
  const lines = parameters.map((name) => `PARAMETER ${name}`);
  lines.push(`POINTS ${Array.from(points.values(), (point) => `(${point.join(' ')})`).join(' ')}`);
  for (const one of series) lines.push('', ...seriesLines(one, [...points.keys()]));
  return `${lines.join('\n')}\n`;
}

/** Those of all series, by their coordinates. */
function pointsOf(series: readonly MeasuredSeries[]): ReadonlyMap<string, readonly number[]> {
  return new Map(series.flatMap(({ points }) => points.map(({ point }) => [keyOf(point), point] as const)));
}

/** Series that have values at all points that any of them has, which a text needs, and those that have not: a function may not run everywhere. */
export function withoutGaps(given: ParameterMeasurements): {
  readonly complete: ParameterMeasurements;
  readonly leftOut: readonly MeasuredSeries[];
} {
  const { size } = pointsOf(given.series);
  const isComplete = (one: MeasuredSeries): boolean => pointsOf([one]).size === size;
  const complete = given.series.filter(isComplete);
  // Nothing to leave others out for: the text says what is missing.
  if (complete.length === 0) return { complete: given, leftOut: [] };
  return {
    complete: { ...given, series: complete },
    leftOut: given.series.filter((one) => !isComplete(one)),
  };
}

function seriesLines(series: MeasuredSeries, points: readonly string[]): readonly string[] {
  const { callPath, metric } = series;
  for (const name of [callPath, metric])
    if (name !== name.trim().replace(/\s+/g, ' ')) throw unwritable(series, `cannot be written as text`);
  const measured = new Map(series.points.map((point) => [keyOf(point.point), point]));
  return [
    `METRIC ${metric}`,
    `REGION ${callPath}`,
    ...points.map((key) => {
      const point = measured.get(key);
      if (point === undefined)
        throw unwritable(series, `has no values at (${key}), which text cannot express`);
      return `DATA ${valuesOf(point).join(' ')}`;
    }),
  ];
}

function valuesOf({ values, mean }: MeasuredPoint): readonly number[] {
  return values ?? [mean];
}

function pointJson(measured: MeasuredPoint): string {
  return JSON.stringify({ point: measured.point, values: valuesOf(measured) });
}

function named(name: string, value: string): string {
  return `${JSON.stringify(name)}: ${value}`;
}

function keyOf(point: readonly number[]): string {
  return point.join(' ');
}

function unwritable({ callPath, metric }: MeasuredSeries, why: string): KymoError {
  return new KymoError(
    'measurements-unwritable',
    `The metric ${quoted(metric)} of ${quoted(callPath)} ${why}. Write JSON, or leave it out.`,
  );
}
