import type { ByteSource } from '../byteSource';

/** Reads bytes of a file at any position, in blocks; reading forwards loads every byte once. */
export class ByteReader {
  private block: Uint8Array = new Uint8Array(0);
  private start = 0;

  /** @param blockBytes bytes per read; may be changed at any time */
  constructor(
    private readonly source: ByteSource,
    public blockBytes: number,
  ) {}

  get size(): number {
    return this.source.size;
  }

  /** Position after the byte order mark, if there is one. */
  get startOfText(): number {
    return this.byte(0) === 0xef && this.byte(1) === 0xbb && this.byte(2) === 0xbf ? 3 : 0;
  }

  /**
   * The first position from `from` with neither a blank nor a tab.
   * @param separator a byte that separates cells, and is no blank
   */
  afterBlanks(from: number, separator?: number): number {
    let offset = from;
    for (let byte = this.byte(offset); byte === 0x20 || byte === 0x09; byte = this.byte(offset)) {
      if (byte === separator) break;
      offset++;
    }
    return offset;
  }

  /** The byte at an offset, -1 after the end. */
  byte(offset: number): number {
    const index = offset - this.start;
    return index >= 0 && index < this.block.length ? (this.block[index] ?? -1) : this.load(offset);
  }

  /** The bytes from `from` to before `to` as text, one character per byte. */
  latin1(from: number, to: number): string {
    const { buffer, byteOffset, byteLength } = this.bytes(from, to);
    return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  }

  utf8(from: number, to: number): string {
    return new TextDecoder().decode(this.bytes(from, to));
  }

  /** The first position of the byte from `from`; the size of the file if there is none. */
  find(byte: number, from: number): number {
    for (let offset = from; offset < this.size;) {
      if (this.byte(offset) < 0) break;
      const index = this.block.indexOf(byte, offset - this.start);
      if (index >= 0) return this.start + index;
      offset = this.start + this.block.length;
    }
    return this.size;
  }

  private bytes(from: number, to: number): Uint8Array {
    // A piece that begins after the block begins the next one: many short pieces need few reads. A piece that began in the block before is read again.
    if (from >= this.start + this.block.length && to - from <= this.blockBytes) this.load(from);
    const index = from - this.start;
    return index >= 0 && to - this.start <= this.block.length
      ? this.block.subarray(index, to - this.start)
      : this.source.read(from, to - from);
  }

  private load(offset: number): number {
    if (offset < 0 || offset >= this.size) return -1;
    this.block = this.source.read(offset, this.blockBytes);
    this.start = offset;
    return this.block[0] ?? -1;
  }
}
