/**
 * Lines of a source file as numbers. They are stored for the measured text, so that its lines can be found in the text of today.
 * Indentation and line ends do not count: they do not change what was measured.
 */
export type LineHashes = Uint32Array;

/** The hash of a blank line. */
export const blankLine = 0;

/** One hash per line of `text`; lines end with LF, CRLF or CR, as in VS Code. */
export function hashLines(text: string): LineHashes {
  const hashes = new Uint32Array(countLines(text));
  let line = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== lineFeed && unit !== carriageReturn) continue;
    hashes[line++] = hashLine(text, begin, at);
    if (unit === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at++;
    begin = at + 1;
  }
  hashes[line] = hashLine(text, begin, text.length);
  return hashes;
}

const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;

function countLines(text: string): number {
  let lines = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === lineFeed || (unit === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) lines++;
  }
  return lines;
}

/** FNV-1a of the UTF-16 units in [begin, end) between the outer blanks; never `blankLine` for another line. */
function hashLine(text: string, begin: number, end: number): number {
  let first = begin;
  let last = end;
  while (first < last && text.charCodeAt(first) <= blank) first++;
  while (last > first && text.charCodeAt(last - 1) <= blank) last--;
  if (first === last) return blankLine;
  let hash = 0x811c9dc5;
  for (let at = first; at < last; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0 || 1;
}
