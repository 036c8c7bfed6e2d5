/**
 * Stores the first and the last part of a stream of any length in bounded memory: compilers print causes first, programs print
 * the reason of their end last.
 */
export class BoundedOutput {
  private readonly head: Buffer[] = [];
  private readonly tail: Buffer[] = [];
  private headBytes = 0;
  private tailBytes = 0;
  private total = 0;
  private readonly half: number;

  constructor(maximumBytes = 1 << 20) {
    this.half = Math.max(1, Math.floor(maximumBytes / 2));
  }

  /** Length of the whole stream. */
  get bytes(): number {
    return this.total;
  }

  add(piece: Buffer): void {
    this.total += piece.length;
    const room = this.half - this.headBytes;
    const first = piece.subarray(0, room);
    if (first.length > 0) {
      this.head.push(Buffer.from(first));
      this.headBytes += first.length;
    }
    const rest = piece.subarray(first.length).subarray(-this.half);
    if (rest.length === 0) return;
    this.tail.push(Buffer.from(rest));
    this.tailBytes += rest.length;
    // Drops whole pieces at the front; `text` cuts exactly.
    while (this.tailBytes - (this.tail[0]?.length ?? Infinity) >= this.half)
      this.tailBytes -= this.tail.shift()?.length ?? 0;
    if (this.tail.length > 1024) this.tail.splice(0, this.tail.length, Buffer.concat(this.tail));
  }

  text(): string {
    const head = Buffer.concat(this.head);
    const tail = Buffer.concat(this.tail).subarray(-this.half);
    const missing = this.total - head.length - tail.length;
    if (missing <= 0) return Buffer.concat([head, tail]).toString('utf8');
    return `${head.toString('utf8')}\n… ${String(missing)} bytes left out …\n${tail.toString('utf8')}`;
  }
}
