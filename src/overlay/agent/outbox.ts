import type { BackEndStream } from '../members/backEnd';
import type { Packable } from '../packets/values';

interface Letter {
  readonly tag: number;
  readonly format: string;
}

/**
 * Packets to the front end, in order. While the stream has no room they wait here; whoever fills it is told to stop, so that little waits.
 */
export class Outbox {
  private waiting: (readonly [Letter, readonly Packable[]])[] = [];

  /** @param full whether more would wait */
  constructor(
    private readonly stream: Pick<BackEndStream, 'send' | 'hasRoom'>,
    private readonly full: (isFull: boolean) => void,
  ) {}

  get isFull(): boolean {
    return this.waiting.length > 0;
  }

  send(letter: Letter, ...values: readonly Packable[]): void {
    if (!this.isFull && this.stream.hasRoom) {
      this.stream.send(letter.tag, letter.format, ...values);
      return;
    }
    this.waiting.push([letter, values]);
    if (this.waiting.length === 1) this.full(true);
  }

  /** The stream has room again. */
  flush(): void {
    let sent = 0;
    for (const [{ tag, format }, values] of this.waiting) {
      if (!this.stream.hasRoom) break;
      this.stream.send(tag, format, ...values);
      sent++;
    }
    if (sent === 0) return;
    this.waiting = this.waiting.slice(sent);
    if (this.waiting.length === 0) this.full(false);
  }
}
