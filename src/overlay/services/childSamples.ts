import type { Quantity, Sample } from './sample';

/** What a child adds to one output interval. */
export interface ChildPart {
  /** Undefined where a level is not known. */
  readonly value: number | undefined;
  readonly weight: number;
  /** Seconds of the interval of which data exist. */
  readonly covered: number;
  /** Seconds of the interval in which data should exist. */
  readonly expected: number;
}

/** The samples of one child that were not passed on yet, and its part of the current output interval. */
export class ChildSamples {
  private readonly queue: Sample[] = [];
  private coveredUntil: number;
  private delta = 0;
  private levelSeconds = 0;
  private sampledSeconds = 0;
  private coveredSeconds = 0;
  /** Of the last sample that was used. */
  private weight = 1;
  private leaving = false;
  private lost = 0;

  /** @param from when data of this child begin; undefined until its first sample */
  constructor(
    private readonly quantity: Quantity,
    private from: number | undefined,
  ) {
    this.coveredUntil = from ?? -Infinity;
  }

  get head(): Sample | undefined {
    return this.queue[0];
  }

  get length(): number {
    return this.queue.length;
  }

  get isNew(): boolean {
    return this.from === undefined;
  }

  /** Value of deltas that came after their interval had been passed on. */
  get late(): number {
    return this.lost;
  }

  /** Whether nothing comes any more, and nothing is left. */
  get isDone(): boolean {
    return this.leaving && this.queue.length === 0;
  }

  get hasPart(): boolean {
    return this.sampledSeconds > 0;
  }

  /** Of the interval that is not complete as one sample, then the queue. */
  waiting(): readonly Sample[] {
    if (!this.hasPart) return this.queue;
    const value = this.quantity === 'delta' ? this.delta : this.levelSeconds / this.sampledSeconds;
    const part = {
      value,
      start: this.coveredUntil - this.sampledSeconds,
      end: this.coveredUntil,
      coverage: Math.min(1, this.coveredSeconds / this.sampledSeconds),
      weight: this.weight,
    };
    return [part, ...this.queue];
  }

  push(sample: Sample): void {
    if (this.from === undefined) {
      this.from = sample.start;
      this.coveredUntil = sample.start;
    }
    this.queue.push(sample);
  }

  leave(): void {
    this.leaving = true;
  }

  /** The child is back before it was drained. */
  stay(): void {
    this.leaving = false;
  }

  /** Whether the child takes part in an interval with this end. */
  begunBefore(end: number): boolean {
    return this.from !== undefined && this.from < end;
  }

  isCovered(end: number): boolean {
    return this.coveredUntil >= end || this.isDone;
  }

  /** Takes from the queue what belongs to [start, end); the rest of a sample stays, so that nothing is lost. */
  consume(start: number, end: number): void {
    for (let head = this.queue[0]; head !== undefined; head = this.queue[0]) {
      if (head.start >= end) {
        this.coveredUntil = Math.max(this.coveredUntil, end);
        return;
      }
      if (head.end <= start) {
        this.drop(head.value);
        this.queue.shift();
      } else if (head.start < start) this.cut(head, start, (before) => this.drop(before));
      else this.take(head, end);
    }
  }

  private take(head: Sample, end: number): void {
    const until = Math.min(head.end, end);
    const seconds = until - head.start;
    if (head.end <= end) {
      this.delta += head.value;
      this.queue.shift();
    } else this.cut(head, end, (before) => (this.delta += before));
    this.levelSeconds += head.value * seconds;
    this.sampledSeconds += seconds;
    this.weight = head.weight ?? 1;
    // A child whose samples overlap covers the time once.
    const newSeconds = Math.max(0, until - Math.max(head.start, this.coveredUntil));
    this.coveredSeconds += newSeconds * (head.coverage ?? 1);
    this.coveredUntil = Math.max(this.coveredUntil, until);
  }

  /** Splits the head at a time: a delta in proportion, a level not. */
  private cut(head: Sample, time: number, use: (before: number) => void): void {
    const before = (head.value * (time - head.start)) / (head.end - head.start);
    this.queue[0] = {
      ...head,
      start: time,
      ...(this.quantity === 'delta' ? { value: head.value - before } : {}),
    };
    use(before);
  }

  private drop(value: number): void {
    if (this.quantity === 'delta') this.lost += value;
  }

  /** The part of [start, end), which begins anew with the next interval. */
  takePart(start: number, end: number): ChildPart {
    const level = this.sampledSeconds > 0 ? this.levelSeconds / this.sampledSeconds : undefined;
    const until = this.isDone ? Math.min(Math.max(this.coveredUntil, start), end) : end;
    const part = {
      value: this.quantity === 'delta' ? this.delta : level,
      weight: this.weight,
      covered: this.coveredSeconds,
      expected: Math.max(0, until - Math.max(start, this.from ?? end)),
    };
    this.delta = 0;
    this.levelSeconds = 0;
    this.sampledSeconds = 0;
    this.coveredSeconds = 0;
    this.coveredUntil = Math.max(this.coveredUntil, end);
    return part;
  }
}
