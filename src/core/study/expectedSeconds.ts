import { atFloat } from '../at';
import { median } from '../cost/overhead';
import { leastSquares } from '../modeling/leastSquares';
import { coordinateValue, type StudyCoordinates } from './points';

export interface TimedPoint {
  readonly coordinates: StudyCoordinates;
  /** Of each measured run. */
  readonly seconds: readonly number[];
}

/**
 * Weight of the usual exponents relative to measured points whose parameter differs by a factor of e. They decide while only the smallest
 * points are measured, whose times are those of starting the program, and no longer when the whole range is.
 */
const priorWeight = 1;

/**
 * The expected time of a run at each point: the median of its own runs; without one, a power law through the medians of the other points,
 * which is enough to plan by. Until runs show otherwise, time is taken to grow in proportion to each parameter that is not in `steady`
 * (processes, threads). Texts tell nothing.
 * @returns undefined before the first run
 */
export function expectedSeconds(
  points: readonly TimedPoint[],
  steady: ReadonlySet<string>,
): readonly number[] | undefined {
  const measured = points.filter(({ seconds }) => seconds.length > 0);
  if (measured.length === 0) return undefined;
  const names = Object.keys(points[0]?.coordinates ?? {}).filter((name) =>
    points.every(({ coordinates }) => coordinateValue(coordinates[name] ?? '') > 0),
  );
  const logarithm = (coordinates: StudyCoordinates, name: string): number =>
    Math.log(coordinateValue(coordinates[name] ?? ''));
  const medians = measured.map(({ seconds }) => Math.log(Math.max(median(seconds), 1e-6)));
  // The usual exponents are further rows of the system, one for each parameter.
  const rest = names.map(() => 0);
  const columns = [
    Float64Array.from([...measured.map(() => 1), ...rest]),
    ...names.map((name, column) =>
      Float64Array.from([
        ...measured.map(({ coordinates }) => logarithm(coordinates, name)),
        ...names.map((_, row) => (row === column ? priorWeight : 0)),
      ]),
    ),
  ];
  const usual = names.map((name) => (steady.has(name) ? 0 : priorWeight));
  const { coefficients } = leastSquares(columns, Float64Array.from([...medians, ...usual]));
  return points.map(({ coordinates, seconds }) =>
    seconds.length > 0
      ? median(seconds)
      : Math.exp(
          names.reduce(
            (sum, name, i) => sum + atFloat(coefficients, i + 1) * logarithm(coordinates, name),
            atFloat(coefficients, 0),
          ),
        ),
  );
}
