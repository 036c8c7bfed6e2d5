import type { Budget } from './messages';

/** How much slower a program runs that spends this share of its time in measuring. */
export function slowDown(share: number): number {
  return share < 1 ? 1 / (1 - share) : Infinity;
}

/** Share of the time that a slow-down by a factor stands for: 1/3 for 1.5 (specification 4.6). */
export function shareOfSlowDown(factor: number): number {
  return 1 - 1 / factor;
}

/** Shares of processor time that differ by less are the same: sums of many have rounding errors. */
const rounding = 1e-12;

/**
 * Keeps the slow-down by measuring below a limit, in one process (Roth 2005, chapter 3; the formula as in Paradyn). What is measured and was seen in an
 * observed cost counts with that; everything else counts with what it was predicted to cost.
 */
export class CostThrottle implements Budget {
  private readonly hidden = new Map<number, { readonly cost: number; seen: boolean }>();
  private predicted = 0;
  private observed = 0;

  /** @param limit greatest factor by which the program may become slower: 1.5 */
  constructor(private readonly limit: number) {}

  /** Share of the processor's time that measuring takes, as far as it is known. */
  get share(): number {
    return this.observed + this.predicted;
  }

  admit(experiment: number, cost: number): 'admitted' | 'later' | 'never' {
    if (!this.fits(cost)) return 'never';
    if (!this.fits(this.share + cost)) return 'later';
    this.hidden.set(experiment, { cost, seen: false });
    this.predicted += cost;
    return 'admitted';
  }

  visible(experiment: number): void {
    const entry = this.hidden.get(experiment);
    if (entry !== undefined) entry.seen = true;
  }

  release(experiment: number): void {
    const entry = this.hidden.get(experiment);
    if (entry === undefined) return;
    this.hidden.delete(experiment);
    // The sum begins anew where it can, so that rounding errors do not add up.
    this.predicted = this.hidden.size === 0 ? 0 : this.predicted - entry.cost;
  }

  /** The measured share contains all that was visible before. */
  observe(share: number): void {
    this.observed = share;
    for (const [experiment, { seen }] of this.hidden) if (seen) this.release(experiment);
  }

  private fits(share: number): boolean {
    return slowDown(share - rounding) <= this.limit;
  }
}
