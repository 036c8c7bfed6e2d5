import { at } from '../at';
import { getOrMake } from '../getOrMake';
import { neededValues } from './choice';
import type { ParameterMeasurements } from './measurements';

/** Measurements along parameters that have enough values for a formula, as far as there are such. */
export interface ComparableMeasurements extends ParameterMeasurements {
  /** Parameters of which the points at one value are left. */
  readonly fixed: readonly (readonly [name: string, value: number, why: string])[];
}

/**
 * Where a parameter has too few values for a formula and others have enough, the points at one of its values are left: that with the most points, of
 * several the largest. Otherwise the mean over all of its values would stand in the place of every formula.
 * @param wanted the value to take for a parameter in place of these, where it was measured
 */
export function withEnoughValues(
  measured: ParameterMeasurements,
  wanted: Readonly<Record<string, number>> = {},
): ComparableMeasurements {
  const { parameters, series } = measured;
  const counts = parameters.map((_, parameter) => pointsByValue(series, parameter));
  const few = counts.findIndex(({ size }) => size < neededValues);
  if (few < 0 || counts.every(({ size }) => size < neededValues)) return { ...measured, fixed: [] };
  const values = at(counts, few);
  const name = at(parameters, few);
  const asked = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
  const value = asked !== undefined && values.has(asked) ? asked : fullest(values);
  const left = series
    .map((one) => ({ ...one, points: one.points.filter(({ point }) => point[few] === value) }))
    .filter(({ points }) => points.length > 0);
  const rest = withEnoughValues(withoutConstants({ parameters, series: left }), wanted);
  const why = `${name} has ${values.size} values, and a formula needs ${neededValues}: the models are those for ${name} = ${value}.`;
  return { ...rest, fixed: [[name, value, why], ...rest.fixed] };
}

function fullest(points: ReadonlyMap<number, number>): number {
  return [...points.keys()].reduce((best, other) => {
    const more = (points.get(other) ?? 0) - (points.get(best) ?? 0);
    return more > 0 || (more === 0 && other > best) ? other : best;
  });
}

/** How many points have each value of a parameter. */
function pointsByValue(
  series: ParameterMeasurements['series'],
  parameter: number,
): ReadonlyMap<number, number> {
  const points = new Map<number, Set<string>>();
  for (const { point } of series.flatMap((one) => one.points))
    getOrMake(points, at(point, parameter), () => new Set()).add(point.join());
  return new Map([...points].map(([value, all]) => [value, all.size]));
}

/** Parameters with a single value say nothing about growth. */
export function withoutConstants({ parameters, series }: ParameterMeasurements): ParameterMeasurements {
  const varying = parameters.flatMap((_, parameter) => {
    const values = new Set(series.flatMap(({ points }) => points.map(({ point }) => at(point, parameter))));
    return values.size > 1 ? [parameter] : [];
  });
  if (varying.length === parameters.length || varying.length === 0) return { parameters, series };
  const reduced = <T>(values: readonly T[]) => varying.map((parameter) => at(values, parameter));
  return {
    parameters: reduced(parameters),
    series: series.map((one) => ({
      ...one,
      points: one.points.map((point) => ({ ...point, point: reduced(point.point) })),
    })),
  };
}
