import * as vscode from 'vscode';
import type { LineEdit } from '../../../core/lines/lineEdits';
import { hashLines, type LineHashes } from '../../../core/lines/lineHashes';
import { sameHunks } from '../../../core/lines/lineHunks';
import { LineMap, type FunctionPlace } from '../../../core/lines/lineMap';
import type { LineMapParts } from '../../../workflows/views/lineMaps';
import type { EngineClient } from '../../../engine/client';
import { sourcePathRules } from '../settings/sourcePaths';
import { FollowedLines } from './followedLines';
import type { Studies } from '../studies/studies';

/** Lines that a study names, 1-based. */
export interface MeasuredLines {
  readonly line: number;
  readonly endLine?: number;
}

/** Delay between the last key stroke and the event that places changed. */
const settleMilliseconds = 250;
/** A file with more characters is not compared: its lines count as unchanged when it is opened. */
const maximumCharacters = 8 << 20;
const nothingMeasured: LineMapParts = { hunks: new Uint32Array() };

/** A measured file. */
export interface MeasuredText {
  /** Folder of the study that stored its lines; without one, every line stays in place. */
  readonly linesOf: string;
  readonly file: string;
}

/** Current place of a function. */
export interface LocatedFunction {
  readonly location: vscode.Location;
  readonly stale: boolean;
}

/** A document whose lines are followed, and the study's file that they are compared with. */
interface Followed extends MeasuredText {
  readonly lines: FollowedLines;
  readonly isComparable: boolean;
  /** The running comparison. */
  comparing: Promise<LineMap> | undefined;
}

/**
 * Maps the lines that a study names to the current documents, unsaved changes included. The engine compares the texts once. Later edits are
 * followed one by one, and only after larger ones the texts are compared again.
 */
export class LineMaps implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly corrected = new vscode.EventEmitter<vscode.TextDocument>();
  /** Lines of the document have moved, and there was no edit for a moment. */
  readonly onDidChange = this.changed.event;
  /** A comparison corrected the places that the map gave after the last edit. */
  readonly onDidCorrect = this.corrected.event;
  /** A document has one for each study that measured it. */
  private documents = new WeakMap<vscode.TextDocument, readonly Followed[]>();
  private readonly settling = new Map<vscode.TextDocument, NodeJS.Timeout>();
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
  ) {
    this.subscriptions = [
      this.changed,
      this.corrected,
      studies.onDidChange(() => this.reset()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme !== 'file' || contentChanges.length === 0) return;
        this.edit(document, contentChanges);
        this.settle(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
    ];
  }

  /** Forgets all documents, because the measured lines changed. */
  reset(): void {
    this.documents = new WeakMap();
  }

  /** The map of a document and its shown study. If the study stored no lines, every line stays in place. */
  async of(document: vscode.TextDocument): Promise<LineMap> {
    const file = await this.studies.measuredIn(document.uri);
    return file === undefined ? LineMap.identity(documentLines(document)) : this.within(document, file);
  }

  /** The map of a document whose measured file is known; resolves immediately after the first time. */
  async within(document: vscode.TextDocument, file: MeasuredText): Promise<LineMap> {
    const followed = this.followed(document, file);
    return followed.lines.map ?? followed.comparing ?? this.compare(document, followed);
  }

  /** The map of a file that need not be open, and the number of its lines; undefined if it cannot be read. */
  async ofFile(
    path: string,
    { linesOf, file }: MeasuredText,
  ): Promise<{ readonly map: LineMap; readonly lineCount: number } | undefined> {
    const { current, ...parts } = await this.engine.query('fileLineMap', {
      studyDirectory: linesOf,
      file,
      path,
      sourcePaths: sourcePathRules(),
    });
    if (current === undefined) return undefined;
    return { map: new FollowedLines(current).compared(current, parts), lineCount: current.length };
  }

  /**
   * Current place of a function that a study names by file and measured lines; opens the document without showing it. For a
   * deleted function, its former place.
   * @throws when the file cannot be opened
   */
  async locate(file: vscode.Uri, lines: MeasuredLines): Promise<LocatedFunction> {
    const document = await vscode.workspace.openTextDocument(await this.studies.today(file));
    const map = await this.of(document);
    const { line, stale } = placeIn(map, document, lines) ?? { line: map.toCurrent(lines.line), stale: true };
    const position = document.validatePosition(new vscode.Position(line - 1, 0));
    return { location: new vscode.Location(document.uri, position), stale };
  }

  private followed(document: vscode.TextDocument, { linesOf, file }: MeasuredText): Followed {
    const others = this.documents.get(document) ?? [];
    const cached = others.find((one) => one.linesOf === linesOf && one.file === file);
    if (cached !== undefined) return cached;
    const isComparable = document.getText().length <= maximumCharacters;
    const lines = new FollowedLines(documentLines(document));
    const followed: Followed = { lines, linesOf, file, isComparable, comparing: undefined };
    this.documents.set(document, [...others, followed]);
    return followed;
  }

  private compare(document: vscode.TextDocument, followed: Followed): Promise<LineMap> {
    const { lines, linesOf, file, isComparable } = followed;
    const current = lines.compare();
    const parts = isComparable
      ? this.engine.query('lineMap', {
          studyDirectory: linesOf,
          file,
          current,
          sourcePaths: sourcePathRules(),
        })
      : Promise.resolve(nothingMeasured);
    const comparing = parts.then(
      (measured) => {
        const previous = lines.map;
        const map = lines.compared(current, measured);
        if (previous !== undefined && !sameHunks(previous.hunks, map.hunks)) this.fireCorrected(document);
        return map;
      },
      () => {
        // The engine may have ended: the next call asks again.
        this.documents.delete(document);
        return lines.compared(current, nothingMeasured);
      },
    );
    followed.comparing = comparing;
    void comparing.then(() => (followed.comparing = undefined));
    return comparing;
  }

  private fireCorrected(document: vscode.TextDocument): void {
    this.corrected.fire(document);
    this.changed.fire(document);
  }

  private edit(
    document: vscode.TextDocument,
    changes: readonly vscode.TextDocumentContentChangeEvent[],
  ): void {
    const [first, ...others] = this.documents.get(document) ?? [];
    if (first === undefined) return;
    const edits = editsOf(document, changes, first.lines.current.length);
    if (edits === undefined) this.documents.delete(document);
    else for (const { lines } of [first, ...others]) lines.edit(edits);
  }

  private settle(document: vscode.TextDocument): void {
    clearTimeout(this.settling.get(document));
    const timer = setTimeout(() => {
      this.settling.delete(document);
      this.changed.fire(document);
      for (const followed of this.documents.get(document) ?? [])
        if (followed.lines.rough) void this.compare(document, followed);
    }, settleMilliseconds);
    this.settling.set(document, timer);
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.settling.get(document));
    this.settling.delete(document);
  }

  dispose(): void {
    for (const timer of this.settling.values()) clearTimeout(timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** For a file that is too large, all lines count as not blank. */
function documentLines(document: vscode.TextDocument): LineHashes {
  const text = document.getText();
  return text.length <= maximumCharacters ? hashLines(text) : new Uint32Array(document.lineCount).fill(1);
}

/** Undefined if the function was deleted. */
function placeIn(
  map: LineMap,
  document: vscode.TextDocument,
  { line, endLine }: MeasuredLines,
): FunctionPlace | undefined {
  const place = map.placeOf(line, endLine);
  return place === undefined || place.line > document.lineCount ? undefined : place;
}

/** The changes of one event as edits of lines; undefined if they do not fit the previous number of lines. */
function editsOf(
  document: vscode.TextDocument,
  changes: readonly vscode.TextDocumentContentChangeEvent[],
  linesBefore: number,
): readonly LineEdit[] | undefined {
  let grown = 0;
  const edits = replacedLines(changes).map(({ first, last, grows }): LineEdit => {
    const begin = first + grown;
    grown += grows;
    const count = last + grown - begin + 1;
    const text = document.getText(new vscode.Range(begin, 0, begin + count, 0));
    // The text ends with the end of its last line, unless that is the document's last one.
    return { first, removed: last - first + 1, added: hashLines(text).subarray(0, count) };
  });
  return linesBefore + grown === document.lineCount ? edits : undefined;
}

/** Lines of the previous text, 0-based and inclusive, and the number of added lines; ascending and disjoint. */
interface ReplacedLines {
  readonly first: number;
  readonly last: number;
  readonly grows: number;
}

function replacedLines(changes: readonly vscode.TextDocumentContentChangeEvent[]): readonly ReplacedLines[] {
  const replaced: ReplacedLines[] = [];
  const ascending = [...changes].sort((a, b) => a.range.start.compareTo(b.range.start));
  for (const { range, text } of ascending) {
    const [first, last] = [range.start.line, range.end.line];
    const grows = lineBreaks(text) - (last - first);
    const before = replaced.at(-1);
    if (before !== undefined && first <= before.last) {
      replaced.pop();
      replaced.push({
        first: before.first,
        last: Math.max(before.last, last),
        grows: before.grows + grows,
      });
    } else replaced.push({ first, last, grows });
  }
  return replaced;
}

function lineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
