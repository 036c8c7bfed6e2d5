import { atFloat, atInt, atUint } from '../at';
import type { CallPaths, Metric, Profile } from './profile';

/**
 * Integers of Cube's data types. Values are computed modulo the type's size, as the Cube library does: what is exact in a double is
 * computed in doubles, where an unsigned number from 2^63 on stands for itself less 2^64 (`Profile.stored`).
 */
interface WholeType {
  readonly bits: number;
  readonly isSigned: boolean;
}

const signed = (bits: number): WholeType => ({ bits, isSigned: true });
const unsigned = (bits: number): WholeType => ({ bits, isSigned: false });

const types: ReadonlyMap<string, WholeType> = new Map([
  ['UINT64', unsigned(64)],
  ['UNSIGNED INTEGER', unsigned(64)],
  ['INT64', signed(64)],
  ['INTEGER', signed(64)],
  ['SIGNED INTEGER', signed(64)],
  ['UINT32', unsigned(32)],
  ['UNSIGNED INT', unsigned(32)],
  ['INT32', signed(32)],
  ['INT', signed(32)],
  ['SIGNED INT', signed(32)],
  ['UINT16', unsigned(16)],
  ['UNSIGNED SHORT INT', unsigned(16)],
  ['INT16', signed(16)],
  ['SHORT INT', signed(16)],
  ['SIGNED SHORT INT', signed(16)],
  ['UINT8', unsigned(8)],
  ['CHAR', unsigned(8)],
  ['INT8', signed(8)],
]);

function wholeType({ dtype }: Metric): WholeType | undefined {
  return types.get(dtype.trim().toUpperCase().replace(/\s+/g, ' '));
}

/** Values of a type, and their number; undefined for types that are not whole numbers. */
function rangeOf(metric: Metric): { least: number; most: number; size: number } | undefined {
  const type = wholeType(metric);
  if (type === undefined) return undefined;
  const size = 2 ** type.bits;
  const least = type.isSigned ? -size / 2 : 0;
  // A double near the largest of 64 bits may round to one more; that is outside of the type's range, but no error.
  return { least, most: least + size - (type.bits === 64 ? 0 : 1), size };
}

/** In place: sums and differences, wrapped to the metric's type. */
export function intoType(values: Float64Array, metric: Metric): Float64Array {
  const range = rangeOf(metric);
  if (range === undefined) return values;
  const { least, most, size } = range;
  for (let i = 0; i < values.length; i++) {
    const value = atFloat(values, i);
    if (!(value >= least && value <= most)) values[i] = value - Math.floor((value - least) / size) * size;
  }
  return values;
}

/** Whether `intoType` changes none of the values. */
export function areInType(values: Float64Array, metric: Metric): boolean {
  const { least, most } = rangeOf(metric) ?? { least: -Infinity, most: Infinity };
  for (let i = 0; i < values.length; i++)
    if (!(atFloat(values, i) >= least && atFloat(values, i) <= most)) return false;
  return true;
}

export type ValueKind = 'inclusive' | 'exclusive';

/** Values of a metric of 64-bit integers, per location or over some of them, where doubles do not hold them; undefined where they do. Unsigned ones are not negative. */
export function exactValues(
  profile: Profile,
  metric: Metric,
  kind: ValueKind,
  perLocation: boolean,
  locations: Uint32Array = Uint32Array.from(profile.locations.keys()),
): BigInt64Array | BigUint64Array | undefined {
  const type = wholeType(metric);
  const column = profile.exact?.get(metric.name);
  const width = profile.locations.length;
  const { callPaths } = profile;
  // A profile that was made of another one has values in another shape.
  if (type === undefined || column?.length !== callPaths.count * width) return undefined;
  const values = perLocation ? column.slice() : overLocations(column, width, locations);
  if (metric.stored !== kind && metric.stored !== 'simple')
    throughTree(values, callPaths, perLocation ? width : 1, kind);
  return type.isSigned ? values : new BigUint64Array(values.buffer, values.byteOffset, values.length);
}

/** In place: children are added to their parents, bottom up, or as they are taken off. */
function throughTree(
  values: BigInt64Array,
  { count, parent }: CallPaths,
  width: number,
  kind: ValueKind,
): void {
  const below = kind === 'exclusive' ? values.slice() : values;
  for (let i = count - 1; i > 0; i--) {
    const above = atInt(parent, i);
    for (let l = 0; above >= 0 && l < width; l++) {
      const value = below[i * width + l] ?? 0n;
      const at = above * width + l;
      values[at] = (values[at] ?? 0n) + (kind === 'inclusive' ? value : -value);
    }
  }
}

/** Sums modulo 2^64, as the array type wraps. */
function overLocations(column: BigInt64Array, width: number, locations: Uint32Array): BigInt64Array {
  const sums = new BigInt64Array(width === 0 ? 0 : column.length / width);
  for (let row = 0; row < sums.length; row++)
    for (let l = 0; l < locations.length; l++)
      sums[row] = (sums[row] ?? 0n) + (column[row * width + atUint(locations, l)] ?? 0n);
  return sums;
}

/** Whether doubles hold these values of 64-bit integers only nearly: then `exactColumn` is worth its memory. */
export function needsExact(metric: Metric, values: Float64Array): boolean {
  if (wholeType(metric)?.bits !== 64) return false;
  for (let i = 0; i < values.length; i++)
    if (Math.abs(atFloat(values, i)) > Number.MAX_SAFE_INTEGER) return true;
  return false;
}

/**
 * The profile with exact values of a metric of 64-bit integers if doubles do not hold its sums, though they hold what is stored.
 * @param results inclusive or exclusive values, which are large also where children are more than their parent
 */
export function withExact(profile: Profile, metric: Metric, results: Float64Array): Profile {
  const stored = profile.stored.get(metric.name);
  if (stored === undefined || profile.exact?.has(metric.name) === true || wholeType(metric)?.bits !== 64)
    return profile;
  const most = stored.reduce((sum, value) => sum + Math.abs(value), 0);
  if (most <= Number.MAX_SAFE_INTEGER && !needsExact(metric, results)) return profile;
  const column = BigInt64Array.from(stored, (value) => BigInt(Math.trunc(value)));
  return { ...profile, exact: new Map([...(profile.exact ?? []), [metric.name, column]]) };
}
