import type { TraceSink } from './traceBuilder';

/** Numbers from `first` to `last`. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Passes some iterations on. An iteration ends where the next one begins, or where the call ends in which it began; calls that are open when it begins are no part of
 * it, and so its calls are at the top. Calls that are still open when it ends end with it, without a time.
 */
export class IterationSink implements TraceSink {
  /** Iterations that began. */
  iterations = 0;
  /** Calls that were cut off at the end of an iteration. */
  cut = 0;
  #depth = 0;
  /** Open calls where the iteration began; −1: none that is passed on. */
  #base = -1;
  readonly #number: { last: number };

  /**
   * @param wanted undefined: everything, also what is in no iteration
   * @param first number of the first iteration, where they do not have their own ones
   */
  constructor(
    private readonly sink: TraceSink,
    private readonly wanted: NumberRange | undefined,
    first = 1,
  ) {
    this.#number = { last: first - 1 };
  }

  enter(key: number): void {
    this.#depth++;
    if (this.#passes()) this.sink.enter(key);
  }

  leave(seconds: number, counters: ArrayLike<number>): void {
    this.#depth--;
    if (this.wanted === undefined) this.sink.leave(seconds, counters);
    else if (this.#base > this.#depth) this.#base = -1;
    else if (this.#base >= 0) this.sink.leave(seconds, counters);
  }

  message(key: number, bytes: number, marks: number): void {
    if (this.#passes()) this.sink.message(key, bytes, marks);
  }

  iteration(number = this.#number.last + 1): void {
    this.iterations++;
    this.#number.last = number;
    if (this.wanted === undefined) return;
    this.end();
    if (number >= this.wanted.first && number <= this.wanted.last) this.#base = this.#depth;
  }

  /** No iteration goes on. */
  end(): void {
    for (; this.#base >= 0 && this.#base < this.#depth && this.wanted !== undefined; this.#base++) {
      this.sink.leave(0, []);
      this.cut++;
    }
    this.#base = -1;
  }

  #passes(): boolean {
    return this.wanted === undefined || this.#base >= 0;
  }
}

/** Begins an iteration with each call of a function. */
export class PhaseSink implements TraceSink {
  /** @param isPhase whether calls of this key begin one */
  constructor(
    private readonly sink: TraceSink,
    private readonly isPhase: (key: number) => boolean,
  ) {}

  enter(key: number): void {
    if (this.isPhase(key)) this.sink.iteration();
    this.sink.enter(key);
  }

  leave(seconds: number, counters: ArrayLike<number>): void {
    this.sink.leave(seconds, counters);
  }

  message(key: number, bytes: number, marks: number): void {
    this.sink.message(key, bytes, marks);
  }

  iteration(): void {
    // The trace's own marks are not those that were asked for.
  }
}
