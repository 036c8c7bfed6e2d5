import type { NamedSource } from '../../byteSource';
import { otf2Error, type Otf2ErrorReason } from '../problems/errors';

/** Marks at the place of a record's type. */
const padding = 0;
const endOfFile = 1;
const endOfChunk = 2;
const chunkHeader = 3;
/** Type, byte order, and the numbers of the first and the last event. */
export const chunkHeaderBytes = 18;

export const littleEndian = 0x42;
export const bigEndian = 0x23;

const allOnes = 2n ** 64n - 1n;

/**
 * The records of one file, whose bytes are read in windows. A file is a sequence of chunks that begin at multiples of the chunk size; each has a
 * header with its byte order, and records do not cross their ends.
 *
 * Fields are read without checks: `need` comes first, and `finish` after the last field of a record. Between them a damaged record may be read
 * beyond its end, which the window has room for.
 */
export class ChunkedReader {
  /** Of the window; valid up to `end`. */
  view: DataView;
  /** Position in the window. */
  position = 0;
  end = 0;
  little = true;
  /** The exact value of the last integer, where its number is not exact. */
  exact: bigint | undefined;
  /** Whether the file's last mark was met: a file without it was cut off, or is being written. */
  complete = false;

  #bytes: Uint8Array;
  /** Offset of the window in the file. */
  #base = 0;
  #chunkEnd = 0;

  constructor(
    private readonly source: NamedSource,
    private readonly chunkSize: number,
    private readonly windowBytes: number,
  ) {
    this.#bytes = new Uint8Array(0);
    this.view = new DataView(this.#bytes.buffer);
  }

  get file(): string {
    return this.source.file;
  }

  /** In the file. */
  get offset(): number {
    return this.#base + this.position;
  }

  /**
   * Reads what stands in front of records: padding, and the ends of chunks and of the file.
   * @returns the type of the next record, whose position is behind it, or -1 at the end
   */
  nextType(): number {
    for (;;) {
      if (!this.has(1)) {
        if (this.offset < this.#chunkEnd || !this.#openChunk(this.#chunkEnd)) return -1;
        continue;
      }
      const type = this.view.getUint8(this.position);
      if (type > chunkHeader) {
        this.position++;
        return type;
      }
      if (type === padding) {
        // The chunk ends here: zeros fill it up, unless it is the last one.
        if (!this.#openChunk(this.#chunkEnd)) return -1;
      } else if (type === endOfChunk) {
        this.position++;
        if (this.has(1) && this.view.getUint8(this.position) === endOfFile) {
          this.complete = true;
          return -1;
        }
        if (!this.#openChunk(this.#chunkEnd)) return -1;
      } else throw this.error('invalid-otf2', `A record was expected; found the mark ${type}.`);
    }
  }

  /**
   * Goes on at a record, or at the end of a chunk.
   * @throws KymoError `invalid-otf2` when no chunk is there
   */
  seek(offset: number): void {
    this.#base = offset;
    this.position = 0;
    this.end = 0;
    this.complete = false;
    const begin = Math.floor(offset / this.chunkSize) * this.chunkSize;
    this.#chunkEnd = offset;
    if (offset === begin) return;
    const [mark = -1, order = -1] = this.source.read(begin, 2);
    this.#requireHeader(mark, order);
    this.little = order === littleEndian;
    this.#chunkEnd = Math.min(begin + this.chunkSize, Number.MAX_SAFE_INTEGER);
  }

  #requireHeader(mark: number, order: number): void {
    if (mark !== chunkHeader)
      throw this.error('invalid-otf2', `The header of a chunk was expected (3); found ${mark}.`);
    if (order !== littleEndian && order !== bigEndian)
      throw this.error('invalid-otf2', `A byte order was expected (66 or 35); found ${order}.`);
  }

  #openChunk(offset: number): boolean {
    if (offset >= this.source.size) return false;
    this.#chunkEnd = Math.min(offset + this.chunkSize, Number.MAX_SAFE_INTEGER);
    this.#base = offset;
    this.position = 0;
    this.end = 0;
    this.need(chunkHeaderBytes);
    const order = this.view.getUint8(1);
    this.#requireHeader(this.view.getUint8(0), order);
    this.little = order === littleEndian;
    this.position = chunkHeaderBytes;
    return true;
  }

  /** Whether `count` bytes follow in this chunk. */
  has(count: number): boolean {
    if (this.position + count <= this.end) return true;
    return this.#fill(count);
  }

  /** @throws KymoError `truncated-otf2`, and `invalid-otf2` for a record that crosses the end of its chunk */
  need(count: number): void {
    if (this.has(count)) return;
    const missing = `${count} more bytes were expected`;
    if (this.offset + count > this.#chunkEnd)
      throw this.error('invalid-otf2', `${missing}, but the chunk ends at byte ${this.#chunkEnd}.`);
    throw this.error('truncated-otf2', `${missing}, but the file ends at byte ${this.source.size}.`);
  }

  #fill(count: number): boolean {
    const offset = this.offset;
    const available = Math.min(this.#chunkEnd, this.source.size) - offset;
    if (count > available) return false;
    const wanted = Math.min(Math.max(count, this.windowBytes), available);
    const rest = this.#bytes.subarray(this.position, this.end);
    if (this.#bytes.length < wanted + slack) {
      const larger = new Uint8Array(wanted + slack);
      larger.set(rest);
      this.#bytes = larger;
      this.view = new DataView(larger.buffer);
    } else this.#bytes.copyWithin(0, this.position, this.end);
    const read = this.source.read(offset + rest.length, wanted - rest.length);
    this.#bytes.set(read, rest.length);
    this.#base = offset;
    this.position = 0;
    this.end = rest.length + read.length;
    return count <= this.end;
  }

  /** Reads a record's length and makes its bytes available. @returns the position of its end */
  recordEnd(): number {
    this.need(1);
    let length = this.view.getUint8(this.position++);
    if (length === 0xff) {
      this.need(8);
      length = Number(this.view.getBigUint64(this.position, this.little));
      this.position += 8;
    }
    this.need(length);
    return this.position + length;
  }

  /** Continues behind a record. @throws KymoError `invalid-otf2` when its fields were longer */
  finish(end: number): void {
    if (this.position > end)
      throw this.error(
        'invalid-otf2',
        `The fields of a record are ${this.position - end} bytes longer than the record.`,
      );
    this.position = end;
  }

  u8(): number {
    return this.view.getUint8(this.position++);
  }

  /** @param bytes of the type: 4 or 8 */
  unsigned(bytes: 4 | 8): number {
    const size = this.view.getUint8(this.position++);
    const at = this.position;
    const { view, little } = this;
    this.exact = undefined;
    if (size > bytes) {
      if (size !== 0xff) throw this.tooLong(size, bytes);
      if (bytes === 4) return 0xffffffff;
      this.exact = allOnes;
      return 2 ** 64;
    }
    this.position = at + size;
    switch (size) {
      case 0:
        return 0;
      case 1:
        return view.getUint8(at);
      case 2:
        return view.getUint16(at, little);
      case 4:
        return view.getUint32(at, little);
      case 8:
        return this.#safe(view.getBigUint64(at, little));
      default:
        return this.#odd(at, size);
    }
  }

  /** 3, 5, 6 or 7 bytes. */
  #odd(at: number, size: number): number {
    const { view, little } = this;
    let value = 0;
    for (let index = 0; index < size; index++)
      value = value * 256 + view.getUint8(little ? at + size - 1 - index : at + index);
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    // Seven bytes: the eighth one in front of or behind them is not part of it.
    let exact = 0n;
    for (let index = 0; index < size; index++)
      exact = exact * 256n + BigInt(view.getUint8(little ? at + size - 1 - index : at + index));
    return this.#safe(exact);
  }

  signed(bytes: 4 | 8): number {
    const size = this.view.getUint8(this.position);
    if (size === 0xff) {
      this.position++;
      this.exact = undefined;
      return -1;
    }
    if (size < bytes) return this.unsigned(bytes);
    if (size > bytes) throw this.tooLong(size, bytes);
    const at = this.position + 1;
    this.position = at + size;
    this.exact = undefined;
    return bytes === 4
      ? this.view.getInt32(at, this.little)
      : this.#safe(this.view.getBigInt64(at, this.little));
  }

  #safe(value: bigint): number {
    const number = Number(value);
    this.exact = Number.isSafeInteger(number) ? undefined : value;
    return number;
  }

  /** The 64 bits of a compressed word. */
  word(): bigint {
    const value = this.unsigned(8);
    return this.exact ?? BigInt(value);
  }

  fixed64(): bigint {
    const value = this.view.getBigUint64(this.position, this.little);
    this.position += 8;
    return value;
  }

  double(): number {
    const value = this.view.getFloat64(this.position, this.little);
    this.position += 8;
    return value;
  }

  /** Bytes of the window, which the next read overwrites. */
  bytesUpTo(end: number): Uint8Array {
    return this.#bytes.subarray(this.position, end);
  }

  tooLong(size: number, bytes: number): Error {
    return this.error(
      'invalid-otf2',
      `An integer of at most ${bytes} bytes was expected; found ${size} bytes.`,
    );
  }

  /** At this position, or the one that is given. */
  error(reason: Otf2ErrorReason, message: string): Error {
    return otf2Error(reason, this.file, this.offset, message);
  }
}

/** Room behind the window for fields that a damaged record claims beyond its end. */
const slack = 64;
