/**
 * The bytes of a file, read by ranges. Reads are synchronous: whoever opens large files does so in a worker, where a positioned
 * read is the cheapest way.
 */
export interface ByteSource {
  /** Bytes in the file. */
  readonly size: number;
  /** Returns fewer bytes than requested only at the end of the file. May throw when the file was truncated after it was opened. */
  read(offset: number, length: number): Uint8Array;
}

/** A source with the path of its file, for messages. */
export interface NamedSource extends ByteSource {
  readonly file: string;
}

/** A file that is in memory already; reads are views, nothing is copied. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

export function namedBytes(file: string, bytes: Uint8Array): NamedSource {
  return { file, ...bytesSource(bytes) };
}

/** A part of a file. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/** The bytes of a part of a source. */
export function partOf(source: ByteSource, { offset, length }: Range): ByteSource {
  return {
    size: length,
    read: (from, count) => source.read(offset + from, Math.max(0, Math.min(count, length - from))),
  };
}
