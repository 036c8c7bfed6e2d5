import type { Pattern, SeriesAnalysis } from '../../signal/signal';
import { moved, withReportedExtent } from './extent';
import { borderShare, joinTrends } from './joinTrends';
import { KeptPatterns, type Others } from './keptPatterns';

/** Values of the window before that a window sees again: what lies on the border is then inside of one of them. */
const overlap = 64;
/** Fewer values are not looked at on their own (§9): they wait for the next ones. */
const fewest = 16;

/** Degradations of a run that arrives burst by burst, in constant memory (§11). */
export class BurstWindows {
  private readonly kept: KeptPatterns;
  private tail = new Float64Array(0);
  /** End of what has been seen. */
  private end = 0;
  /** Up to here patterns are settled; what is behind it may look otherwise in the next window. */
  private settled = 0;
  private open: Pattern[] = [];

  constructor(capacity: number) {
    this.kept = new KeptPatterns(capacity);
  }

  /**
   * @param analyse looks at a window; undefined when it is not worth it
   */
  push(values: Float64Array, analyse: (window: Float64Array) => SeriesAnalysis | undefined): void {
    const window = new Float64Array(this.tail.length + values.length);
    window.set(this.tail);
    window.set(values, this.tail.length);
    const border = this.end;
    this.end += values.length;
    if (values.length < fewest) {
      this.tail = window;
      return;
    }
    const start = this.end - window.length;
    const found = analyse(window)?.patterns;
    this.settle(
      found?.map((one) => moved(withReportedExtent(one, window), start)),
      border,
      Math.max(2, borderShare * values.length),
    );
    this.tail = window.slice(Math.max(0, window.length - overlap));
  }

  /** Everything that was found; the windows may go on afterwards. */
  patterns(): {
    readonly patterns: readonly Pattern[];
    readonly others: Others;
    readonly firstPeaks: readonly Pattern[];
  } {
    for (const pattern of this.open) this.kept.add(pattern);
    this.open = [];
    this.settled = this.end;
    const { patterns, others, firstPeaks } = this.kept;
    return { patterns, others, firstPeaks: [...firstPeaks].sort((a, b) => a.from - b.from) };
  }

  private settle(found: readonly Pattern[] | undefined, border: number, tolerance: number): void {
    const next = this.end - overlap / 2;
    const isNew = (one: Pattern): boolean => (one.at ?? one.to) >= this.settled;
    const fresh = (found ?? []).filter(isNew);
    const peaks = fresh.filter(({ type }) => type === 'peak');
    const rising = fresh.filter(({ type }) => type !== 'peak');
    for (const before of this.open) {
      // This window contains short patterns again, unless only the border had created them.
      if (found !== undefined && before.type !== 'trend') continue;
      const at = rising.findIndex((after) => joinTrends(before, after, border, tolerance) !== undefined);
      const after = rising[at];
      const joined = after === undefined ? undefined : joinTrends(before, after, border, tolerance);
      if (joined === undefined) this.kept.add(before);
      else rising[at] = joined;
    }
    const all = [...peaks, ...rising];
    this.open = all.filter((one) => (one.at ?? one.to) >= next);
    for (const pattern of all) if (!this.open.includes(pattern)) this.kept.add(pattern);
    this.settled = next;
  }
}
