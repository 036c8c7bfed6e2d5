import type { ObservedCost } from './searchRecord';

/** The largest of the costs that are known, the first of equal ones; undefined: none is. */
export function largestCost(costs: readonly (ObservedCost | undefined)[]): ObservedCost | undefined {
  return costs.reduce(
    (largest, cost) =>
      largest === undefined || (cost !== undefined && cost.share > largest.share) ? cost : largest,
    undefined,
  );
}
