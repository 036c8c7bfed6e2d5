import type { RecordedPart } from '../../core/profile/recordedPart';
import type { ProcessSwitch, SwitchedInRun } from '../../measurement/results/switchedInRun';

/** What is known of a function that somebody switched. Times are in seconds since the run began. */
interface Stretches {
  from: number;
  /** End of the last stretch; undefined: it is recorded now. */
  to: number | undefined;
  /** Begin of the stretch that is under way, or was the last. */
  since: number;
  /** Length of those that are over. */
  seconds: number;
  count: number;
}

/** Which functions of a run are recorded, and which were in which part of it. By keys of the call graph. */
export class RecordingHistory implements SwitchedInRun {
  readonly switches: ProcessSwitch[] = [];
  private readonly recorded: Set<string>;
  private readonly stretches = new Map<string, Stretches>();
  private begin = performance.now();
  private ended: number | undefined;

  /** @param selected functions that are recorded at first */
  constructor(selected: Iterable<string>) {
    this.recorded = new Set(selected);
  }

  /** The run begins now. */
  start(): void {
    this.begin = performance.now();
    this.ended = undefined;
  }

  /** The run is over. */
  end(): void {
    this.ended ??= this.seconds;
  }

  get seconds(): number {
    return this.ended ?? (performance.now() - this.begin) / 1000;
  }

  get count(): number {
    return this.recorded.size;
  }

  /** Functions that are recorded now. */
  get keys(): ReadonlySet<string> {
    return this.recorded;
  }

  isRecorded(key: string): boolean {
    return this.recorded.has(key);
  }

  /** @param seconds from which on, or until which, all processes recorded the function */
  change(key: string, on: boolean, seconds: number): void {
    if (this.recorded.has(key) === on) return;
    const known = this.stretches.get(key);
    if (on) {
      this.recorded.add(key);
      const { from = seconds, seconds: before = 0, count = 0 } = known ?? {};
      this.stretches.set(key, { from, to: undefined, since: seconds, seconds: before, count: count + 1 });
      return;
    }
    this.recorded.delete(key);
    const { from = 0, since = 0, seconds: before = 0, count = 1 } = known ?? {};
    const to = Math.max(since, seconds);
    this.stretches.set(key, { from, to, since, seconds: before + to - since, count });
  }

  /** Functions that were not recorded in the whole run so far. */
  parts(): ReadonlyMap<string, RecordedPart> {
    const { seconds: ofSeconds } = this;
    return new Map(
      [...this.stretches].map(([key, { from, to = ofSeconds, since, seconds, count }]) => [
        key,
        {
          from,
          to,
          seconds: this.recorded.has(key) ? seconds + to - since : seconds,
          stretches: count,
          ofSeconds,
        },
      ]),
    );
  }
}
