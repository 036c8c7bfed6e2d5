import type { KymoError } from '../../core/errors';
import type { NamedSource } from '../byteSource';
import { invalid } from './errors';

const newline = 10;
/** Longer lines are no lines of a trace. */
const longestLine = 65_536;

/** A line of a text: bytes [start, end) of a buffer that the next line may overwrite. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly number: number;
  /** Its end is missing: the file was cut off, or is still being written. */
  readonly isCutOff: boolean;
}

/**
 * The lines of a text, without their ends, read in windows.
 * @param visit gets the same object each time
 * @throws KymoError `invalid-mvtrace` for a line of more than 64 KiB
 */
export function visitLines(source: NamedSource, windowBytes: number, visit: (line: Line) => void): void {
  const buffer = new Uint8Array(windowBytes + longestLine + 1);
  const line = { bytes: buffer, start: 0, end: 0, number: 0, isCutOff: false };
  let held = 0;
  for (let offset = 0; offset < source.size;) {
    const read = source.read(offset, windowBytes);
    if (read.length === 0) break;
    buffer.set(read, held);
    offset += read.length;
    const length = held + read.length;
    let start = 0;
    for (;;) {
      const found = buffer.indexOf(newline, start);
      if (found < 0 || found >= length) break;
      if (found - start > longestLine) throw tooLong(source, line.number + 1);
      line.start = start;
      line.end = found > start && buffer[found - 1] === 13 ? found - 1 : found;
      line.number++;
      visit(line);
      start = found + 1;
    }
    held = length - start;
    if (held > longestLine) throw tooLong(source, line.number + 1);
    buffer.copyWithin(0, start, length);
  }
  if (held === 0) return;
  line.start = 0;
  line.end = held;
  line.number++;
  line.isCutOff = true;
  visit(line);
}

function tooLong({ file }: NamedSource, line: number): KymoError {
  return invalid(file, line, 'it has more than 64 KiB');
}
