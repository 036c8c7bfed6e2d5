import * as vscode from 'vscode';
import { hashLines, type LineHashes } from '../core/source/lineHashes';
import { LineMap, type FunctionPlace } from '../core/source/lineMap';
import type { EngineClient } from './engine/client';
import type { MeasuredFile, Studies } from './studies';

/** Lines that a study names, 1-based. */
export interface MeasuredLines {
  readonly line: number;
  readonly endLine?: number;
}

/** After the last key stroke, before everything that shows places is told. */
const settleMilliseconds = 250;
/** A file with more characters is not compared: its lines are taken as they are. */
const maximumCharacters = 8 << 20;

/** Where to go for a function. */
export interface LocatedFunction {
  readonly location: vscode.Location;
  readonly stale: boolean;
}

interface MapOfVersion {
  readonly version: number;
  readonly measured: LineHashes | undefined;
  readonly map: LineMap;
}

/**
 * Where the lines that a study names are in the documents of today, unsaved changes included. Made when somebody asks, once for each
 * version of a document; an edit that is one second old is seen like one of last week.
 */
export class LineMaps implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.TextDocument>();
  /** Lines of the document have moved, and no more did for a moment. */
  readonly onDidChange = this.changed.event;
  private readonly measured = new Map<string, Promise<LineHashes | undefined>>();
  private readonly maps = new WeakMap<vscode.TextDocument, MapOfVersion>();
  private readonly settling = new Map<vscode.TextDocument, NodeJS.Timeout>();
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
  ) {
    this.subscriptions = [
      this.changed,
      studies.onDidChange(() => this.measured.clear()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === 'file' && contentChanges.length > 0) this.settle(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
    ];
  }

  /** Of a document and the study that is shown for it; where the study kept no lines, every line is where it was. */
  async of(document: vscode.TextDocument): Promise<LineMap> {
    const file = await this.studies.measuredIn(document.uri);
    return file === undefined ? LineMap.identity(hashLines('')) : this.within(document, file);
  }

  /** The same when the file of the study is known already. */
  async within(document: vscode.TextDocument, file: MeasuredFile): Promise<LineMap> {
    const measured = await this.measuredLines(file);
    const known = this.maps.get(document);
    if (known?.version === document.version && known.measured === measured) return known.map;
    const map = mapOf(document.getText(), measured);
    this.maps.set(document, { version: document.version, measured, map });
    return map;
  }

  /** Of the text of a file that need not be open. */
  async ofText(text: string, file: MeasuredFile): Promise<LineMap> {
    return mapOf(text, await this.measuredLines(file));
  }

  /**
   * Where a function is now that a study names by file and measured lines, to go there; opens the document without showing it. A
   * function that is gone is looked for where it was.
   * @throws when the file cannot be opened
   */
  async locate(file: vscode.Uri, lines: MeasuredLines): Promise<LocatedFunction> {
    const document = await vscode.workspace.openTextDocument(file);
    const map = await this.of(document);
    const { line, stale } = placeIn(map, document, lines) ?? { line: map.toCurrent(lines.line), stale: true };
    const position = document.validatePosition(new vscode.Position(line - 1, 0));
    return { location: new vscode.Location(file, position), stale };
  }

  private measuredLines({ study: { directory }, file }: MeasuredFile): Promise<LineHashes | undefined> {
    const key = JSON.stringify([directory, file]);
    const known = this.measured.get(key);
    if (known !== undefined) return known;
    const asked = this.engine.query('sourceLines', { studyDirectory: directory, file }).then(
      ({ lines }) => lines,
      () => {
        // The engine may be at its end: the next one is asked again.
        this.measured.delete(key);
        return undefined;
      },
    );
    this.measured.set(key, asked);
    return asked;
  }

  private settle(document: vscode.TextDocument): void {
    clearTimeout(this.settling.get(document));
    const timer = setTimeout(() => {
      this.settling.delete(document);
      this.changed.fire(document);
    }, settleMilliseconds);
    this.settling.set(document, timer);
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.settling.get(document));
    this.settling.delete(document);
  }

  dispose(): void {
    for (const timer of this.settling.values()) clearTimeout(timer);
    for (const one of this.subscriptions) one.dispose();
  }
}

/** Undefined when the function is gone. */
export function placeIn(
  map: LineMap,
  document: vscode.TextDocument,
  { line, endLine }: MeasuredLines,
): FunctionPlace | undefined {
  const place = map.placeOf(line, endLine);
  return place === undefined || place.line > document.lineCount ? undefined : place;
}

function mapOf(text: string, measured: LineHashes | undefined): LineMap {
  const current = hashLines(text);
  return measured === undefined || text.length > maximumCharacters
    ? LineMap.identity(current)
    : LineMap.between(measured, current);
}
