import { editLines, type LineEdit } from '../../../core/lines/lineEdits';
import type { LineHashes } from '../../../core/lines/lineHashes';
import { unpackHunks } from '../../../core/lines/lineHunks';
import { LineMap } from '../../../core/lines/lineMap';
import type { LineMapParts } from '../../../workflows/views/lineMaps';

/** After an edit of more lines a comparison of the texts is more exact; smaller edits are followed one by one. */
const roughLines = 3;

/**
 * The measured lines of one document while it is edited. The engine compares the texts, which takes a moment; meanwhile and
 * afterwards the map follows each edit by itself.
 */
export class FollowedLines {
  private lineMap: LineMap | undefined;
  /** Edits since the text that is being compared; undefined without a comparison. */
  private since: (readonly LineEdit[])[] | undefined;
  private isRough = false;
  private isMeasured = true;

  /** @param lines of the current document */
  constructor(private lines: LineHashes) {}

  /** Undefined until the first comparison has ended. */
  get map(): LineMap | undefined {
    return this.lineMap;
  }

  /** Number of lines of the current document. */
  get current(): LineHashes {
    return this.lines;
  }

  /** Whether a comparison would be more exact than the followed edits. */
  get rough(): boolean {
    return this.isRough && this.isMeasured && this.since === undefined;
  }

  /** A comparison of the current text with the measured one begins; `compared` must follow. */
  compare(): LineHashes {
    this.since = [];
    this.isRough = false;
    return this.lines;
  }

  /** Result of the comparison, to which later edits are applied. Without measured lines, every line stays in place. */
  compared(current: LineHashes, { measured, hunks }: LineMapParts): LineMap {
    this.isMeasured = measured !== undefined;
    const compared =
      measured === undefined ? LineMap.identity(current) : new LineMap(measured, current, unpackHunks(hunks));
    const map = (this.since ?? []).reduce((sum, edits) => sum.edited(edits), compared);
    this.since = undefined;
    this.lineMap = map;
    return map;
  }

  /** Edits of one change event. */
  edit(edits: readonly LineEdit[]): void {
    this.since?.push(edits);
    this.lineMap = this.lineMap?.edited(edits);
    this.lines = this.lineMap?.current ?? editLines(this.lines, edits);
    this.isRough ||= edits.some(({ added, removed }) => Math.max(added.length, removed) > roughLines);
  }
}
