/**
 * Costs of a rise (specification of performance dynamics, §8.2 step 5): the sum of the values above its low level, over its iterations and
 * afterwards.
 */
import { heightAt, type Direction } from './direction';

interface Rising {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
}

/** In units of the values. @param later the rises after it, by position */
export function costsOf(
  rise: Rising,
  later: readonly Rising[],
  values: Float64Array,
  direction: Direction,
): { readonly excess: number; readonly aftermath: number } {
  const excess = excessOf(values, rise.from, rise.to, rise.low, direction);
  return { excess, aftermath: aftermathOf(rise, later, values, direction) };
}

function excessOf(values: Float64Array, from: number, to: number, low: number, direction: Direction): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += Math.max(0, heightAt(values, i, direction) - low);
  return sum;
}

/**
 * Sum above the level from before the rise, until the signal (its median over five samples) is back near it, or ends. Where a later rise
 * has begun, values count only up to the level at which it began: the later rise accounts for the rest, so that nothing counts twice.
 */
function aftermathOf(
  { to, low, high }: Rising,
  later: readonly Rising[],
  values: Float64Array,
  direction: Direction,
): number {
  const back = low + (high - low) / 4;
  const isBack = (i: number): number => (i < values.length && heightAt(values, i, direction) < back ? 1 : 0);
  let [sum, below, ceiling, next] = [0, 0, Infinity, 0];
  for (let i = to - 1; i <= to + 2; i++) below += isBack(i);
  for (let i = to + 1; i < values.length; i++) {
    below += isBack(i + 2);
    // The median is below where most of the values are.
    if (2 * below > Math.min(5, values.length - i + 2)) break;
    for (let rise = later[next]; rise !== undefined && rise.from <= i; rise = later[++next])
      ceiling = Math.min(ceiling, rise.low);
    sum += Math.max(0, Math.min(heightAt(values, i, direction), ceiling) - low);
    below -= isBack(i - 2);
  }
  return sum;
}
