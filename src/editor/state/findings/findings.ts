import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { LineMap } from '../../../core/lines/lineMap';
import type { EngineClient } from '../../../engine/client';
import type { FoundProperty } from '../../../workflows/views/dynamicsInSource';
import { LineMaps, type MeasuredText } from '../places/lineMaps';
import type { Studies } from '../studies/studies';
import { placeProperties, propertiesByFile, type PropertiesAtLine } from './placedProperties';
import type { FoundIn, PropertySource } from './propertySource';

/** The findings of one source in a document, at current lines. */
export interface FindingsInFile {
  readonly of: FoundIn;
  readonly groups: readonly PropertiesAtLine[];
}

interface Reading {
  /** The last result, also while a new one is read. */
  last: readonly FoundIn[];
  abort: AbortController;
  done: Promise<readonly FoundIn[]>;
}

/** Owns the findings of all analyses of the shown result. A source registers once; surfaces ask here. */
export class Findings implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<PropertySource>();
  /** The findings of the source changed. */
  readonly onDidChange = this.changed.event;
  private readonly moved = new vscode.EventEmitter<vscode.TextDocument>();
  /** Lines of the document have moved, and there was no edit for a moment. */
  readonly onDidMove = this.moved.event;
  private readonly readings = new Map<PropertySource, Reading>();
  private readonly files = new WeakMap<FoundIn, ReadonlyMap<string, readonly FoundProperty[]>>();
  private readonly watched = new Set<LineMaps>();
  private own: LineMaps | undefined;
  private readonly subscriptions: { dispose(): unknown }[] = [this.changed, this.moved];

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {}

  register(source: PropertySource): void {
    this.subscriptions.push(source.onDidChange(() => this.read(source)));
    this.read(source);
  }

  get sources(): readonly PropertySource[] {
    return [...this.readings.keys()];
  }

  /** The last findings, immediately, also while a source is searching. */
  get last(): readonly FoundIn[] {
    return [...this.readings.values()].flatMap(({ last }) => last);
  }

  /** The findings of a source in the shown result. */
  async of(source: PropertySource): Promise<readonly FoundIn[]> {
    const reading = this.readings.get(source);
    if (reading === undefined) return [];
    const result = await reading.done;
    return reading === this.readings.get(source) ? result : this.of(source);
  }

  /** Properties by the file that they name, without those that have no place. */
  filesOf(findings: FoundIn): ReadonlyMap<string, readonly FoundProperty[]> {
    const files = this.files.get(findings) ?? propertiesByFile(findings.properties);
    this.files.set(findings, files);
    return files;
  }

  /** The findings in a document, by source. */
  async inDocument(
    document: vscode.TextDocument,
    findings: readonly FoundIn[] = this.last,
  ): Promise<readonly FindingsInFile[]> {
    return this.placed(document.uri, findings, async (of, file) => ({
      map: await this.lineMap(of, document, file),
      lineCount: document.lineCount,
    }));
  }

  /** The findings in a file that need not be open, by source. */
  async inFile(uri: vscode.Uri, findings: readonly FoundIn[]): Promise<readonly FindingsInFile[]> {
    const open = vscode.workspace.textDocuments.find(
      (document) => document.uri.toString() === uri.toString(),
    );
    if (open !== undefined) return this.inDocument(open, findings);
    return this.placed(uri, findings, (of, file) =>
      this.lineMapsOf(of).ofFile(uri.fsPath, measuredText(of, file)),
    );
  }

  /** Current place of a property; opens the document without showing it. @throws when the file cannot be opened */
  async locate(
    of: FoundIn,
    property: FoundProperty,
  ): Promise<{ readonly location: vscode.Location; readonly stale: boolean }> {
    const { file = '', line = 1 } = property.region ?? {};
    const uri = await this.studies.today(vscode.Uri.file(file));
    const document = await vscode.workspace.openTextDocument(uri);
    const map = await this.lineMap(of, document, file);
    const place = map.placeOf(line, property.endLine);
    const start = document.validatePosition(new vscode.Position((place?.line ?? map.toCurrent(line)) - 1, 0));
    return {
      location: new vscode.Location(uri, start),
      stale: property.stale === true || place === undefined || place.stale,
    };
  }

  private async placed(
    uri: vscode.Uri,
    findings: readonly FoundIn[],
    text: (
      of: FoundIn,
      file: string,
    ) => Promise<{ readonly map: LineMap; readonly lineCount: number } | undefined>,
  ): Promise<readonly FindingsInFile[]> {
    if (uri.scheme !== 'file') return [];
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const shown = findings.filter((of) => of.everywhere === true || of.folder === folder);
    const names = shown.some((of) => this.filesOf(of).size > 0) ? await this.namesOf(uri) : [];
    const inFile = await Promise.all(
      shown.map(async (of) => {
        const file = names.find((name) => this.filesOf(of).has(name));
        const lines = file === undefined ? undefined : await text(of, file);
        if (file === undefined || lines === undefined) return undefined;
        const properties = this.filesOf(of).get(file) ?? [];
        return { of, groups: placeProperties(properties, lines.map, lines.lineCount) };
      }),
    );
    return inFile.filter((findings) => findings !== undefined);
  }

  /** Paths by which properties may name a file: compilers resolve links, and the file may have moved since. */
  private async namesOf(uri: vscode.Uri): Promise<readonly string[]> {
    const measured = await this.studies.measuredIn(uri).catch(() => undefined);
    const resolved = await realpath(uri.fsPath).catch(() => uri.fsPath);
    return [uri.fsPath, resolved, ...(measured === undefined ? [] : [measured.file])];
  }

  private lineMap(of: FoundIn, document: vscode.TextDocument, file: string): Promise<LineMap> {
    return this.lineMapsOf(of).within(document, measuredText(of, file));
  }

  private lineMapsOf({ lineMaps }: FoundIn): LineMaps {
    this.own ??= new LineMaps(this.engine, this.studies);
    const maps = lineMaps ?? this.own;
    if (!this.watched.has(maps)) {
      this.watched.add(maps);
      this.subscriptions.push(maps.onDidChange((document) => this.moved.fire(document)));
    }
    return maps;
  }

  private read(source: PropertySource): void {
    const before = this.readings.get(source);
    before?.abort.abort();
    const abort = new AbortController();
    const reading: Reading = { last: before?.last ?? [], abort, done: Promise.resolve([]) };
    this.readings.set(source, reading);
    reading.done = this.readAll(source, reading);
  }

  private async readAll(source: PropertySource, reading: Reading): Promise<readonly FoundIn[]> {
    // Several changes at once cause one reading.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      for await (const findings of reading.abort.signal.aborted ? [] : source.find(reading.abort.signal))
        this.show(source, reading, findings);
    } catch (error) {
      this.log.warn(`${source.name}: ${error instanceof Error ? error.message : String(error)}`);
      this.show(source, reading, []);
    }
    return reading.last;
  }

  private show(source: PropertySource, reading: Reading, findings: readonly FoundIn[]): void {
    if (this.readings.get(source) !== reading) return;
    reading.last = findings;
    // Places refer to the files as just read.
    if (findings.some(({ lineMaps }) => lineMaps === undefined)) this.own?.reset();
    this.changed.fire(source);
  }

  dispose(): void {
    for (const { abort } of this.readings.values()) abort.abort();
    this.own?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function measuredText({ linesOf }: FoundIn, file: string): MeasuredText {
  return { linesOf: linesOf ?? '/', file };
}
