import { largestFrame } from './frame';
import { OverlayError } from './overlayError';

/** Called for each frame; it is in `bytes` from its length on, and stays valid. */
export type FrameHandler = (bytes: Buffer, from: number, to: number) => void;

/** Cuts what arrives on a connection into frames. Whole frames are handed on where they lie; only the rest of a chunk is copied. */
export class FrameReader {
  private rest: Buffer | undefined;
  private filled = 0;

  /** @param limit bytes of the largest frame; lower before the other side has shown that it knows the token */
  constructor(public limit = largestFrame) {}

  /** @throws OverlayError `malformed`; the connection cannot be read any further then */
  read(chunk: Buffer, handler: FrameHandler): void {
    let offset = 0;
    while (this.rest !== undefined && offset < chunk.length)
      offset = this.complete(this.rest, chunk, offset, handler);
    while (chunk.length - offset >= 4) {
      const size = this.size(chunk, offset);
      if (size > chunk.length - offset) break;
      handler(chunk, offset, offset + size);
      offset += size;
    }
    if (offset < chunk.length) this.keep(chunk, offset);
  }

  private keep(chunk: Buffer, offset: number): void {
    const left = chunk.length - offset;
    const size = left < 4 ? 4 : this.size(chunk, offset);
    // What is announced and has not come is allocated in steps: a stranger's length must not cost memory.
    this.rest = Buffer.allocUnsafe(Math.min(size, Math.max(2 * left, 2 ** 16)));
    this.filled = chunk.copy(this.rest, 0, offset);
  }

  private complete(rest: Buffer, chunk: Buffer, offset: number, handler: FrameHandler): number {
    const size = this.filled < 4 ? 4 : this.size(rest, 0);
    if (rest.length < size && this.filled === rest.length) {
      this.rest = Buffer.allocUnsafe(Math.min(size, Math.max(2 * rest.length, 2 ** 16)));
      rest.copy(this.rest, 0, 0, this.filled);
      return offset;
    }
    const taken = chunk.copy(rest, this.filled, offset, offset + Math.min(size, rest.length) - this.filled);
    this.filled += taken;
    if (this.filled >= 4 && this.filled === this.size(rest, 0)) {
      this.rest = undefined;
      handler(rest, 0, this.filled);
    }
    return offset + taken;
  }

  private size(bytes: Buffer, offset: number): number {
    const size = 4 + bytes.readUInt32LE(offset);
    if (size < 5 || size > this.limit)
      throw new OverlayError(
        'malformed',
        `A frame of ${size} bytes was announced; 5 to ${this.limit} are allowed.`,
      );
    return size;
  }
}
