/** Series with values that are missing irregularly: time goes on where there are none, so that what is a line over time is none over the values. */
import { at, atByte, atFloat } from '../at';
import type { Noise } from './evidence';

/** A series over all positions: a straight line where there is no value, of which the noise has no weight. */
export interface OverTime {
  readonly values: Float64Array;
  readonly noise: Noise;
  /** 1 where there is a value. */
  readonly isValue: Uint8Array;
}

/** Positions off an even line by more than so many distances between neighbours. */
const uneven = 1.5;

export function isUneven(positions: readonly number[]): boolean {
  const first = at(positions, 0);
  const distance = (at(positions, positions.length - 1) - first) / (positions.length - 1);
  return positions.some((position, i) => Math.abs(position - first - i * distance) > uneven * distance);
}

/** @param hasMemory noise behind a gap is as what is not known before: its innovation counts for nothing */
export function overTime(
  values: Float64Array,
  { weights, leastVariance }: Noise,
  positions: readonly number[],
  hasMemory: boolean,
): OverTime {
  const first = at(positions, 0);
  const length = at(positions, positions.length - 1) - first + 1;
  const [filled, own, isValue] = [new Float64Array(length), new Float64Array(length), new Uint8Array(length)];
  let last = 0;
  positions.forEach((position, i) => {
    const place = position - first;
    const [before, after] = [atFloat(values, Math.max(0, i - 1)), atFloat(values, i)];
    for (let t = last + 1; t <= place; t++)
      filled[t] = before + ((after - before) * (t - last)) / (place - last);
    if (place === 0) filled[0] = after;
    const isKnown = place - last <= 1 || !hasMemory;
    own[place] = isKnown ? (weights === undefined ? 1 : atFloat(weights, i)) : 0;
    isValue[place] = 1;
    last = place;
  });
  return { values: filled, noise: { weights: own, leastVariance }, isValue };
}

/** Values before each position, and the sum of their positions. */
export function sumsOf(isValue: Uint8Array): { readonly count: Float64Array; readonly sum: Float64Array } {
  const [count, sum] = [new Float64Array(isValue.length + 1), new Float64Array(isValue.length + 1)];
  for (let t = 0; t < isValue.length; t++) {
    count[t + 1] = atFloat(count, t) + atByte(isValue, t);
    sum[t + 1] = atFloat(sum, t) + atByte(isValue, t) * t;
  }
  return { count, sum };
}
