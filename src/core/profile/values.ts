import { atFloat, atInt, atUint } from '../at';
import { KymoError } from '../errors';
import { getOrMake } from '../getOrMake';
import { rowSums } from '../sums';
import { metricNamed } from './metrics';
import type { Combine, Metric, Profile } from './profile';
import { tupleValue } from './tupleValues';
import { areInType, exactValues, intoType, type ValueKind } from './wholeNumbers';

/**
 * Inclusive and exclusive values of a metric. Sums add up over call paths and locations; minimum and maximum metrics combine
 * by min and max, and their exclusive value is the stored one. A metric without stored values is 0 everywhere.
 *
 * A location that never visited a call path has 0 in all metrics, also in `min_time` (Cube has no "missing"). Therefore the
 * values combined over locations take minima and maxima over what was visited (`visits` > 0) only; 0 when nothing was.
 *
 * All throw `KymoError`: `unknown-metric`, or `derived-metric` for metrics that only have an expression.
 */

/**
 * Whether call paths that a location never visited take part in minima and maxima: not if the profile has visits at all; as in
 * the Cube library they do; or never, which is for a part of a profile that has visits elsewhere.
 */
export type Masking = 'visited' | 'as-stored' | 'visited-only';

/** Inclusive values, one per call path, combined over locations. */
export function inclusive(profile: Profile, metric: string): Float64Array {
  return valuesOver(profile, metric, allOf(profile)).inclusive();
}

/** Exclusive values, one per call path, combined over locations. */
export function exclusive(profile: Profile, metric: string): Float64Array {
  return valuesOver(profile, metric, allOf(profile)).exclusive();
}

function allOf({ locations }: Profile): Uint32Array {
  return Uint32Array.from(locations.keys());
}

/** The same combined over some of the locations. What both need is computed once. @param locations their positions */
export function valuesOver(
  profile: Profile,
  metric: string,
  locations: Uint32Array,
): { readonly inclusive: () => Float64Array; readonly exclusive: () => Float64Array } {
  const known = new Map<Float64Array, Float64Array>();
  const reduced: Kernel = (values, view) =>
    getOrMake(known, values, () => reduce(values, view, locations)).slice();
  const one = (view: View): View => ({ ...view, width: 1 });
  const inclusiveOf: Kernel = (values, view) => toInclusive(reduced(values, view), one(view));
  const exclusiveOf: Kernel = (values, view) => toExclusive(reduced(values, view), one(view));
  return {
    inclusive: () => evaluate(profile, metric, 'inclusive', locations, inclusiveOf),
    exclusive: () => evaluate(profile, metric, 'exclusive', locations, exclusiveOf),
  };
}

/** Inclusive values, `[callPath * locations + location]`; `as-stored` gives exactly what the Cube library computes. */
export function inclusivePerLocation(
  profile: Profile,
  metric: string,
  masking: Masking = 'visited',
): Float64Array {
  return evaluate(
    profile,
    metric,
    'inclusive',
    undefined,
    (values, view) => toInclusive(mask(values, view), view),
    masking,
  );
}

/** Exclusive values, `[callPath * locations + location]`; `as-stored` gives exactly what the Cube library computes. */
export function exclusivePerLocation(
  profile: Profile,
  metric: string,
  masking: Masking = 'visited',
): Float64Array {
  return evaluate(
    profile,
    metric,
    'exclusive',
    undefined,
    (values, view) => toExclusive(view.visits === undefined ? values : mask(values, view), view),
    masking,
  );
}

/**
 * As `exclusivePerLocation`, to be read only: values that the profile stores like this are its own, because copies of thousands of locations and
 * call paths take long.
 */
export function exclusiveCells(profile: Profile, metric: string, masking: Masking = 'visited'): Float64Array {
  return storedAs(profile, metric, 'exclusive') ?? exclusivePerLocation(profile, metric, masking);
}

/** The same of `inclusivePerLocation`. */
export function inclusiveCells(profile: Profile, metric: string, masking: Masking = 'visited'): Float64Array {
  return storedAs(profile, metric, 'inclusive') ?? inclusivePerLocation(profile, metric, masking);
}

/** The values that the profile stores, if they are those that are asked for. */
function storedAs(
  profile: Profile,
  metric: string,
  wanted: 'inclusive' | 'exclusive',
): Float64Array | undefined {
  const described = metricNamed(profile, metric);
  const { stored, combine, dtype, unsupported } = described;
  const own = profile.stored.get(metric);
  const isPlain = stored === wanted && combine === 'sum' && unsupported !== true;
  const isOther = tupleValue(dtype) !== undefined || profile.exact?.has(metric) === true;
  return isPlain && !isOther && own !== undefined && areInType(own, described) ? own : undefined;
}

/** A column with further inputs of the kernels. */
interface View {
  readonly metric: Metric;
  readonly count: number;
  readonly parent: Int32Array;
  /** Values per call path. */
  readonly width: number;
  /** Exclusive visits per call path and location, where unvisited cells are to be left out. */
  readonly visits: Float64Array | undefined;
}

type Kernel = (values: Float64Array, view: View) => Float64Array;

/** @param chosen the locations that are combined; undefined: each has its own value */
function evaluate(
  profile: Profile,
  name: string,
  kind: ValueKind,
  chosen: Uint32Array | undefined,
  kernel: Kernel,
  masking: Masking = 'visited',
): Float64Array {
  const metric = metricNamed(profile, name);
  if (metric.stored === 'derived')
    throw new KymoError(
      'derived-metric',
      `The metric “${name}” stores no values; it is derived by an expression that Kymo does not evaluate.`,
    );
  const width = profile.locations.length;
  const { count, parent } = profile.callPaths;
  if (metric.unsupported === true) return new Float64Array(chosen === undefined ? count * width : count);
  const exact = exactValues(profile, metric, kind, chosen === undefined, chosen);
  if (exact !== undefined) return Float64Array.from(exact, Number);
  const view: View = { metric, count, parent, width, visits: visitsFor(profile, metric, masking) };
  const tuple = tupleValue(metric.dtype);
  const parts = tuple === undefined ? undefined : profile.components?.get(name);
  if (tuple !== undefined && parts !== undefined)
    return tuple.of(
      (tuple.parts ?? [...parts.keys()]).map((p) => kernel(parts[p] ?? new Float64Array(), view)),
    );
  const stored = profile.stored.get(name) ?? new Float64Array(count * width);
  const result = kernel(stored, view);
  // The profile's own stay as they are.
  return intoType(withoutInfinities(result === stored ? result.slice() : result, view), metric);
}

/** Visits that select the cells in minima and maxima; undefined if all take part. */
function visitsFor(profile: Profile, { combine }: Metric, masking: Masking): Float64Array | undefined {
  if (combine === 'sum') return undefined;
  return masking === 'visited-only' || (masking === 'visited' && hasVisits(profile))
    ? visitsOf(profile)
    : undefined;
}

/** Whether anything was visited; a profile without any visits did not count them, and so nothing can be left out. */
export function hasVisits(profile: Profile): boolean {
  return profile.stored.get('visits')?.some((value) => value !== 0) === true;
}

/** Exclusive visits; undefined when the profile has no such metric. */
function visitsOf(profile: Profile): Float64Array | undefined {
  const visits = profile.metrics.find((one) => one.name === 'visits' && one.combine === 'sum');
  return visits?.stored === 'exclusive' || visits?.stored === 'inclusive'
    ? exclusiveCells(profile, 'visits', 'as-stored')
    : undefined;
}

/** The value that does not change a combination. */
function neutral(combine: Combine): number {
  if (combine === 'sum') return 0;
  return combine === 'minimum' ? Infinity : -Infinity;
}

function combined(combine: Combine, a: number, b: number): number {
  if (combine === 'sum') return a + b;
  return combine === 'minimum' ? Math.min(a, b) : Math.max(a, b);
}

/** A copy with unvisited cells made neutral. */
function mask(values: Float64Array, { visits, metric }: View): Float64Array {
  const result = values.slice();
  if (visits === undefined) return result;
  const nothing = neutral(metric.combine);
  for (let i = 0; i < result.length; i++) if (!(atFloat(visits, i) > 0)) result[i] = nothing;
  return result;
}

/** One value per call path: combined over locations. */
function reduce(values: Float64Array, view: View, locations: Uint32Array): Float64Array {
  const { count, width, metric, visits } = view;
  const result = new Float64Array(count);
  if (metric.combine === 'sum' && width > 0) return rowSums(values, width, locations);
  for (let i = 0; i < count; i++) {
    let value = neutral(metric.combine);
    for (let l = 0; l < locations.length; l++) {
      const at = i * width + atUint(locations, l);
      if (visits === undefined || atFloat(visits, at) > 0)
        value = combined(metric.combine, value, atFloat(values, at));
    }
    result[i] = value;
  }
  return result;
}

/** In place: children are combined into their parents, bottom up (pre-order backwards). */
function toInclusive(values: Float64Array, view: View): Float64Array {
  const { metric, count, parent, width } = view;
  if (metric.stored !== 'exclusive') return values;
  const { combine } = metric;
  for (let i = count - 1; i > 0; i--) {
    const above = atInt(parent, i);
    if (above < 0) continue;
    if (combine === 'sum') addRow(values, above * width, values, i * width, width);
    else combineRow(values, above * width, i * width, view);
  }
  return values;
}

/** `into[target …] += values[from …]`: the loop that decides how long a large profile takes, and so without a case in it. */
function addRow(into: Float64Array, target: number, values: Float64Array, from: number, width: number): void {
  for (let l = 0; l < width; l++) into[target + l] = atFloat(into, target + l) + atFloat(values, from + l);
}

function combineRow(values: Float64Array, target: number, from: number, { metric, width }: View): void {
  for (let l = 0; l < width; l++)
    values[target + l] = combined(metric.combine, atFloat(values, target + l), atFloat(values, from + l));
}

/**
 * Children are taken off their parents; their sum first and at once, as the Cube library rounds. What is left of a
 * value that is its children's sum up to one rounding step is noise (`Number.EPSILON` of it or less) and becomes 0, as there.
 */
function toExclusive(values: Float64Array, view: View): Float64Array {
  const { metric, count, parent, width } = view;
  if (metric.stored !== 'inclusive' || metric.combine !== 'sum') return values;
  const result = new Float64Array(values.length);
  for (let i = 1; i < count; i++) {
    const above = atInt(parent, i);
    if (above >= 0) addRow(result, above * width, values, i * width, width);
  }
  for (let i = 0; i < values.length; i++) {
    const whole = atFloat(values, i);
    const own = whole - atFloat(result, i);
    result[i] = Math.abs(own) < Math.abs(whole) * Number.EPSILON ? 0 : own;
  }
  return result;
}

/** In place: 0 for unvisited cells. */
function withoutInfinities(values: Float64Array, { metric }: View): Float64Array {
  const nothing = neutral(metric.combine);
  if (nothing !== 0) for (let i = 0; i < values.length; i++) if (values[i] === nothing) values[i] = 0;
  return values;
}
