import { at } from '../../core/at';

const forgotten = Buffer.alloc(0);

/** Frames in the order of their numbers, without gaps, until the other side has taken them. */
export class KeptFrames {
  private frames: Buffer[] = [];
  private head = 0;
  /** Bytes of what is kept. */
  bytes = 0;
  /** Number of the last frame that was added; 0: none was. */
  last = 0;

  get count(): number {
    return this.frames.length - this.head;
  }

  /** @param frame number `last` + 1 */
  add(frame: Buffer): void {
    this.frames.push(frame);
    this.bytes += frame.length;
    this.last++;
  }

  /** Forgets all up to this number. */
  drop(through: number): void {
    while (this.count > 0 && this.last - this.count < through) {
      this.bytes -= at(this.frames, this.head).length;
      // Its memory does not wait for the rest of the array.
      this.frames[this.head] = forgotten;
      this.head++;
    }
    if (this.head === this.frames.length || this.head > 1024) {
      this.frames = this.frames.slice(this.head);
      this.head = 0;
    }
  }

  /** Goes on behind this number, which somebody else has brought the stream to. */
  skipTo(number: number): void {
    this.drop(number);
    if (this.last < number) this.last = number;
  }

  /** In order, those after this number. */
  after(number: number): readonly Buffer[] {
    const first = Math.max(0, number - (this.last - this.count));
    return this.frames.slice(this.head + first);
  }
}
