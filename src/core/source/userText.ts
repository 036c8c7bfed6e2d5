import path from 'node:path';

/**
 * The user's part of preprocessed text, and the way back from it to the user's files.
 *
 * Preprocessed C++ is mostly system headers. They are cut out before parsing (which makes it fast) while each line that stays
 * remembers where it came from: the offset in the preprocessed text, and file and line before preprocessing.
 * GNU line markers: `# <line> "<file>" <flags>`, flag 3 = system header (GCC manual, "Preprocessor Output").
 */
export interface UserText {
  /** What to parse: lines of user files only, without markers and pragmas; the same columns as in the preprocessed text. */
  readonly text: string;
  /** Start of each line in `text`, ascending; one more entry than there are lines. */
  readonly lineStarts: Int32Array;
  /** Offset of each line in the preprocessed text. */
  readonly originalStarts: Int32Array;
  /** Position in `files` and 1-based line in that file, per line. */
  readonly lineFiles: Int32Array;
  readonly lineNumbers: Int32Array;
  readonly files: readonly string[];
}

/** A place in a user's file; line and column are 1-based. */
export interface UserPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const marker = /^#(?:line)?[ \t]+(\d+)(?:[ \t]+"((?:[^"\\]|\\.)*)"((?:[ \t]+\d+)*))?/;

/** Installed headers that compilers do not always flag, such as MPI's: nobody's own sources live there. */
const installed = /^\/usr\/(?!src\/|local\/src\/|home\/)/;

/** Splits preprocessed text; `source` names the file that is meant before the first marker. */
export function extractUserText(text: string, source: string, directory?: string): UserText {
  const scan = new Scan(source, directory);
  const pieces: string[] = [];
  let length = 0;
  let at = 0;
  let runStart = -1;
  const flush = (end: number): void => {
    if (runStart >= 0) pieces.push(text.slice(runStart, end));
    runStart = -1;
  };
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline + 1;
    if (isDirective(text, at, end)) {
      flush(at);
      scan.directive(text.slice(at, Math.min(end, at + 4096)));
    } else {
      if (scan.user) {
        if (runStart < 0) runStart = at;
        scan.keep(length, at);
        length += end - at;
      }
      scan.line++;
    }
    at = end;
  }
  flush(text.length);
  return scan.finish(pieces.join(''), text.length);
}

function isDirective(text: string, at: number, end: number): boolean {
  for (let index = at; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 35) return true;
    if (code !== 32 && code !== 9) return false;
  }
  return false;
}

/** What the markers say while the lines go by. */
class Scan {
  line = 1;
  user = true;
  private file = 0;
  private readonly files: string[];
  private readonly systemByFile = new Map<string, boolean>();
  private readonly fileNumbers = new Map<string, number>();
  private readonly kept: { starts: number[]; originals: number[]; files: number[]; lines: number[] } = {
    starts: [],
    originals: [],
    files: [],
    lines: [],
  };

  constructor(
    private readonly source: string,
    private readonly directory?: string,
  ) {
    this.files = [source];
    this.fileNumbers.set(source, 0);
    this.systemByFile.set(source, false);
  }

  keep(start: number, original: number): void {
    this.kept.starts.push(start);
    this.kept.originals.push(original);
    this.kept.files.push(this.file);
    this.kept.lines.push(this.line);
  }

  directive(line: string): void {
    const match = marker.exec(line);
    if (match === null) {
      this.line++;
      return;
    }
    this.line = Number(match[1]);
    if (match[2] === undefined) return;
    const file = this.absolute(match[2].replace(/\\(.)/g, '$1'));
    const flags = match[3] ?? '';
    this.user = !this.isSystem(file, flags);
    if (this.user) this.file = this.numberOf(file);
  }

  finish(text: string, originalLength: number): UserText {
    return {
      text,
      lineStarts: Int32Array.from([...iterate(this.kept.starts), text.length]),
      originalStarts: Int32Array.from([...iterate(this.kept.originals), originalLength]),
      lineFiles: Int32Array.from(this.kept.files),
      lineNumbers: Int32Array.from(this.kept.lines),
      files: this.files,
    };
  }

  /** A macro of a system header, expanded in a user's file, also carries flag 3: the file's first marker decides. */
  private isSystem(file: string, flags: string): boolean {
    const known = this.systemByFile.get(file);
    if (known !== undefined) return known;
    const system =
      /\b3\b/.test(flags) || /^<.*>$/.test(file) || (installed.test(file) && !installed.test(this.source));
    this.systemByFile.set(file, system);
    return system;
  }

  private absolute(file: string): string {
    if (this.directory === undefined || /^<.*>$/.test(file)) return file;
    return path.posix.resolve(this.directory, file);
  }

  private numberOf(file: string): number {
    const known = this.fileNumbers.get(file);
    if (known !== undefined) return known;
    this.files.push(file);
    this.fileNumbers.set(file, this.files.length - 1);
    return this.files.length - 1;
  }
}

function* iterate(values: readonly number[]): Iterable<number> {
  yield* values;
}

/** Line (0-based, of `text`) that holds an offset. */
export function lineAt(user: UserText, offset: number): number {
  let low = 0;
  let high = user.lineStarts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((user.lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

/** Where an offset of the user text lies in the preprocessed text. */
export function originalOffset(user: UserText, offset: number): number {
  const line = lineAt(user, offset);
  return (user.originalStarts[line] ?? 0) + offset - (user.lineStarts[line] ?? 0);
}

/** Where an offset of the user text lies in the user's file. */
export function placeAt(user: UserText, offset: number): UserPlace {
  const line = lineAt(user, offset);
  return {
    file: user.files[user.lineFiles[line] ?? 0] ?? '',
    line: user.lineNumbers[line] ?? 1,
    column: offset - (user.lineStarts[line] ?? 0) + 1,
  };
}
