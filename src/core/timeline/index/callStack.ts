/** Events of one location as far as the timeline needs them. */
export interface CallColumns {
  readonly count: number;
  /** `otherEvent`, `enterEvent`, `leaveEvent` */
  readonly kind: Uint8Array;
  /** Ticks. */
  readonly time: Float64Array;
  /** Position of the function + 1. */
  readonly slot: Uint32Array;
}

export const otherEvent = 0;
export const enterEvent = 1;
export const leaveEvent = 2;

/** Open calls, the outermost first. */
export class Frames {
  depth = 0;
  slot = new Uint32Array(32);
  /** Ticks. */
  begin = new Float64Array(32);

  push(slot: number, begin: number): void {
    if (this.depth === this.slot.length) {
      const slots = new Uint32Array(this.depth * 2);
      slots.set(this.slot);
      this.slot = slots;
      const begins = new Float64Array(this.depth * 2);
      begins.set(this.begin);
      this.begin = begins;
    }
    this.slot[this.depth] = slot;
    this.begin[this.depth++] = begin;
  }

  /** Slot of the innermost call; 0: there is none. */
  get top(): number {
    return this.depth === 0 ? 0 : (this.slot[this.depth - 1] ?? 0);
  }

  copyFrom({ depth, slot, begin }: Frames): void {
    this.depth = 0;
    for (let index = 0; index < depth; index++) this.push(slot[index] ?? 0, begin[index] ?? 0);
  }
}

export interface CallVisitor {
  /** The function that was the innermost one since the last change ran until now. */
  ran(slot: number, from: number, to: number): void;
  entered(slot: number, time: number): void;
  /** @param depth of the call that ended, whose frame is still there */
  left(depth: number, time: number): void;
}

/**
 * Call stack of one location. A leave ends the innermost open call of its function, and those from it that were not left; a leave of a function that is not
 * open is ignored. An event that is earlier than the one before counts as simultaneous with it.
 */
export class CallStack {
  readonly frames = new Frames();
  /** Time of the last event. */
  now = -Infinity;
  unmatchedLeaves = 0;
  missingLeaves = 0;
  /** Of the last change of the innermost function. */
  #since = -Infinity;
  readonly #open: Uint32Array;

  /** @param slots of functions, with that of none */
  constructor(
    slots: number,
    private readonly visitor: CallVisitor,
  ) {
    this.#open = new Uint32Array(slots);
  }

  /** Goes on from a state in between. */
  start(frames: Frames, now: number): void {
    while (this.frames.depth > 0) this.#drop();
    this.frames.copyFrom(frames);
    for (let depth = 0; depth < frames.depth; depth++) this.#count(frames.slot[depth] ?? 0, 1);
    this.now = now;
    this.#since = now;
  }

  #count(slot: number, by: number): void {
    this.#open[slot] = (this.#open[slot] ?? 0) + by;
  }

  #drop(): void {
    this.#count(this.frames.top, -1);
    this.frames.depth--;
  }

  /** Open calls of a function: more than one where it is recursive. */
  openCalls(slot: number): number {
    return this.#open[slot] ?? 0;
  }

  /** @param until what comes after it does not matter */
  replay({ count, kind, time, slot }: CallColumns, until = Infinity): void {
    for (let index = 0; index < count && this.now < until; index++) {
      const at = time[index] ?? 0;
      if (at > this.now) this.now = at;
      const type = kind[index];
      if (type === enterEvent) this.#enter(slot[index] ?? 0);
      else if (type === leaveEvent) this.#leave(slot[index] ?? 0);
    }
    this.#run();
  }

  #run(): void {
    const { now } = this;
    if (now > this.#since) this.visitor.ran(this.frames.top, this.#since, now);
    this.#since = now;
  }

  #enter(slot: number): void {
    this.#run();
    this.frames.push(slot, this.now);
    this.#count(slot, 1);
    this.visitor.entered(slot, this.now);
  }

  #leave(slot: number): void {
    if (this.openCalls(slot) === 0) {
      this.unmatchedLeaves++;
      return;
    }
    this.#run();
    while (this.frames.top !== slot) {
      this.missingLeaves++;
      this.#close();
    }
    this.#close();
  }

  #close(): void {
    const depth = this.frames.depth - 1;
    this.#count(this.frames.top, -1);
    this.visitor.left(depth, this.now);
    this.frames.depth = depth;
  }

  /** Ends what is open, at the time of the last event. */
  end(): void {
    while (this.frames.depth > 0) {
      this.missingLeaves++;
      this.#close();
    }
  }
}
