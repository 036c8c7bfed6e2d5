import type { Pattern } from '../../signal/signal';

/** Cost of a degradation: in its interval, and after it until the level is back. */
export function costOf({ excess, aftermath }: Pattern): number {
  return excess + aftermath;
}

/** Sums over patterns that are not stored. */
export interface OthersOfType {
  readonly count: number;
  /** In all of them together. */
  readonly iterations: number;
  /** The first iteration of the first one, and the last one of the last; no numbers where there are none. */
  readonly first: number;
  readonly last: number;
  readonly sum: number;
  readonly excess: number;
  readonly aftermath: number;
}

export interface Others {
  readonly peaks: OthersOfType;
  readonly trends: OthersOfType;
}

const none: OthersOfType = {
  count: 0,
  iterations: 0,
  first: Infinity,
  last: -Infinity,
  sum: 0,
  excess: 0,
  aftermath: 0,
};
export const noOthers: Others = { peaks: none, trends: none };

/** The patterns of a run that cost most; the others are counted and summed, so that memory does not grow with the run (§11.2.4). */
export class LargestPatterns {
  private readonly kept: Pattern[] = [];
  /** The first peaks of the run, which show their regularity; the largest ones do not. */
  readonly firstPeaks: Pattern[] = [];
  private readonly peaks = { ...none };
  private readonly trends = { ...none };

  constructor(private readonly capacity: number) {}

  get others(): Others {
    return { peaks: { ...this.peaks }, trends: { ...this.trends } };
  }

  /** By position. */
  get patterns(): readonly Pattern[] {
    this.trim(this.capacity);
    return [...this.kept].sort((a, b) => a.from - b.from || a.to - b.to);
  }

  copy(): LargestPatterns {
    const copy = new LargestPatterns(this.capacity);
    copy.kept.push(...this.kept);
    copy.firstPeaks.push(...this.firstPeaks);
    Object.assign(copy.peaks, this.peaks);
    Object.assign(copy.trends, this.trends);
    return copy;
  }

  add(pattern: Pattern): void {
    this.kept.push(pattern);
    if (pattern.type === 'peak' && pattern.improvement !== true && this.firstPeaks.length < this.capacity)
      this.firstPeaks.push(pattern);
    if (this.kept.length >= 2 * this.capacity) this.trim(this.capacity);
  }

  private trim(count: number): void {
    if (this.kept.length <= count) return;
    this.kept.sort((a, b) => costOf(b) - costOf(a) || a.from - b.from);
    for (const { type, from, to, improvement, sum, excess, aftermath } of this.kept.splice(count)) {
      if (improvement === true) continue;
      const others = type === 'peak' ? this.peaks : this.trends;
      others.count++;
      others.iterations += to - from + 1;
      others.first = Math.min(others.first, from);
      others.last = Math.max(others.last, to);
      others.sum += sum;
      others.excess += excess;
      others.aftermath += aftermath;
    }
  }
}
