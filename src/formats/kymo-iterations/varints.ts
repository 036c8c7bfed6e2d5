import type { ByteSource } from '../byteSource';

/** 2^53 takes eight bytes. */
const mostBytes = 8;

/** Reads numbers of seven bits a byte, the lowest first, in order through a window of a file. */
export class VarintReader {
  private window: Uint8Array;
  private index = 0;

  /** Reads from `offset` to `end`. @param fail receives the offset of an error and its description */
  constructor(
    private readonly source: ByteSource,
    private offset: number,
    private readonly end: number,
    private readonly fail: (offset: number, message: string) => never,
    private readonly blockBytes = 1 << 20,
  ) {
    this.window = source.read(offset, Math.min(blockBytes, end - offset));
  }

  /** Offset of the next byte in the file. */
  get position(): number {
    return this.offset + this.index;
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  next(): number {
    let value = 0;
    let factor = 1;
    for (let length = 0; length < mostBytes; length++) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80)
        return Number.isSafeInteger(value) ? value : this.fail(this.position, 'a number above 2^53');
      factor *= 0x80;
    }
    return this.fail(this.position, `a number of more than ${mostBytes} bytes`);
  }

  private byte(): number {
    if (this.index === this.window.length) {
      this.offset += this.index;
      this.index = 0;
      this.window = this.source.read(this.offset, Math.min(this.blockBytes, this.end - this.offset));
    }
    return this.window[this.index++] ?? this.fail(this.offset, 'cut off within an iteration');
  }
}
