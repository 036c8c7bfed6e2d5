import type { PairCost } from './pairCost';

/**
 * What the probes of one visit cost, as the overhead model of performance-dynamics §13.2 divides it: the _prolog_ pollutes the values
 * that are measured, the _request_ is the rest, which only makes the run longer. In the unit of the times they are compared with.
 */
export interface ProbeCosts {
  /** Prolog of the pair at the begin and the end of a visit. */
  readonly prologPair: number;
  /** Prolog and request of the pair. */
  readonly totalPair: number;
  /** What the measured time of a visit contains of its own pair. */
  readonly ownInside: number;
  /** What it contains of each pair that is nested in it. */
  readonly nestedInside: number;
}

/** Which part of the overhead decides: `total` (TOR) or `prolog` (POR). */
export type OverheadKind = 'total' | 'prolog';

/** Overheads of a region in percent of its own pure time; infinite when nothing is left of that. */
export type RelativeOverhead = Readonly<Record<OverheadKind, number>>;

/**
 * Costs of a runtime whose clock never stops, as it calibrates them: what lies inside a visit's own interval is the prolog; the rest
 * falls to the callers, whose time contains nested pairs in full. Seconds.
 */
export function runtimeCosts({ pairSeconds, insideSeconds }: PairCost): ProbeCosts {
  return {
    prologPair: insideSeconds,
    totalPair: pairSeconds,
    ownInside: insideSeconds,
    nestedInside: pairSeconds,
  };
}

/** "Excessive total relative overhead" and "excessive prolog overhead" of §13.3, in percent of the pure time. */
export function relativeOverhead(pure: number, visits: number, costs: ProbeCosts): RelativeOverhead {
  const percent = (pair: number): number => {
    if (visits <= 0) return 0;
    return pure > 0 ? (visits * pair * 100) / pure : Infinity;
  };
  return { total: percent(costs.totalPair), prolog: percent(costs.prologPair) };
}
