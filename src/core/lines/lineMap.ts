import { atUint } from '../at';
import { editHunks, editLines, type LineEdit } from './lineEdits';
import { blankLine, type LineHashes } from './lineHashes';
import { pushTo } from '../remembered';
import { differences, firstHunk, forward, reversed, type LineHunk } from './lineHunks';

/** Where a measured function is now. Lines are 1-based. */
export interface FunctionPlace {
  readonly line: number;
  readonly endLine: number;
  /** Its lines differ from the measured ones. */
  readonly stale: boolean;
}

/** A line that is added more often does not show where a function went. */
const maximumCandidates = 64;

/** Maps lines of the measured text to the text of today, and back. All lines are 1-based. */
export class LineMap {
  /** Places of the added lines by hash; computed for the first function that is looked for among them. */
  private addedLines: ReadonlyMap<number, readonly number[]> | undefined;

  /** @param hunks ascending, not touching each other */
  constructor(
    private readonly measured: LineHashes,
    readonly current: LineHashes,
    readonly hunks: readonly LineHunk[],
  ) {}

  /** The map between two texts, given as hashes of their lines. Takes up to about 50 ms for 50,000 lines: not for the extension host. */
  static between(measured: LineHashes, current: LineHashes): LineMap {
    return new LineMap(measured, current, differences(measured, current));
  }

  /** The map where the measured text is unknown: every line is where it was, and nothing is stale. */
  static identity(current: LineHashes): LineMap {
    return new LineMap(current, current, []);
  }

  /** The map to the text after edits that came together; fast, also for a long text. */
  edited(edits: readonly LineEdit[]): LineMap {
    const current = editLines(this.current, edits);
    return new LineMap(this.measured, current, editHunks(this.hunks, edits, this.measured, current));
  }

  get measuredLines(): number {
    return this.measured.length;
  }

  get unchanged(): boolean {
    return this.hunks.length === 0;
  }

  /**
   * The current line of a measured one; ascending. A rewritten line maps to the line in its place, a deleted line to the line that
   * follows it.
   */
  toCurrent(line: number): number {
    return clamp(forward(this.hunks, line - 1) + 1, this.current.length);
  }

  /** The measured line of a current one; for an inserted line, the line before which it was inserted. */
  toMeasured(line: number): number {
    return clamp(forward(this.hunks.map(reversed), line - 1) + 1, this.measured.length);
  }

  /**
   * Where the function with these measured lines is: in its place between the lines around it, or elsewhere when it was moved as a
   * whole. Undefined when all of it was deleted, or its lines do not exist in the measured text.
   */
  placeOf(first: number, last: number = first): FunctionPlace | undefined {
    const length = Math.max(0, last - first);
    if (first < 1 || first > this.measured.length) return undefined;
    const line = this.pastBlankLines(this.toCurrent(first));
    const end = this.unchangedEnd(first - 1, length, line - 1);
    if (end !== undefined) return { line, endLine: end + 1, stale: false };
    const moved = this.isUnchanged(first - 1) ? undefined : this.movedTo(first - 1, length);
    if (moved !== undefined) return moved;
    if (this.isDeleted(first - 1, length)) return undefined;
    return { line, endLine: this.beforeBlankLines(line, this.toCurrent(first + length)), stale: true };
  }

  /** A function does not begin with blank lines, … */
  private pastBlankLines(line: number): number {
    let first = line;
    while (first < this.current.length && this.current[first - 1] === blankLine) first++;
    return first;
  }

  /** … and does not end with any. */
  private beforeBlankLines(first: number, last: number): number {
    let end = last;
    while (end > first && this.current[end - 1] === blankLine) end--;
    return Math.max(first, end);
  }

  /** The last current line (0-based) of the measured function if its text, except for blank lines, stands unchanged from `start` on. */
  private unchangedEnd(first: number, length: number, start: number): number | undefined {
    let next = start;
    for (let line = first; line <= first + length; line++) {
      const hash = this.measured[line];
      if (hash === undefined || hash === blankLine) continue;
      while (this.current[next] === blankLine) next++;
      if (this.current[next] !== hash) return undefined;
      next++;
    }
    return Math.max(start, next - 1);
  }

  /** The last hunk that begins at or before a measured line (0-based). */
  private hunkBefore(line: number): LineHunk | undefined {
    return this.hunks[firstHunk(this.hunks, ({ measured }) => measured > line) - 1];
  }

  /** Whether the line is in both texts at corresponding places. */
  private isUnchanged(line: number): boolean {
    const hunk = this.hunkBefore(line);
    return hunk === undefined || line >= hunk.measured + hunk.removed;
  }

  /** None of the function's lines exists any more, and no lines replace them. */
  private isDeleted(first: number, length: number): boolean {
    const hunk = this.hunkBefore(first);
    return (
      hunk !== undefined &&
      first + length < hunk.measured + hunk.removed &&
      first - hunk.measured >= hunk.added
    );
  }

  /** The only other place where the whole function stands among added lines. A single line is not enough evidence. */
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
        const hash = atUint(this.current, line);
        if ((places.get(hash)?.length ?? 0) <= maximumCandidates) pushTo(places, hash, line);
      }
    }
    return places;
  }
}

function clamp(line: number, lines: number): number {
  return Math.min(Math.max(1, line), Math.max(1, lines));
}
