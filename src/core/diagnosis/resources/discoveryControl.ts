/** How fast new children of one resource may appear before they are taken for short-lived ones. */
export interface DiscoveryLimits {
  /** New children per second in the long run. */
  readonly perSecond: number;
  /** New children at once. */
  readonly burst: number;
  /** Seconds without a new child after which they are registered again. */
  readonly quiet: number;
}

export const discoveryLimits: DiscoveryLimits = { perSecond: 20, burst: 100, quiet: 60 };

/**
 * Decides whether a new child of a resource is registered: a token bucket. Programs that use a new message tag for each operation would flood the
 * search with objects that are gone before an experiment on them can run (Roth 2005, section 6.2.3).
 */
export class DiscoveryControl {
  private tokens: number;
  private last = 0;
  private suppressed = false;

  constructor(private readonly limits: DiscoveryLimits) {
    this.tokens = limits.burst;
  }

  get isSuppressed(): boolean {
    return this.suppressed;
  }

  /** @param time in seconds, not before that of the last call */
  admits(time: number): boolean {
    this.endsQuiet(time);
    const { perSecond, burst } = this.limits;
    this.tokens = Math.min(burst, this.tokens + (time - this.last) * perSecond);
    this.last = time;
    if (this.suppressed || this.tokens < 1) this.suppressed = true;
    else this.tokens -= 1;
    return !this.suppressed;
  }

  /** Children are registered again after a quiet time. @returns whether that begins now */
  endsQuiet(time: number): boolean {
    if (!this.suppressed || time - this.last < this.limits.quiet) return false;
    this.suppressed = false;
    return true;
  }
}
