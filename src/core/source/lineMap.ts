import { diffArrays } from 'diff';
import { uniqueAnchors, type LineAnchor } from './lineAnchors';
import { blankLine, type LineHashes } from './lineHashes';

/** Where a function that was measured is now. Lines are 1-based. */
export interface FunctionPlace {
  readonly line: number;
  readonly endLine: number;
  /** Its lines are others than those that were measured. */
  readonly stale: boolean;
}

/**
 * Beyond so many inserted and deleted lines the texts are not compared line by line (about 20 ms), but tied together at the lines that
 * occur only once; what lies between such lines counts as rewritten.
 */
const maximumEdits = 600;

/** A range of lines that differ: `removed` measured lines from `measured` on became `added` lines from `current` on; 0-based. */
interface Hunk {
  readonly measured: number;
  readonly removed: number;
  readonly current: number;
  readonly added: number;
}

/** Lines of the text that was measured in the text of today, and back. All lines are 1-based. */
export class LineMap {
  private constructor(
    private readonly measured: LineHashes,
    private readonly current: LineHashes,
    /** Ascending, not touching each other. */
    private readonly hunks: readonly Hunk[],
  ) {}

  /** Of two texts as hashes of their lines. */
  static between(measured: LineHashes, current: LineHashes): LineMap {
    return new LineMap(measured, current, differences(measured, current));
  }

  /** Where the measured text is not known: every line is where it was, and nothing is stale. */
  static identity(current: LineHashes): LineMap {
    return new LineMap(current, current, []);
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
    return { line, endLine: Math.max(line, this.toCurrent(first + length)), stale: true };
  }

  /** A function begins on a line with something in it. */
  private pastBlankLines(line: number): number {
    let at = line;
    while (at < this.current.length && this.current[at - 1] === blankLine) at++;
    return at;
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

  /** Whether the line is in both texts at corresponding places. */
  private isKept(line: number): boolean {
    return !this.hunks.some(({ measured, removed }) => line >= measured && line < measured + removed);
  }

  /** None of the function's lines is left, and nothing stands in their place. */
  private isDeleted(first: number, length: number): boolean {
    return this.hunks.some(
      ({ measured, removed, added }) =>
        measured <= first && first + length < measured + removed && first - measured >= added,
    );
  }

  /** The one other place where the whole function stands among lines that are new. A single line is too little to tell by. */
  private movedTo(first: number, length: number): FunctionPlace | undefined {
    if (length < 1) return undefined;
    const places: FunctionPlace[] = [];
    for (const { current, added } of this.hunks) {
      for (let start = current; start < current + added; start++) {
        if (this.current[start] !== this.measured[first]) continue;
        const end = this.unchangedEnd(first, length, start);
        if (end !== undefined) places.push({ line: start + 1, endLine: end + 1, stale: false });
        if (places.length > 1) return undefined;
      }
    }
    return places[0];
  }
}

/** Follows a line (0-based) over hunks. */
function forward(hunks: readonly Hunk[], line: number): number {
  const before = lastBefore(hunks, line);
  if (before === undefined) return line;
  const into = line - before.measured;
  return into < before.removed
    ? before.current + Math.min(into, before.added)
    : before.current + before.added + (into - before.removed);
}

/** The last hunk that begins at or before the line. */
function lastBefore(hunks: readonly Hunk[], line: number): Hunk | undefined {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hunks[middle]?.measured ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : hunks[low - 1];
}

function reversed({ measured, removed, current, added }: Hunk): Hunk {
  return { measured: current, removed: added, current: measured, added: removed };
}

/** Most edits are few lines in one place: what is the same before and behind them is not looked at again. */
function differences(measured: LineHashes, current: LineHashes): readonly Hunk[] {
  const shorter = Math.min(measured.length, current.length);
  let prefix = 0;
  while (prefix < shorter && measured[prefix] === current[prefix]) prefix++;
  let suffix = 0;
  while (
    suffix < shorter - prefix &&
    measured[measured.length - 1 - suffix] === current[current.length - 1 - suffix]
  )
    suffix++;
  const removed = measured.length - suffix - prefix;
  const added = current.length - suffix - prefix;
  if (removed === 0 && added === 0) return [];
  const whole = { measured: prefix, removed, current: prefix, added };
  if (removed === 0 || added === 0) return [whole];
  const [before, after] = [
    measured.subarray(prefix, prefix + removed),
    current.subarray(prefix, prefix + added),
  ];
  const changes = diffArrays(Array.from(before), Array.from(after), { maxEditLength: maximumEdits });
  return changes === undefined ? hunksBetween(uniqueAnchors(before, after), whole) : hunksOf(changes, prefix);
}

/** What lies between the anchors, which count from the beginning of `whole`. */
function hunksBetween(anchors: readonly LineAnchor[], whole: Hunk): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [measured, current] = [whole.measured, whole.current];
  const end = { measured: whole.removed, current: whole.added };
  for (const anchor of [...anchors, end]) {
    const removed = whole.measured + anchor.measured - measured;
    const added = whole.current + anchor.current - current;
    if (removed > 0 || added > 0) hunks.push({ measured, removed, current, added });
    measured += removed + 1;
    current += added + 1;
  }
  return hunks;
}

function hunksOf(
  changes: readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[],
  prefix: number,
): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [measured, current] = [prefix, prefix];
  let open: Hunk | undefined;
  for (const { count, added, removed } of changes) {
    if (!added && !removed) {
      if (open !== undefined) hunks.push(open);
      open = undefined;
      measured += count;
      current += count;
      continue;
    }
    const { removed: gone, added: come } = open ?? { removed: 0, added: 0 };
    open = {
      measured: open?.measured ?? measured,
      current: open?.current ?? current,
      removed: gone + (removed ? count : 0),
      added: come + (added ? count : 0),
    };
    if (removed) measured += count;
    else current += count;
  }
  if (open !== undefined) hunks.push(open);
  return hunks;
}

function clamp(line: number, lines: number): number {
  return Math.min(Math.max(1, line), Math.max(1, lines));
}
