/** Brings any list of numbers into the form that the analysis works on, whatever its magnitude, so that nothing overflows or cancels. */
import { atFloat } from '../at';
import { noiseDeviation } from '../transforms/haar';

export interface PreparedSignal {
  /** (value / unit) - offset; what was not finite counts as 0 before (not executed). */
  readonly values: Float64Array;
  /** A power of two near the largest magnitude, so that dividing by it loses no digit. */
  readonly unit: number;
  /** Mean in units. */
  readonly offset: number;
  /** Largest minus smallest; 0 for what is constant up to rounding. */
  readonly range: number;
  /** Standard deviation of the noise. */
  readonly noise: number;
  /** `sums[i]`: of the first i values without the offset taken away. */
  readonly sums: Float64Array;
}

/** Change that is below this share of the magnitude is rounding. */
const constantShare = 1e-12;

export function prepare(raw: Float64Array): PreparedSignal {
  const values = raw.map((value) => (Number.isFinite(value) ? value : 0));
  const { length } = values;
  const exponent = exponentOf(values);
  const factor = 2 ** -exponent;
  const sums = new Float64Array(length + 1);
  let smallest = Infinity;
  let largest = -Infinity;
  for (let i = 0; i < length; i++) {
    const value = atFloat(values, i) * factor;
    values[i] = value;
    sums[i + 1] = atFloat(sums, i) + value;
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  const offset = length > 0 ? atFloat(sums, length) / length : 0;
  for (let i = 0; i < length; i++) values[i] = atFloat(values, i) - offset;
  const isConstant = largest - smallest <= constantShare * Math.max(Math.abs(smallest), Math.abs(largest));
  const range = length === 0 || isConstant ? 0 : largest - smallest;
  return { values, unit: 2 ** exponent, offset, range, noise: noiseDeviation(values), sums };
}

/** Exponent of the power of two at or below the largest magnitude. */
function exponentOf(values: Float64Array): number {
  let magnitude = 0;
  for (const value of values) magnitude = Math.max(magnitude, Math.abs(value));
  return magnitude > 0 ? Math.min(1000, Math.max(-1000, Math.floor(Math.log2(magnitude)))) : 0;
}

/** Sum of the raw samples from … to, both inclusive, in the signal's own measure; saturates where it does not fit a number. */
export function rawSum({ sums, unit }: PreparedSignal, from: number, to: number): number {
  return inMeasure(unit, atFloat(sums, to + 1) - atFloat(sums, from));
}

/** A value in units as one in the signal's measure. */
export function inMeasure(unit: number, value: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value * unit));
}

/** Largest minus smallest. */
export function rangeOf(values: Float64Array): number {
  let smallest = Infinity;
  let largest = -Infinity;
  for (const value of values) {
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  return largest - smallest;
}
