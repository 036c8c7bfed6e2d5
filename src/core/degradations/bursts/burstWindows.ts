import type { Pattern, SeriesAnalysis } from '../../signal/signal';
import { moved } from './extent';
import { borderShare, joinTrends } from './joinTrends';
import { LargestPatterns, type Others } from './largestPatterns';

/** Number of values that neighbouring windows share: a pattern on the border is then inside one of them. */
const overlap = 64;
/** Fewer values are not analysed separately (§9) but together with the following ones. */
const fewest = 16;

/** Degradations of a run that arrives burst by burst, in constant memory (§11). */
export class BurstWindows {
  private readonly largest: LargestPatterns;
  private tail = new Float64Array(0);
  /** Number of values so far. */
  private end = 0;
  /** Patterns up to here are final; later ones may change in the next window. */
  private settled = 0;
  private open: Pattern[] = [];
  private windows = 0;

  /** @param alarm share of constant series in which a change is told */
  constructor(
    capacity: number,
    private readonly alarm: number,
  ) {
    this.largest = new LargestPatterns(capacity);
  }

  /**
   * @param analyse analyses a window; undefined when that is not worth its time
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
    const patterns = analyse(window)?.patterns;
    if (patterns !== undefined) this.windows++;
    this.settle(
      patterns?.map((pattern) => moved(pattern, start)),
      border,
      Math.max(2, borderShare * values.length),
    );
    this.tail = window.slice(Math.max(0, window.length - overlap));
  }

  /** All patterns so far; more values may follow. */
  patterns(): {
    readonly patterns: readonly Pattern[];
    readonly others: Others;
    readonly firstPeaks: readonly Pattern[];
  } {
    // The next window may join what is open.
    const all = this.largest.copy();
    for (const pattern of this.open) all.add(pattern);
    const { patterns: largest, others, firstPeaks } = all;
    // Among many windows, some have by chance what one has rarely.
    const patterns = largest.filter(({ chance = 0 }) => chance * this.windows <= this.alarm);
    return { patterns, others, firstPeaks: [...firstPeaks].sort((a, b) => a.from - b.from) };
  }

  private settle(seen: readonly Pattern[] | undefined, border: number, tolerance: number): void {
    const next = this.end - overlap / 2;
    const isNew = ({ at, to }: Pattern): boolean => (at ?? to) >= this.settled;
    const fresh = (seen ?? []).filter(isNew);
    const peaks = fresh.filter(({ type }) => type === 'peak');
    const rising = fresh.filter(({ type }) => type !== 'peak');
    for (const before of this.open) {
      // This window contains short patterns again, unless only the border had created them.
      if (seen !== undefined && before.type !== 'trend') continue;
      const position = rising.findIndex(
        (after) => joinTrends(before, after, border, tolerance) !== undefined,
      );
      const after = rising[position];
      const joined = after === undefined ? undefined : joinTrends(before, after, border, tolerance);
      if (joined === undefined) this.largest.add(before);
      else rising[position] = joined;
    }
    const all = [...peaks, ...rising];
    this.open = all.filter(({ at, to }) => (at ?? to) >= next);
    for (const pattern of all) if (!this.open.includes(pattern)) this.largest.add(pattern);
    this.settled = next;
  }
}
