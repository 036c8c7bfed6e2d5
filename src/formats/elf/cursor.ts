import { elfError, type ElfErrorReason } from './elfError';

/** Origin of a cursor's bytes; only for messages. */
export interface CursorPlace {
  readonly file: string;
  /** E.g. `.debug_info`. */
  readonly what: string;
  /** File offset of the first byte (of the compressed bytes if the section is compressed). */
  readonly fileOffset: number;
  readonly reason: ElfErrorReason;
}

/**
 * Reads consecutive little-endian numbers and never beyond the end: a truncated file gives a `KymoError` with the place.
 * 64-bit numbers become doubles: exact below 2^53, which includes all addresses in user space and all sizes.
 */
export class Cursor {
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    readonly place: CursorPlace,
    public offset = 0,
    readonly end = bytes.length,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (offset > end || end > bytes.length) this.fail(`expected ${end - offset} more bytes`);
  }

  get atEnd(): boolean {
    return this.offset >= this.end;
  }

  get remaining(): number {
    return this.end - this.offset;
  }

  fail(message: string, offset = this.offset): never {
    const { reason, file, fileOffset, what } = this.place;
    throw elfError(reason, file, fileOffset + offset, `${message} (${what} + ${offset})`);
  }

  /** A cursor over the same bytes at another offset. */
  at(offset: number, end = this.bytes.length): Cursor {
    if (!(offset >= 0 && offset <= end && end <= this.bytes.length)) {
      this.fail(`a reference leads to offset ${offset}, but there are only ${this.bytes.length} bytes`);
    }
    return new Cursor(this.bytes, this.place, offset, end);
  }

  skip(count: number): void {
    this.take(count);
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  u24(): number {
    const begin = this.take(3);
    return this.view.getUint16(begin, true) + this.view.getUint8(begin + 2) * 0x10000;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  i32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  u64(): number {
    const begin = this.take(8);
    return this.view.getUint32(begin, true) + this.view.getUint32(begin + 4, true) * 0x1_0000_0000;
  }

  i64(): number {
    const begin = this.take(8);
    return this.view.getUint32(begin, true) + this.view.getInt32(begin + 4, true) * 0x1_0000_0000;
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  /** Reads 8 bytes as 16 hex digits. */
  hex64(): string {
    const begin = this.take(8);
    const half = (offset: number): string => this.view.getUint32(offset, true).toString(16).padStart(8, '0');
    return half(begin + 4) + half(begin);
  }

  /** Reads a number of `size` (1, 2, 3, 4 or 8) bytes. */
  unsigned(size: number): number {
    switch (size) {
      case 1:
        return this.u8();
      case 2:
        return this.u16();
      case 3:
        return this.u24();
      case 4:
        return this.u32();
      case 8:
        return this.u64();
      default:
        return this.fail(`a number of ${size} bytes is not known`);
    }
  }

  uleb(): number {
    return this.leb(false);
  }

  sleb(): number {
    return this.leb(true);
  }

  private leb(isSigned: boolean): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return isSigned && (byte & 0x40) !== 0 ? value - scale : value;
    }
    return this.fail('a LEB128 number has more than 10 bytes');
  }

  /** Skips a NUL-terminated string. */
  skipString(): void {
    const end = this.bytes.indexOf(0, this.offset);
    if (end < 0 || end >= this.end) this.fail('a string has no end');
    this.offset = end + 1;
  }

  string(): string {
    const begin = this.offset;
    this.skipString();
    return decode(this.bytes, begin, this.offset - 1);
  }

  private take(count: number): number {
    const begin = this.offset;
    if (!(count >= 0 && count <= this.end - begin)) {
      this.fail(`expected ${count} more bytes, found ${this.end - begin}: cut off or damaged`);
    }
    this.offset = begin + count;
    return begin;
  }
}

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export function decode(bytes: Uint8Array, begin: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + begin, end - begin).toString('utf8');
}
