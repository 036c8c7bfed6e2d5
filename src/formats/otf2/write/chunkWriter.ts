import { bigEndian, chunkHeaderBytes, littleEndian } from '../bytes/chunkedReader';

/** Takes the bytes of a file, in their order. */
export type Append = (bytes: Uint8Array) => void;

/** The marks at the end of a file: end of the chunk, and end of the file. */
const endBytes = 2;
const firstSize = 4096;

/** The chunks of one file. Records do not cross their ends, and chunks that are not the last one are filled up with zeros. */
export class ChunkWriter {
  /** Of the chunk. */
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  position = 0;
  #firstEvent = 1;
  #lastEvent = 0;

  constructor(
    private readonly append: Append,
    private readonly chunkSize: number,
    readonly little: boolean,
  ) {
    this.#begin();
  }

  #begin(): void {
    this.position = 0;
    this.#room(chunkHeaderBytes);
    this.view.setUint8(0, 3);
    this.view.setUint8(1, this.little ? littleEndian : bigEndian);
    this.position = chunkHeaderBytes;
  }

  #room(count: number): void {
    const needed = this.position + count;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(
      Math.min(this.chunkSize, Math.max(needed, this.bytes.length * 2, firstSize)),
    );
    larger.set(this.bytes.subarray(0, this.position));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /**
   * Makes room for a record of at most `count` bytes.
   * @returns whether a new chunk begins with it
   * @throws RangeError when it is larger than a chunk
   */
  reserve(count: number): boolean {
    const isNew = this.position + count + endBytes > this.chunkSize;
    if (isNew) {
      if (this.position === chunkHeaderBytes)
        throw new RangeError(`A record of ${count} bytes is larger than a chunk.`);
      this.#flush(this.chunkSize);
      this.#firstEvent = this.#lastEvent + 1;
      this.#begin();
      if (this.position + count + endBytes > this.chunkSize)
        throw new RangeError(`A record of ${count} bytes is larger than a chunk.`);
    }
    this.#room(count);
    return isNew;
  }

  countEvent(): void {
    this.#lastEvent++;
  }

  raw(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.position);
    this.position += bytes.length;
  }

  #flush(length: number): void {
    this.view.setBigUint64(2, BigInt(this.#firstEvent), this.little);
    this.view.setBigUint64(10, BigInt(this.#lastEvent), this.little);
    this.append(this.bytes.slice(0, this.position));
    if (length > this.position) this.append(new Uint8Array(length - this.position));
  }

  close(): void {
    this.#room(endBytes);
    this.view.setUint8(this.position++, 2);
    this.view.setUint8(this.position++, 1);
    this.#flush(this.position);
  }
}
