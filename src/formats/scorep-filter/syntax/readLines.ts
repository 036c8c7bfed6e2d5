import { byteLength } from '../patterns/bytes';

/** The text that Score-P reads at once: one line, or several. */
export interface ReadLine {
  /** UTF-16 units of the text, from 0. */
  readonly offset: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

/** Initial size and increment of the buffer of Score-P's reader (`UTILS_IO_GetLine` of Score-P 8.4). */
const bufferBytes = 1024;

/**
 * Score-P assumes that a full buffer contains an incomplete line, even if the line ends there: after a line of exactly 1,023 bytes (with its newline) it
 * reads the next one as a part of it. The buffer never shrinks.
 */
export function* readLines(text: string): Iterable<ReadLine> {
  let size = bufferBytes;
  let line = 1;
  for (let offset = 0; offset < text.length;) {
    const first = line;
    let end = offset;
    let bytes = 0;
    do {
      const next = lineEnd(text, end);
      bytes += byteLength(text.slice(end, next));
      end = next;
      line++;
      while (bytes > size - 1) size += bufferBytes;
      if (bytes < size - 1) break;
      size += bufferBytes;
    } while (end < text.length);
    yield { offset, end, line: first };
    offset = end;
  }
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline + 1;
}
