/** Random access to the bytes of a file; lets the readers below load single sections of a large executable. */
export interface ByteSource {
  /** For messages: the path of the file. */
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  /** Exactly `length` bytes from `offset`; the caller has checked that they lie in the file. May throw when the file was cut since. */
  read(offset: number, length: number): Uint8Array;
}

/** A source over bytes in memory. */
export function bytesSource(file: string, bytes: Uint8Array): ByteSource {
  return { file, size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
