import { editHunks, editLines, type LineEdit } from './lineEdits';
import { blankLine, type LineHashes } from './lineHashes';
import { differences, firstHunk, forward, reversed, type LineHunk } from './lineHunks';

/** Where a function that was measured is now. Lines are 1-based. */
export interface FunctionPlace {
  readonly line: number;
  readonly endLine: number;
  /** Its lines are others than those that were measured. */
  readonly stale: boolean;
}

/** A line that is added more often tells nothing about where a function went. */
const maximumCandidates = 64;

/** Lines of the text that was measured in the text of today, and back. All lines are 1-based. */
export class LineMap {
  /** Where the added lines are, by hash; made when the first function is looked for among them. */
  private addedLines: ReadonlyMap<number, readonly number[]> | undefined;

  /** @param hunks ascending, not touching each other */
  constructor(
    private readonly measured: LineHashes,
    readonly current: LineHashes,
    readonly hunks: readonly LineHunk[],
  ) {}

  /** Of two texts as hashes of their lines. Takes up to some 50 ms for 50,000 lines: not for the extension host. */
  static between(measured: LineHashes, current: LineHashes): LineMap {
    return new LineMap(measured, current, differences(measured, current));
  }

  /** Where the measured text is not known: every line is where it was, and nothing is stale. */
  static identity(current: LineHashes): LineMap {
    return new LineMap(current, current, []);
  }

  /** To the text after edits that came together; in a moment, also for a long text. */
  edited(edits: readonly LineEdit[]): LineMap {
    const current = editLines(this.current, edits);
    return new LineMap(this.measured, current, editHunks(this.hunks, edits, this.measured, current));
  }

  /** How many lines the measured text has. */
  get measuredLines(): number {
    return this.measured.length;
  }

  /** True when no line moved. */
  get unchanged(): boolean {
    return this.hunks.length === 0;
  }

  /**
   * The current line of a measured one, never going backwards: a line that was rewritten is the one that stands in its place, and one
   * that was deleted is the line that came up to where it was.
   */
  toCurrent(line: number): number {
    return clamp(forward(this.hunks, line - 1) + 1, this.current.length);
  }

  /** The measured line of a current one; of an inserted line, the line before which it was inserted. */
  toMeasured(line: number): number {
    return clamp(forward(this.hunks.map(reversed), line - 1) + 1, this.measured.length);
  }

  /**
   * Where the function with these measured lines is: in its place as the lines around it tell, or elsewhere when it was moved as a
   * whole. Undefined when all of it was deleted, or it never fitted the text.
   */
  placeOf(first: number, last: number = first): FunctionPlace | undefined {
    const length = Math.max(0, last - first);
    if (first < 1 || first > this.measured.length) return undefined;
    const line = this.pastBlankLines(this.toCurrent(first));
    const end = this.unchangedEnd(first - 1, length, line - 1);
    if (end !== undefined) return { line, endLine: end + 1, stale: false };
    const moved = this.isKept(first - 1) ? undefined : this.movedTo(first - 1, length);
    if (moved !== undefined) return moved;
    if (this.isDeleted(first - 1, length)) return undefined;
    return { line, endLine: this.beforeBlankLines(line, this.toCurrent(first + length)), stale: true };
  }

  /** A function begins on a line with something in it. */
  private pastBlankLines(line: number): number {
    let at = line;
    while (at < this.current.length && this.current[at - 1] === blankLine) at++;
    return at;
  }

  /** And ends on one. */
  private beforeBlankLines(first: number, last: number): number {
    let at = last;
    while (at > first && this.current[at - 1] === blankLine) at--;
    return Math.max(first, at);
  }

  /** The last current line (0-based) of the measured function if its text stands unchanged, but for blank lines, from `start` on. */
  private unchangedEnd(first: number, length: number, start: number): number | undefined {
    let at = start;
    for (let line = first; line <= first + length; line++) {
      const hash = this.measured[line];
      if (hash === undefined || hash === blankLine) continue;
      while (this.current[at] === blankLine) at++;
      if (this.current[at] !== hash) return undefined;
      at++;
    }
    return Math.max(start, at - 1);
  }

  /** The last hunk that begins at or before a measured line (0-based). */
  private hunkBefore(line: number): LineHunk | undefined {
    return this.hunks[firstHunk(this.hunks, ({ measured }) => measured > line) - 1];
  }

  /** Whether the line is in both texts at corresponding places. */
  private isKept(line: number): boolean {
    const hunk = this.hunkBefore(line);
    return hunk === undefined || line >= hunk.measured + hunk.removed;
  }

  /** None of the function's lines is left, and nothing stands in their place. */
  private isDeleted(first: number, length: number): boolean {
    const hunk = this.hunkBefore(first);
    return (
      hunk !== undefined &&
      first + length < hunk.measured + hunk.removed &&
      first - hunk.measured >= hunk.added
    );
  }

  /** The one other place where the whole function stands among lines that are new. A single line is too little to tell by. */
  private movedTo(first: number, length: number): FunctionPlace | undefined {
    const hash = this.measured[first];
    if (length < 1 || hash === undefined) return undefined;
    this.addedLines ??= this.placesOfAddedLines();
    const candidates = this.addedLines.get(hash) ?? [];
    if (candidates.length > maximumCandidates) return undefined;
    const places: FunctionPlace[] = [];
    for (const start of candidates) {
      const end = this.unchangedEnd(first, length, start);
      if (end !== undefined) places.push({ line: start + 1, endLine: end + 1, stale: false });
      if (places.length > 1) return undefined;
    }
    return places[0];
  }

  private placesOfAddedLines(): ReadonlyMap<number, readonly number[]> {
    const places = new Map<number, number[]>();
    for (const { current, added } of this.hunks) {
      for (let line = current; line < current + added; line++) {
        const hash = this.current[line] ?? blankLine;
        const known = places.get(hash);
        if (known === undefined) places.set(hash, [line]);
        else if (known.length <= maximumCandidates) known.push(line);
      }
    }
    return places;
  }
}

function clamp(line: number, lines: number): number {
  return Math.min(Math.max(1, line), Math.max(1, lines));
}
