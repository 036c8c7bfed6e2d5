import * as vscode from 'vscode';
import type { EngineClient } from '../../../engine/client';
import type { LineMaps } from './lineMaps';
import type { MeasuredFile, Studies } from '../studies/studies';
import { groupAt, placeGroups, type PlacedGroup } from './placedGroups';

/** The functions of the shown result in a document, at current lines. */
export interface PlacedFile extends Omit<MeasuredFile, 'groups'> {
  readonly groups: readonly PlacedGroup[];
}

/** A group and its file. */
export interface PlacedAt {
  readonly file: PlacedFile;
  readonly group: PlacedGroup;
}

/** A file that need not be open, with a way to the texts of its lines (1-based). */
export interface PlacedText {
  readonly file: PlacedFile;
  readonly textsOf: (lines: readonly number[]) => Promise<readonly string[]>;
}

/** The measured functions of documents at their current places, for lenses, hovers, heat and warnings. */
export class PlacedFunctions {
  private readonly cache = new WeakMap<
    vscode.TextDocument,
    { readonly from: unknown; readonly map: unknown; readonly placed: PlacedFile }
  >();

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
    private readonly lineMaps: LineMaps,
  ) {}

  /** Undefined if the study has no function in the document. */
  async of(document: vscode.TextDocument): Promise<PlacedFile | undefined> {
    const from = await this.studies.measuredIn(document.uri);
    if (from === undefined) return undefined;
    const map = await this.lineMaps.within(document, from);
    const cached = this.cache.get(document);
    if (cached?.from === from.groups && cached.map === map) return cached.placed;
    const groups = placeGroups(from.groups, map, document.lineCount);
    const placed = { ...from, groups };
    this.cache.set(document, { from: from.groups, map, placed });
    return placed;
  }

  /** The functions of a file that need not be open, with its unsaved changes. Also undefined if it cannot be read. */
  async ofFile(uri: vscode.Uri): Promise<PlacedText | undefined> {
    const open = vscode.workspace.textDocuments.find(
      (textDocument) => textDocument.uri.toString() === uri.toString(),
    );
    if (open !== undefined) {
      const file = await this.of(open);
      const textOf = (line: number): string => (line <= open.lineCount ? open.lineAt(line - 1).text : '');
      return file && { file, textsOf: (lines) => Promise.resolve(lines.map(textOf)) };
    }
    const from = await this.studies.measuredIn(uri);
    const current = from && (await this.lineMaps.ofFile(uri.fsPath, from));
    if (from === undefined || current === undefined) return undefined;
    return {
      file: { ...from, groups: placeGroups(from.groups, current.map, current.lineCount) },
      textsOf: (lines) => this.engine.query('lineTexts', { path: uri.fsPath, lines }),
    };
  }

  /** The innermost function around a line (1-based). */
  async at(document: vscode.TextDocument, line: number): Promise<PlacedAt | undefined> {
    const file = await this.of(document);
    const group = file === undefined ? undefined : groupAt(file.groups, line);
    return file === undefined || group === undefined ? undefined : { file, group };
  }

  /** The function at the cursor of the active editor. */
  async atCursor(
    editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor,
  ): Promise<PlacedAt | undefined> {
    if (editor?.document.uri.scheme !== 'file') return undefined;
    return this.at(editor.document, editor.selection.active.line + 1);
  }

  /** The group that the study names by its measured line. */
  async named(document: vscode.TextDocument, measuredLine: number): Promise<PlacedAt | undefined> {
    const file = await this.of(document);
    const group = file?.groups.find((candidate) => candidate.measuredLine === measuredLine);
    return file === undefined || group === undefined ? undefined : { file, group };
  }
}
