import { at } from '../at';
import type { Extrapolation } from '../selection/modelOptions';

/**
 * The next value after the measured ones (instrumentation-refinement §6.2: 100, 500, 1000, 2000, 5000 → 6225), whatever their order. Whole
 * numbers give a whole number. Ratios need values above 0: others are extrapolated linearly.
 * @throws RangeError without values
 */
export function extrapolated(values: readonly number[], how: Extrapolation): number {
  if (typeof how === 'number') return how;
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const [first, last] = [at(sorted, 0), at(sorted, sorted.length - 1)];
  if (sorted.length === 1) return first;
  const steps = sorted.length - 1;
  const next =
    how === 'geometric' && first > 0 ? last * (last / first) ** (1 / steps) : last + (last - first) / steps;
  return sorted.every(Number.isInteger) ? Math.round(next) : next;
}
