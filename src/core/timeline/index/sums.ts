import type { Sums } from './node';

/** Adds up what functions did, and gives it as columns. */
export class SumTable {
  readonly visits: Float64Array;
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
  readonly #isThere: Uint8Array;
  #touched: number[] = [];

  constructor(slots: number) {
    this.visits = new Float64Array(slots);
    this.exclusive = new Float64Array(slots);
    this.inclusive = new Float64Array(slots);
    this.#isThere = new Uint8Array(slots);
  }

  /** Has to come before values of a function are changed. */
  touch(slot: number): void {
    if (this.#isThere[slot] !== 0) return;
    this.#isThere[slot] = 1;
    this.#touched.push(slot);
  }

  add({ slot, visits, exclusive, inclusive }: Sums): void {
    for (let index = 0; index < slot.length; index++) {
      const which = slot[index] ?? 0;
      this.touch(which);
      this.visits[which] = (this.visits[which] ?? 0) + (visits[index] ?? 0);
      this.exclusive[which] = (this.exclusive[which] ?? 0) + (exclusive[index] ?? 0);
      this.inclusive[which] = (this.inclusive[which] ?? 0) + (inclusive[index] ?? 0);
    }
  }

  /** Gives the sums, and begins anew. */
  take(): Sums {
    const slot = Uint32Array.from(this.#touched).sort();
    const pick = (values: Float64Array): Float64Array =>
      Float64Array.from(slot, (which) => values[which] ?? 0);
    const sums = {
      slot,
      visits: pick(this.visits),
      exclusive: pick(this.exclusive),
      inclusive: pick(this.inclusive),
    };
    for (const which of slot) {
      this.visits[which] = this.exclusive[which] = this.inclusive[which] = 0;
      this.#isThere[which] = 0;
    }
    this.#touched = [];
    return sums;
  }
}
