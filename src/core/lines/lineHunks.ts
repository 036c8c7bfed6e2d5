import { diffArrays } from 'diff';
import { at } from '../at';
import { firstPosition } from '../firstPosition';
import { uniqueAnchors, type LineAnchor } from './lineAnchors';
import type { LineHashes } from './lineHashes';

/**
 * Texts with more inserted and deleted lines are not compared line by line (about 20 ms), but aligned at the lines that occur only
 * once; the text between such lines counts as rewritten.
 */
const maximumEdits = 600;

/** A range of lines that differ: `removed` measured lines from `measured` on became `added` lines from `current` on; 0-based. */
export interface LineHunk {
  readonly measured: number;
  readonly removed: number;
  readonly current: number;
  readonly added: number;
}

/** Follows a measured line (0-based) over hunks, which ascend and do not touch each other. */
export function forward(hunks: readonly LineHunk[], line: number): number {
  const before = hunks[firstHunk(hunks, (hunk) => hunk.measured > line) - 1];
  if (before === undefined) return line;
  const into = line - before.measured;
  return into < before.removed
    ? before.current + Math.min(into, before.added)
    : before.current + before.added + (into - before.removed);
}

/** Position of the first hunk that `isBehind`, as are all later ones; their number where none is. */
export function firstHunk(hunks: readonly LineHunk[], isBehind: (hunk: LineHunk) => boolean): number {
  return firstPosition(hunks.length, (position) => isBehind(at(hunks, position)));
}

/** The way back: from the current text to the measured one. */
export function reversed({ measured, removed, current, added }: LineHunk): LineHunk {
  return { measured: current, removed: added, current: measured, added: removed };
}

export function sameHunks(some: readonly LineHunk[], others: readonly LineHunk[]): boolean {
  return (
    some.length === others.length &&
    some.every((hunk, index) => {
      const other = at(others, index);
      return (
        hunk.measured === other.measured &&
        hunk.removed === other.removed &&
        hunk.current === other.current &&
        hunk.added === other.added
      );
    })
  );
}

/** A hunk without the lines at its begin and end that are the same in both texts; most edits are few lines in one place. */
export function trimmed(measured: LineHashes, current: LineHashes, hunk: LineHunk): LineHunk {
  const shorter = Math.min(hunk.removed, hunk.added);
  let prefix = 0;
  while (prefix < shorter && measured[hunk.measured + prefix] === current[hunk.current + prefix]) prefix++;
  const ends = { measured: hunk.measured + hunk.removed - 1, current: hunk.current + hunk.added - 1 };
  let suffix = 0;
  while (suffix < shorter - prefix && measured[ends.measured - suffix] === current[ends.current - suffix])
    suffix++;
  return {
    measured: hunk.measured + prefix,
    removed: hunk.removed - prefix - suffix,
    current: hunk.current + prefix,
    added: hunk.added - prefix - suffix,
  };
}

/** The hunks between two texts. Takes up to about 50 ms for 50,000 lines: not for the extension host. */
export function differences(measured: LineHashes, current: LineHashes): readonly LineHunk[] {
  const whole = trimmed(measured, current, {
    measured: 0,
    removed: measured.length,
    current: 0,
    added: current.length,
  });
  const { removed, added } = whole;
  if (removed === 0 && added === 0) return [];
  if (removed === 0 || added === 0) return [whole];
  const before = measured.subarray(whole.measured, whole.measured + removed);
  const after = current.subarray(whole.current, whole.current + added);
  const changes = diffArrays(Array.from(before), Array.from(after), { maxEditLength: maximumEdits });
  return changes === undefined
    ? hunksBetween(uniqueAnchors(before, after), whole)
    : hunksOf(changes, whole.measured);
}

/** The hunks between anchors, whose lines count from the beginning of `whole`. */
function hunksBetween(anchors: readonly LineAnchor[], whole: LineHunk): readonly LineHunk[] {
  const hunks: LineHunk[] = [];
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
): readonly LineHunk[] {
  const hunks: LineHunk[] = [];
  let [measured, current] = [prefix, prefix];
  let open: { -readonly [Field in keyof LineHunk]: LineHunk[Field] } | undefined;
  for (const { count, added, removed } of changes) {
    if (!added && !removed) {
      if (open !== undefined) hunks.push(open);
      open = undefined;
      measured += count;
      current += count;
      continue;
    }
    open ??= { measured, removed: 0, current, added: 0 };
    if (removed) {
      open.removed += count;
      measured += count;
    } else {
      open.added += count;
      current += count;
    }
  }
  if (open !== undefined) hunks.push(open);
  return hunks;
}

const columns = 4;

/** Hunks as numbers, to send them to another process. */
export function packHunks(hunks: readonly LineHunk[]): Uint32Array {
  const packed = new Uint32Array(columns * hunks.length);
  hunks.forEach(({ measured, removed, current, added }, index) =>
    packed.set([measured, removed, current, added], columns * index),
  );
  return packed;
}

export function unpackHunks(packed: Uint32Array): readonly LineHunk[] {
  return Array.from({ length: Math.floor(packed.length / columns) }, (_, index) => {
    const [measured = 0, removed = 0, current = 0, added = 0] = packed.subarray(columns * index);
    return { measured, removed, current, added };
  });
}
