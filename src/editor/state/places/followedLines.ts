import { editLines, type LineEdit } from '../../../core/lines/lineEdits';
import type { LineHashes } from '../../../core/lines/lineHashes';
import { unpackHunks } from '../../../core/lines/lineHunks';
import { LineMap } from '../../../core/lines/lineMap';
import type { LineMapParts } from '../../../workflows/lineMaps';

/** After an edit of more lines a comparison of the texts may tell more: what is typed line by line is known as it comes. */
const roughLines = 3;

/**
 * The measured lines of one document while it is edited. Comparing texts takes a moment and happens elsewhere; until its answer is
 * there, and beyond it, the map follows each edit by itself, so that nobody waits.
 */
export class FollowedLines {
  private known: LineMap | undefined;
  /** Since the text that is being compared; undefined when none is. */
  private since: (readonly LineEdit[])[] | undefined;
  private isRough = false;
  private isMeasured = true;

  /** @param lines of the document as it is now */
  constructor(private lines: LineHashes) {}

  /** Undefined until the first comparison is there. */
  get map(): LineMap | undefined {
    return this.known;
  }

  /** Of the document as it is now. */
  get current(): LineHashes {
    return this.lines;
  }

  /** Whether a comparison would tell more than the edits did. */
  get rough(): boolean {
    return this.isRough && this.isMeasured && this.since === undefined;
  }

  /** The text of now is about to be compared with the measured one: `compared` is to follow. */
  compare(): LineHashes {
    this.since = [];
    this.isRough = false;
    return this.lines;
  }

  /** What came of the comparison; edits since then are made up for. Without measured lines, every line is where it was. */
  compared(current: LineHashes, { measured, hunks }: LineMapParts): LineMap {
    this.isMeasured = measured !== undefined;
    const compared =
      measured === undefined ? LineMap.identity(current) : new LineMap(measured, current, unpackHunks(hunks));
    const map = (this.since ?? []).reduce((sum, edits) => sum.edited(edits), compared);
    this.since = undefined;
    this.known = map;
    return map;
  }

  /** Edits that came together. */
  edit(edits: readonly LineEdit[]): void {
    this.since?.push(edits);
    this.known = this.known?.edited(edits);
    this.lines = this.known?.current ?? editLines(this.lines, edits);
    this.isRough ||= edits.some(({ added, removed }) => Math.max(added.length, removed) > roughLines);
  }
}
