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

/** Counts of a region: its time as measured, its visits, and the visits of everything that is dynamically nested in it. */
export interface RegionCounts {
  readonly time: number;
  readonly visits: number;
  readonly nestedVisits: number;
}

/** Which part of the overhead decides: `total` (TOR) or `prolog` (POR). */
export type OverheadKind = 'total' | 'prolog';

/** Overheads of a region in percent of its own pure time; infinite when nothing is left of that. */
export type RelativeOverhead = Readonly<Record<OverheadKind, number>>;

/**
 * Costs of a monitor that stops its counters while it works (§13.3): its request is in no measured value, of the own probes only the
 * prolog of the one at the end is, and of nested ones both prologs are. @param prolog, request cost of one probe
 */
export function monitorCosts(prolog: number, request: number): ProbeCosts {
  return {
    prologPair: 2 * prolog,
    totalPair: 2 * (prolog + request),
    ownInside: prolog,
    nestedInside: 2 * prolog,
  };
}

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

/** The region's time without the probes in it; 0 or less when these took all of it. */
export function pureTime({ time, visits, nestedVisits }: RegionCounts, costs: ProbeCosts): number {
  return time - visits * costs.ownInside - nestedVisits * costs.nestedInside;
}

/** "Excessive total relative overhead" and "excessive prolog overhead" of §13.3, in percent of the pure time. */
export function relativeOverhead(pure: number, visits: number, costs: ProbeCosts): RelativeOverhead {
  const percent = (pair: number): number => {
    if (visits <= 0) return 0;
    return pure > 0 ? (visits * pair * 100) / pure : Infinity;
  };
  return { total: percent(costs.totalPair), prolog: percent(costs.prologPair) };
}
