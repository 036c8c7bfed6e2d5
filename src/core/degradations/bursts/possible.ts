import { sumOf } from '../../sums';
import type { Pattern } from '../../signal/signal';

/**
 * Patterns as they can be: of times no level is below zero, and no cost is more than the whole time. Models of noisy series are sometimes a little beyond.
 * What an improvement saves is no part of the time that is left.
 * @param valueLength iterations of each value
 */
export function possible(
  patterns: readonly Pattern[],
  values: Float64Array,
  valueLength: number,
): readonly Pattern[] {
  if (!areTimes(values)) return patterns;
  const whole = sumOf(values) * valueLength;
  return patterns.map((pattern) => {
    const { levels, improvement } = pattern;
    const [before, after] = levels;
    const isWithin = pattern.excess <= whole && pattern.aftermath <= whole - pattern.excess;
    // Nearly all: with many ranks, copies of them take much memory.
    if (before >= 0 && after >= 0 && (improvement === true || isWithin)) return pattern;
    const above = { ...pattern, levels: [Math.max(0, before), Math.max(0, after)] as const };
    if (improvement === true) return above;
    const excess = Math.min(pattern.excess, whole);
    return { ...above, excess, aftermath: Math.min(pattern.aftermath, whole - excess) };
  });
}

/** Whether values may be times: none is negative. */
export function areTimes(values: Float64Array): boolean {
  // A callback would get each number as an object of its own.
  for (const value of values) if (!(value >= 0)) return false;
  return true;
}
