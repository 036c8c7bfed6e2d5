import { at } from '../at';
import type { LineHashes } from './lineHashes';
import { trimmed, type LineHunk } from './lineHunks';

/** Lines of a text that were replaced. Edits that came together ascend, do not overlap, and all count from the text before them. */
export interface LineEdit {
  /** 0-based. */
  readonly first: number;
  readonly removed: number;
  /** Hashes of the lines that replace them. */
  readonly added: LineHashes;
}

/** The lines of a text after edits that came together. */
export function editLines(lines: LineHashes, edits: readonly LineEdit[]): LineHashes {
  const grown = edits.reduce((sum, { removed, added }) => sum + added.length - removed, 0);
  const edited = new Uint32Array(lines.length + grown);
  let [from, to] = [0, 0];
  for (const { first, removed, added } of edits) {
    edited.set(lines.subarray(from, first), to);
    to += first - from;
    edited.set(added, to);
    to += added.length;
    from = first + removed;
  }
  edited.set(lines.subarray(from), to);
  return edited;
}

/**
 * Hunks to a text, and edits of that text, as hunks to the edited text: what an editor needs at each key stroke, without comparing the
 * texts. Lines that an edit brings back are no longer counted as changed.
 * @param current the edited text
 */
export function editHunks(
  hunks: readonly LineHunk[],
  edits: readonly LineEdit[],
  measured: LineHashes,
  current: LineHashes,
): readonly LineHunk[] {
  const changes = inOrder(hunks, edits);
  const edited: LineHunk[] = [];
  // How much further down lines are in the text before the edits than in the measured one, and after the edits than before.
  let [measuredShift, editShift] = [0, 0];
  for (let next = 0; next < changes.length;) {
    const { begin } = at(changes, next);
    const [measuredBegin, currentBegin] = [begin - measuredShift, begin + editShift];
    let end = begin;
    let isEdited = false;
    // Changes that touch each other become one hunk.
    for (let change = changes[next]; change !== undefined && change.begin <= end; change = changes[++next]) {
      end = Math.max(end, change.end);
      if (change.isEdit) editShift += change.grown;
      else measuredShift += change.grown;
      isEdited ||= change.isEdit;
    }
    const joined = {
      measured: measuredBegin,
      removed: end - measuredShift - measuredBegin,
      current: currentBegin,
      added: end + editShift - currentBegin,
    };
    if (isEdited) edited.push(...changedLines(measured, current, trimmed(measured, current, joined)));
    else edited.push(joined);
  }
  return edited;
}

/** A changed range of lines, and by how many lines the text grows there. */
interface Change {
  readonly begin: number;
  readonly end: number;
  readonly grown: number;
  readonly isEdit: boolean;
}

/** Both kinds of changes by where they are in the text before the edits. */
function inOrder(hunks: readonly LineHunk[], edits: readonly LineEdit[]): readonly Change[] {
  const ofHunks = hunks.map(({ current, removed, added }) => ({
    begin: current,
    end: current + added,
    grown: added - removed,
    isEdit: false,
  }));
  const ofEdits = edits.map(({ first, removed, added }) => ({
    begin: first,
    end: first + removed,
    grown: added.length - removed,
    isEdit: true,
  }));
  return [...ofHunks, ...ofEdits].sort((a, b) => a.begin - b.begin);
}

/** A hunk that replaces as many lines as it removes, as runs of lines that differ: a name that is replaced everywhere leaves most lines unchanged. */
function changedLines(measured: LineHashes, current: LineHashes, hunk: LineHunk): readonly LineHunk[] {
  if (hunk.removed === 0 && hunk.added === 0) return [];
  if (hunk.removed !== hunk.added) return [hunk];
  const runs: LineHunk[] = [];
  let length = 0;
  for (let line = 0; line <= hunk.removed; line++) {
    const differs = line < hunk.removed && measured[hunk.measured + line] !== current[hunk.current + line];
    if (differs) length++;
    else if (length > 0) {
      const start = line - length;
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
