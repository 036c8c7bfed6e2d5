/**
 * What a file may contain, far above what is measured: beyond that, reading it would need more memory than a process has. The largest
 * texts are those of Extra-P's own files, about 200 bytes for a point.
 */
export const limits = {
  /** Bytes of a text, also after decompression. */
  textBytes: 2 ** 28,
  /** Bytes of all that an archive's members that are read decompress to. */
  inflatedBytes: 2 ** 29,
  points: 4_000_000,
  values: 2 ** 25,
  /** Words and braces of a line. */
  words: 1_000_000,
  /** Lists and objects within each other. */
  depth: 100,
} as const;
