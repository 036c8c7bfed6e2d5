/** A call that ended. Times are in the unit of the events. */
export interface Call {
  /** Position of the function. */
  readonly function: number;
  /** 0: no recorded function called it. */
  readonly depth: number;
  readonly begin: number;
  readonly end: number;
  /** Time without that of the calls from it. */
  readonly exclusive: number;
  /** No other call of the function is open around it: the inclusive time of a function is the sum over these. */
  readonly isOutermost: boolean;
}

interface OpenCall {
  readonly function: number;
  readonly begin: number;
}

/**
 * Matches the enters and leaves of one location, which come in their order, to calls. Holds the call stack, not the events. A leave ends the innermost
 * open call of its function, and with it the calls from there that were not left; a leave of a function that is not open is ignored. An event that is earlier
 * than the one before counts as simultaneous with it, so that no time is negative, and exclusive times add up to those of the outermost calls.
 * Functions are positions from 0 on.
 */
export class CallReplay {
  /** Leaves of functions that were not open. */
  unmatchedLeaves = 0;
  /** Calls without a leave. */
  missingLeaves = 0;

  readonly #functions: number[] = [];
  readonly #begins: number[] = [];
  /** Time of the calls from an open call that ended. */
  readonly #callees: number[] = [];
  /** Open calls by function. */
  readonly #open: number[] = [];
  #now = -Infinity;

  /** @param ended receives each call when it ends: calls from it come before it */
  constructor(private readonly ended: (call: Call) => void) {}

  /** Time of the last event. */
  get now(): number {
    return this.#now;
  }

  /** Number of open calls. */
  get depth(): number {
    return this.#functions.length;
  }

  /** The open calls, the outermost first. */
  openCalls(): readonly OpenCall[] {
    return this.#functions.map((open, depth) => ({ function: open, begin: this.#begins[depth] ?? 0 }));
  }

  enter(entered: number, time: number): void {
    this.#advance(time);
    this.#functions.push(entered);
    this.#begins.push(this.#now);
    this.#callees.push(0);
    while (this.#open.length <= entered) this.#open.push(0);
    this.#open[entered] = (this.#open[entered] ?? 0) + 1;
  }

  leave(left: number, time: number): void {
    if ((this.#open[left] ?? 0) === 0) {
      this.unmatchedLeaves++;
      return;
    }
    this.#advance(time);
    while (this.#functions.at(-1) !== left) {
      this.missingLeaves++;
      this.#close();
    }
    this.#close();
  }

  /** Ends all calls that are open: at this time, or at that of the last event where it is later. */
  finish(time: number): void {
    this.#advance(time);
    this.missingLeaves += this.depth;
    while (this.depth > 0) this.#close();
  }

  #advance(time: number): void {
    if (time > this.#now) this.#now = time;
  }

  #close(): void {
    const own = this.#functions.pop() ?? 0;
    const begin = this.#begins.pop() ?? 0;
    const callees = this.#callees.pop() ?? 0;
    const others = (this.#open[own] ?? 1) - 1;
    this.#open[own] = others;
    const { depth } = this;
    const inclusive = this.#now - begin;
    if (depth > 0) this.#callees[depth - 1] = (this.#callees[depth - 1] ?? 0) + inclusive;
    this.ended({
      function: own,
      depth,
      begin,
      end: this.#now,
      exclusive: inclusive - callees,
      isOutermost: others === 0,
    });
  }
}

/** Sentences about calls whose enter or leave is not in the trace. */
export function callNotes({
  unmatchedLeaves,
  missingLeaves,
}: {
  readonly unmatchedLeaves: number;
  readonly missingLeaves: number;
}): readonly string[] {
  return [
    ...(unmatchedLeaves > 0
      ? [`Leaves of functions that were not entered in the trace are ignored: ${unmatchedLeaves}.`]
      : []),
    ...(missingLeaves > 0
      ? [`Calls whose end is not in the trace end with their callers: ${missingLeaves}.`]
      : []),
  ];
}
