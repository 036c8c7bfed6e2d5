import type { LineHashes } from './lineHashes';
import { firstHunk, trimmed, type LineHunk } from './lineHunks';

/** Lines of a text that were replaced. */
export interface LineEdit {
  /** 0-based. */
  readonly first: number;
  readonly removed: number;
  /** Of the lines that stand there now. */
  readonly added: LineHashes;
}

/** The lines of a text after an edit. */
export function editLines(lines: LineHashes, { first, removed, added }: LineEdit): LineHashes {
  const edited = new Uint32Array(lines.length - removed + added.length);
  edited.set(lines.subarray(0, first));
  edited.set(added, first);
  edited.set(lines.subarray(first + removed), first + added.length);
  return edited;
}

/**
 * Hunks to a text, and an edit of that text, as hunks to the edited text: what an editor needs at each key stroke, in a time that does
 * not depend on the length of the text. Lines that an edit brings back are no longer counted as changed.
 * @param current the edited text
 */
export function editHunks(
  hunks: readonly LineHunk[],
  edit: LineEdit,
  measured: LineHashes,
  current: LineHashes,
): readonly LineHunk[] {
  const editEnd = edit.first + edit.removed;
  const grown = edit.added.length - edit.removed;
  // Those that the edit touches become one with it.
  const from = firstHunk(hunks, (hunk) => hunk.current + hunk.added >= edit.first);
  const to = firstHunk(hunks, (hunk) => hunk.current > editEnd);
  const [first, last] = [hunks[from], hunks[to - 1]];
  const touching = from < to && first !== undefined && last !== undefined;
  const begin = touching ? Math.min(edit.first, first.current) : edit.first;
  const end = touching ? Math.max(editEnd, last.current + last.added) : editEnd;
  const before = hunks[from - 1];
  const after = touching ? last : before;
  const measuredBegin = touching && begin === first.current ? first.measured : begin - shiftBehind(before);
  const measuredEnd = end - shiftBehind(after);
  const joined = {
    measured: measuredBegin,
    removed: measuredEnd - measuredBegin,
    current: begin,
    added: end - begin + grown,
  };
  return [
    ...hunks.slice(0, from),
    ...changedLines(measured, current, trimmed(measured, current, joined)),
    ...hunks.slice(to).map((hunk) => ({ ...hunk, current: hunk.current + grown })),
  ];
}

/** By how much lines behind a hunk are further down in the current text. */
function shiftBehind(hunk: LineHunk | undefined): number {
  return hunk === undefined ? 0 : hunk.current + hunk.added - hunk.measured - hunk.removed;
}

/** Of as many lines as before those that are others: a name that is replaced everywhere touches few of the lines in between. */
function changedLines(measured: LineHashes, current: LineHashes, hunk: LineHunk): readonly LineHunk[] {
  if (hunk.removed === 0 && hunk.added === 0) return [];
  if (hunk.removed !== hunk.added) return [hunk];
  const runs: LineHunk[] = [];
  let length = 0;
  for (let at = 0; at <= hunk.removed; at++) {
    const differs = at < hunk.removed && measured[hunk.measured + at] !== current[hunk.current + at];
    if (differs) length++;
    else if (length > 0) {
      const start = at - length;
      runs.push({
        measured: hunk.measured + start,
        removed: length,
        current: hunk.current + start,
        added: length,
      });
      length = 0;
    }
  }
  return runs;
}
