import type { TraceSink } from './traceBuilder';

/** Exclusive values of what was left out below a call. */
interface Carried {
  seconds: number;
  readonly counters: number[];
}

/** Leaves functions out, as if they had not been recorded: their time, counts and messages are those of what calls them. At the top they are lost. */
export class FoldSink implements TraceSink {
  /** Of the open calls that are passed on. */
  readonly #carried: (Carried | undefined)[] = [];
  /** 1: an open call that is left out. */
  readonly #isFolded: number[] = [];

  /** @param isFolded by key */
  constructor(
    private readonly next: TraceSink,
    private readonly isFolded: (key: number) => boolean,
  ) {}

  enter(key: number): void {
    const isFolded = this.isFolded(key);
    this.#isFolded.push(isFolded ? 1 : 0);
    if (isFolded) return;
    this.#carried.push(undefined);
    this.next.enter(key);
  }

  leave(seconds: number, counters: ArrayLike<number>): void {
    if (this.#isFolded.pop() === 1) {
      this.#carry(seconds, counters);
      return;
    }
    const carried = this.#carried.pop();
    if (carried === undefined) this.next.leave(seconds, counters);
    else
      this.next.leave(
        seconds + carried.seconds,
        Array.from(counters, (count, number) => count + (carried.counters[number] ?? 0)),
      );
  }

  message(key: number, bytes: number, marks: number): void {
    this.next.message(key, bytes, marks);
  }

  iteration(number?: number): void {
    this.next.iteration(number);
  }

  #carry(seconds: number, counters: ArrayLike<number>): void {
    const innermost = this.#carried.length - 1;
    if (innermost < 0) return;
    const carried = (this.#carried[innermost] ??= { seconds: 0, counters: [] });
    carried.seconds += seconds;
    for (let number = 0; number < counters.length; number++)
      carried.counters[number] = (carried.counters[number] ?? 0) + (counters[number] ?? 0);
  }
}
