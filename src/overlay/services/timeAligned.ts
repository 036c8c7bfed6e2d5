import { largestOf } from '../../core/sums';
import { ChildSamples, type ChildPart } from './childSamples';
import {
  checkSample,
  combine,
  type AggregatedSample,
  type Aggregation,
  type Operation,
  type Quantity,
  type Sample,
  type WaitingSample,
} from './sample';
import { ServiceError, stateOf } from './serviceError';

/**
 * How output intervals are chosen: of a fixed width in seconds, so that their number is bounded; or up to the earliest end of the children's
 * samples, the finest intervals that all children share.
 */
export type Intervals =
  | { readonly kind: 'fixed'; readonly width: number }
  | { readonly kind: 'earliest-end' };

export interface Alignment {
  readonly children: readonly number[];
  readonly intervals: Intervals;
  readonly operation: Operation;
  readonly quantity: Quantity;
  /** Where the first output interval begins, the same for all processes of the stream. */
  readonly start: number;
  /** Samples of a child that may wait for those of others; above it, the others count as gaps. Bounds the memory. */
  readonly mostWaiting?: number;
}

/**
 * Aggregates samples that were taken at different times: each is spread over output intervals in proportion to the overlap (Roth 2005, section
 * 4.3.2; details as in Paradyn). An interval is passed on when all children have data up to its end. Deltas are conserved: what is passed on,
 * what waits and what came too late (`late`) is the sum of the input. Of levels, an interval has the mean over time. What is missing counts as 0
 * for deltas, and lowers the coverage. Intervals without any data are left out.
 */
export class TimeAligned implements Aggregation {
  private readonly children: Map<number, ChildSamples>;
  private readonly mostWaiting: number;
  private width: number | undefined;
  private intervalStart: number;
  /** Number of the current interval; borders are computed from it, so that they are the same in all processes. */
  private interval = 0;
  /** How often the intervals still have to become twice as wide. */
  private doublings = 0;
  /** The last child that the current interval is not complete without: samples of others need not be looked at before its next one. */
  private blocking: ChildSamples | undefined;
  private lateOfGone = 0;

  constructor(private readonly alignment: Alignment) {
    const { children, intervals, quantity, start, mostWaiting = 4096 } = alignment;
    const width = intervals.kind === 'fixed' ? intervals.width : 1;
    if (!(width >= shortest && width <= 1e9 && Math.abs(start) <= 1e10))
      throw new ServiceError('bad-time', `Intervals of ${width} s from ${start} s are not possible.`);
    this.children = new Map(children.map((child) => [child, new ChildSamples(quantity, start)]));
    this.mostWaiting = mostWaiting;
    this.width = intervals.kind === 'fixed' ? width : undefined;
    this.intervalStart = start;
  }

  /** Value of deltas that came after their interval had been passed on. */
  get late(): number {
    return [...this.children.values()].reduce((sum, { late }) => sum + late, this.lateOfGone);
  }

  push(child: number, sample: Sample): readonly AggregatedSample[] {
    const samples = stateOf(this.children, child);
    checkSample(sample, this.width === undefined ? Infinity : this.width * mostIntervals);
    samples.push(samples.isNew ? this.snapped(sample) : sample);
    const passedOn = this.blocking === undefined || this.blocking === samples ? this.pump() : [];
    while (samples.length > this.mostWaiting) {
      const before = samples.length;
      passedOn.push(...this.step(true).samples, ...this.pump());
      if (samples.length === before && this.end(true) === undefined) break;
    }
    return passedOn;
  }

  join(child: number): void {
    const known = this.children.get(child);
    if (known === undefined) this.children.set(child, new ChildSamples(this.alignment.quantity, undefined));
    else known.stay();
  }

  leave(child: number): readonly AggregatedSample[] {
    this.children.get(child)?.leave();
    return this.pump();
  }

  waiting(): readonly WaitingSample[] {
    return [...this.children].flatMap(([child, samples]) =>
      samples.waiting().map((sample) => ({ child, sample })),
    );
  }

  /** Output intervals of a fixed width become twice as wide, from the next border on that both widths share. */
  double(): void {
    if (this.width !== undefined) this.doublings++;
    this.widen();
  }

  private widen(): void {
    const isEmpty = ![...this.children.values()].some(({ hasPart }) => hasPart);
    if (this.width === undefined || !isEmpty) return;
    for (; this.doublings > 0 && this.interval % 2 === 0; this.doublings--) {
      this.width *= 2;
      this.interval /= 2;
    }
  }

  private pump(): AggregatedSample[] {
    const passedOn: AggregatedSample[] = [];
    for (let step = this.step(false); step.advanced; step = this.step(false)) passedOn.push(...step.samples);
    return passedOn;
  }

  /** Passes the current interval on if it is complete, or if it `must` be. */
  private step(must: boolean): { readonly advanced: boolean; readonly samples: readonly AggregatedSample[] } {
    this.removeDone();
    const end = this.end(must);
    if (end === undefined) return { advanced: false, samples: [] };
    const start = this.intervalStart;
    const taking = [...this.children.values()].filter((child) => child.begunBefore(end));
    for (const child of taking) child.consume(start, end);
    this.blocking = taking.findLast((child) => !child.isCovered(end));
    if (!must && this.blocking !== undefined) return { advanced: false, samples: [] };
    const hasData = taking.some(({ hasPart }) => hasPart);
    const parts = taking.map((child) => child.takePart(start, end));
    this.advance(end, hasData);
    return { advanced: true, samples: hasData ? [this.aggregated(parts, start, end)] : [] };
  }

  private aggregated(parts: readonly ChildPart[], start: number, end: number): AggregatedSample {
    const known = parts.flatMap(({ value, weight }) => (value === undefined ? [] : [{ value, weight }]));
    const weighted = (of: (part: ChildPart) => number) =>
      parts.reduce((sum, part) => sum + part.weight * of(part), 0);
    const expected = weighted((part) => part.expected);
    return {
      value: combine(this.alignment.operation, known),
      start,
      end,
      coverage: expected === 0 ? 1 : Math.min(1, weighted((part) => part.covered) / expected),
      weight: weighted(() => 1),
    };
  }

  private removeDone(): void {
    for (const [rank, child] of this.children)
      if (child.isDone && !child.hasPart) {
        this.lateOfGone += child.late;
        this.children.delete(rank);
      }
  }

  /** The end of the current interval; undefined while it is not known, or nobody has data. */
  private end(must: boolean): number | undefined {
    const children = [...this.children.values()];
    if (!children.some(({ head, hasPart }) => head !== undefined || hasPart)) return undefined;
    if (this.width !== undefined) return this.border(this.interval + 1);
    this.blocking = children.findLast(({ head, isNew, isDone }) => head === undefined && !isNew && !isDone);
    if (!must && this.blocking !== undefined) return undefined;
    // A gap, and the start of a child that joined, are borders too.
    const ends = children.flatMap(({ head }) =>
      head === undefined ? [] : [head.start > this.intervalStart ? head.start : head.end],
    );
    if (ends.length === 0) return this.intervalStart + shortest;
    return Math.max(-largestOf(ends.map((end) => -end)), this.intervalStart + shortest);
  }

  private border(interval: number): number {
    return this.alignment.start + interval * (this.width ?? 0);
  }

  private advance(end: number, hadData: boolean): void {
    this.interval++;
    this.intervalStart = end;
    if (this.width === undefined) return;
    if (!hadData) this.skip(this.width);
    this.widen();
    this.intervalStart = this.border(this.interval);
  }

  /** Goes on at the first interval with data. */
  private skip(width: number): void {
    const first = -largestOf([...this.children.values()].map(({ head }) => -(head?.start ?? Infinity)));
    if (first === Infinity) return;
    const interval = Math.floor((first - this.alignment.start) / width);
    this.interval = Math.max(this.interval, this.border(interval) > first ? interval - 1 : interval);
  }

  /** The first sample of a child that joined begins at a border if it nearly does, so that no sliver is left. */
  private snapped(sample: Sample): Sample {
    const borders =
      this.width === undefined ? [this.intervalStart] : [this.intervalStart, this.border(this.interval + 1)];
    const start = borders.find((border) => Math.abs(border - sample.start) <= snap && border < sample.end);
    return start === undefined ? sample : { ...sample, start };
  }
}

/** Seconds; shorter intervals are not passed on. */
const shortest = 0.001;
/** Seconds. */
const snap = 0.01;
/** Of one sample: a longer one is no measurement, and would keep the process busy. */
const mostIntervals = 10_000;
