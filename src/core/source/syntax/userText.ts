import path from 'node:path';
import { firstPosition } from '../../firstPosition';
import { at, atInt } from '../../at';
import { remembered } from '../../remembered';

/**
 * The user's part of preprocessed text, and the way back from it to the user's files.
 *
 * Preprocessed C++ is mostly system headers. They are cut out before parsing, which makes it fast; for each other line the offset in the
 * preprocessed text is recorded, and file and line before preprocessing.
 * GNU line markers: `# <line> "<file>" <flags>`, flag 3 = system header (GCC manual, "Preprocessor Output").
 */
export interface UserText {
  /** Text for the parser: lines of user files only, without markers and pragmas; the same columns as in the preprocessed text. */
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

/** Installed headers that compilers do not always flag, such as MPI's: users have no sources there. */
const installed = /^\/usr\/(?!src\/|local\/src\/|home\/)/;

/** Splits preprocessed text; `source` is the file of the lines before the first marker. */
export function extractUserText(text: string, source: string, directory?: string): UserText {
  const scan = new Scan(source, directory);
  const pieces: string[] = [];
  let length = 0;
  let begin = 0;
  let runStart = -1;
  const flush = (end: number): void => {
    if (runStart >= 0) pieces.push(text.slice(runStart, end));
    runStart = -1;
  };
  while (begin < text.length) {
    const newline = text.indexOf('\n', begin);
    const end = newline < 0 ? text.length : newline + 1;
    if (isDirective(text, begin, end)) {
      flush(begin);
      scan.directive(text.slice(begin, Math.min(end, begin + 4096)));
    } else {
      if (scan.user) {
        if (runStart < 0) runStart = begin;
        scan.addLine(length, begin);
        length += end - begin;
      }
      scan.line++;
    }
    begin = end;
  }
  flush(text.length);
  return scan.finish(pieces.join(''), text.length);
}

function isDirective(text: string, begin: number, end: number): boolean {
  for (let index = begin; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 35) return true;
    if (code !== 32 && code !== 9) return false;
  }
  return false;
}

/** File, line and origin of the current line, by the markers so far. */
class Scan {
  line = 1;
  user = true;
  private file = 0;
  private readonly files: string[];
  private readonly systemByFile = new Map<string, boolean>();
  private readonly fileNumbers = new Map<string, number>();
  private readonly starts: number[] = [];
  private readonly originals: number[] = [];
  private readonly lineFiles: number[] = [];
  private readonly lineNumbers: number[] = [];

  constructor(
    private readonly source: string,
    private readonly directory?: string,
  ) {
    this.files = [source];
    this.fileNumbers.set(source, 0);
    this.systemByFile.set(source, false);
  }

  addLine(start: number, original: number): void {
    this.starts.push(start);
    this.originals.push(original);
    this.lineFiles.push(this.file);
    this.lineNumbers.push(this.line);
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
    const flags = at(match, 3);
    this.user = !this.isSystem(file, flags);
    if (this.user) this.file = this.numberOf(file);
  }

  finish(text: string, originalLength: number): UserText {
    return {
      text,
      lineStarts: Int32Array.from([...this.starts, text.length]),
      originalStarts: Int32Array.from([...this.originals, originalLength]),
      lineFiles: Int32Array.from(this.lineFiles),
      lineNumbers: Int32Array.from(this.lineNumbers),
      files: this.files,
    };
  }

  /** A macro of a system header, expanded in a user's file, also carries flag 3: the file's first marker decides. */
  private isSystem(file: string, flags: string): boolean {
    return remembered(
      this.systemByFile,
      file,
      () =>
        /\b3\b/.test(flags) || /^<.*>$/.test(file) || (installed.test(file) && !installed.test(this.source)),
    );
  }

  private absolute(file: string): string {
    if (this.directory === undefined || /^<.*>$/.test(file)) return file;
    return path.posix.resolve(this.directory, file);
  }

  private numberOf(file: string): number {
    return remembered(this.fileNumbers, file, () => this.files.push(file) - 1);
  }
}

/** Line (0-based, of `text`) that holds an offset. */
export function lineAt(user: UserText, offset: number): number {
  const { lineStarts } = user;
  return Math.max(0, firstPosition(lineStarts.length - 1, (line) => atInt(lineStarts, line) > offset) - 1);
}

/** Where an offset of the user text lies in the preprocessed text. */
export function originalOffset(user: UserText, offset: number): number {
  const line = lineAt(user, offset);
  return atInt(user.originalStarts, line) + offset - atInt(user.lineStarts, line);
}

/** Where an offset of the user text lies in the user's file. */
export function placeAt(user: UserText, offset: number): UserPlace {
  const line = lineAt(user, offset);
  return {
    file: at(user.files, atInt(user.lineFiles, line)),
    line: atInt(user.lineNumbers, line),
    column: offset - atInt(user.lineStarts, line) + 1,
  };
}
