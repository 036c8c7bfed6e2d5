import { atFloat } from '../at';

/** Clocks are rounded: by so much of it, regions that exclude each other may be longer than their phase. */
const rounding = 0.01;

/**
 * What a phase takes in each iteration beside its regions; undefined where these contain each other, so that they take more than it.
 * @param regions not finite: not known
 */
export function besideRegions(
  phase: Float64Array,
  regions: readonly Float64Array[],
): Float64Array | undefined {
  const rest = phase.slice();
  for (const values of regions)
    for (let i = 0; i < rest.length; i++) rest[i] = atFloat(rest, i) - (atFloat(values, i) || 0);
  return rest.some((time, i) => time < -rounding * atFloat(phase, i)) ? undefined : rest;
}
