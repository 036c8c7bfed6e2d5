/**
 * Where a file's bytes come from. Reads are synchronous: whoever opens large files does so in a worker, where a positioned
 * read is the cheapest way. `read` returns fewer bytes only at the end of the file.
 */
export interface ByteSource {
  /** Bytes in the file. */
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
}

/** A file that is in memory already; reads are views, nothing is copied. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, Math.min(bytes.length, offset + length)),
  };
}

/** A part of a file. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}
