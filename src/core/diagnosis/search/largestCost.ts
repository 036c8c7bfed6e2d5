import { formatPercent, formatSeconds } from '../../format';
import { shareOfSlowDown } from './costThrottle';
import type { ObservedCost, SearchRecord } from './searchRecord';

/** The largest of the costs that are known, the first of equal ones; undefined: none is. */
export function largestCost(costs: readonly (ObservedCost | undefined)[]): ObservedCost | undefined {
  return costs.reduce(
    (largest, cost) =>
      largest === undefined || (cost !== undefined && cost.share > largest.share) ? cost : largest,
    undefined,
  );
}

/** What recording cost beside its limit, a sentence; none where it is not known. */
export function costSentences({
  largestCost: largest,
  costLimit,
}: Pick<SearchRecord, 'largestCost' | 'costLimit'>): readonly string[] {
  return largest === undefined
    ? []
    : [
        `Recording for the search took at most ${formatPercent(largest.share)} of the processor time of a process (at ${formatSeconds(largest.time)}); the limit is ${formatPercent(shareOfSlowDown(costLimit))}.`,
      ];
}
