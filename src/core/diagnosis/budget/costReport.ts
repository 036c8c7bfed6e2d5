/** What travels with samples to the front end: the largest costs of the processes below ([D 5.2.1]). Shares of a process's time. */
export interface CostReport {
  readonly local: number;
  readonly global: number;
  /** The largest sum of both, which is not the sum of the largest. */
  readonly total: number;
  /** Whether a local request waits in any of them. */
  readonly isLocalWaiting: boolean;
}

export const noCost: CostReport = { local: 0, global: 0, total: 0, isLocalWaiting: false };

/** The larger of each. */
export function largerCost(one: CostReport, other: CostReport): CostReport {
  return {
    local: Math.max(one.local, other.local),
    global: Math.max(one.global, other.global),
    total: Math.max(one.total, other.total),
    isLocalWaiting: one.isLocalWaiting || other.isLocalWaiting,
  };
}

/**
 * The state of the filter that attaches the largest costs to samples on their way up: the most recent report of each child, which is not
 * aligned in time ([D 5.2.1], specification 5.4).
 */
export class CostMaxima {
  private readonly latest = new Map<number, CostReport>();

  /** @returns the largest of all children from now on */
  update(child: number, report: CostReport): CostReport {
    this.latest.set(child, report);
    return this.largest();
  }

  leave(child: number): void {
    this.latest.delete(child);
  }

  largest(): CostReport {
    let largest = noCost;
    for (const report of this.latest.values()) largest = largerCost(largest, report);
    return largest;
  }
}
