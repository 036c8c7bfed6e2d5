import { rint, type ClockInterval } from '../definitions/clock';

const low = 0xffffffffn;

/** Converts a location's times, which are given in halves of 32 bits, to ticks since the global offset. */
export class EventClock {
  /** Of the last timestamp; events in front of the first one (of a damaged file) have the location's time 0, as in the OTF2 library. */
  now = 0;
  /** Events that were earlier than the one before, and times that are not exact. */
  backwards = 0;
  inexact = 0;
  #next = 0;
  #high = 0;
  #low = 0;
  #length = 0;
  #shift = 0;
  #slope = 0;

  constructor(private readonly intervals: readonly ClockInterval[]) {
    this.#advance();
    this.now = this.at(0, 0);
  }

  /** Sets `now`. */
  set(high: number, lowHalf: number): void {
    const time = this.at(high, lowHalf);
    if (time < this.now) this.backwards++;
    if (time > Number.MAX_SAFE_INTEGER || time < -Number.MAX_SAFE_INTEGER) this.inexact++;
    this.now = time;
  }

  at(high: number, lowHalf: number): number {
    let ticks = (high - this.#high) * 0x1_0000_0000 + (lowHalf - this.#low);
    while (ticks > this.#length) {
      this.#advance();
      ticks = (high - this.#high) * 0x1_0000_0000 + (lowHalf - this.#low);
    }
    return ticks + this.#shift + (this.#slope === 0 ? 0 : rint(this.#slope * ticks));
  }

  #advance(): void {
    const interval = this.intervals[this.#next++];
    this.#high = Number((interval?.begin ?? 0n) >> 32n);
    this.#low = Number((interval?.begin ?? 0n) & low);
    this.#length = interval?.length ?? Infinity;
    this.#shift = interval?.shift ?? 0;
    this.#slope = interval?.slope ?? 0;
  }
}
