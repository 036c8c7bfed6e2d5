import * as vscode from 'vscode';
import type { FunctionSource } from '../../../workflows/filters/knownFunctions';
import type { ShownFilter } from '../../../engine/requests/filters';
import type { Kymo } from '../kymo';
import { localFolders } from '../studies/studies';

export const filterLanguage = 'scorep-filter';

/** After the last key stroke, before the engine looks at the text. */
const settleMilliseconds = 200;
/** Folding and outline come when the engine has looked; they are asked for again after the next change. */
const patienceMilliseconds = 10_000;

/** What was found in a text of a document. */
export interface Inspected {
  readonly version: number;
  readonly inspection: ShownFilter;
}

/** The filters that are open, and what the engine says of them; nothing is parsed here. */
export class FilterDocuments implements vscode.Disposable {
  private readonly inspected = new vscode.EventEmitter<vscode.TextDocument>();
  /** The engine has looked at the text of a document that was opened or changed. */
  readonly onDidInspect = this.inspected.event;
  private readonly closed = new vscode.EventEmitter<vscode.TextDocument>();
  readonly onDidClose = this.closed.event;
  private readonly known = new Map<vscode.TextDocument, Inspected>();
  private readonly settling = new Map<vscode.TextDocument, NodeJS.Timeout>();
  /** The engine looks at one text of a document at a time; a later one waits for it. */
  private readonly asking = new Set<vscode.TextDocument>();
  private profiles = '';
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.inspected,
      this.closed,
      vscode.workspace.onDidOpenTextDocument((document) => this.inspectSoon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.inspectSoon(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      kymo.studies.onDidChange(() => this.inspectAll()),
      vscode.window.tabGroups.onDidChangeTabs(() => {
        const profiles = openedProfiles().join('\n');
        if (profiles === this.profiles) return;
        this.profiles = profiles;
        this.inspectAll();
      }),
    ];
    this.inspectAll();
  }

  /** Of the text as it is, or as it was a moment ago. */
  inspectionOf(document: vscode.TextDocument): Inspected | undefined {
    return this.known.get(document);
  }

  /** Of the text as it is, once it has been looked at; undefined when nobody wants it any more, or the engine cannot say. */
  shown(
    document: vscode.TextDocument,
    cancelled: vscode.CancellationToken,
  ): Promise<ShownFilter | undefined> {
    const current = (): ShownFilter | undefined => {
      const known = this.known.get(document);
      return known?.version === document.version ? known.inspection : undefined;
    };
    const known = current();
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        for (const one of waiting) one.dispose();
        resolve(current());
      };
      const timer = setTimeout(end, patienceMilliseconds);
      const waiting = [
        this.onDidInspect((inspected) => {
          if (inspected === document && current() !== undefined) end();
        }),
        this.onDidClose((closed) => {
          if (closed === document) end();
        }),
        cancelled.onCancellationRequested(end),
      ];
    });
  }

  /**
   * Where the functions come from that a filter is matched against: the profile that is shown in the source, else the study of the
   * filter's folder, else the profiles that are open.
   */
  async sourceOf(document: vscode.Uri): Promise<FunctionSource> {
    const shown = this.kymo.studies.profile;
    if (shown !== undefined) return { profiles: [shown.file.fsPath] };
    const own = vscode.workspace.getWorkspaceFolder(document);
    for (const folder of own === undefined ? localFolders() : [own]) {
      const study = await this.kymo.studies.shownStudyOf(folder);
      if (study !== undefined) return { studyDirectory: study.directory };
    }
    return { profiles: openedProfiles() };
  }

  dispose(): void {
    for (const timer of this.settling.values()) clearTimeout(timer);
    for (const one of this.subscriptions) one.dispose();
  }

  private inspectAll(): void {
    for (const document of vscode.workspace.textDocuments) this.inspectSoon(document, 0);
  }

  private inspectSoon(document: vscode.TextDocument, delay = settleMilliseconds): void {
    if (document.languageId !== filterLanguage) return;
    clearTimeout(this.settling.get(document));
    const timer = setTimeout(() => {
      this.settling.delete(document);
      void this.inspect(document);
    }, delay);
    this.settling.set(document, timer);
  }

  private async inspect(document: vscode.TextDocument): Promise<void> {
    if (this.asking.has(document)) {
      this.inspectSoon(document);
      return;
    }
    this.asking.add(document);
    const { version } = document;
    try {
      const source = await this.sourceOf(document.uri);
      const inspection = await this.kymo.engine.query('inspectFilter', { text: document.getText(), source });
      if (document.isClosed) return;
      this.known.set(document, { version, inspection });
      this.inspected.fire(document);
    } catch (error) {
      this.kymo.log.error(`${document.fileName}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.asking.delete(document);
    }
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.settling.get(document));
    this.settling.delete(document);
    if (this.known.delete(document)) this.closed.fire(document);
  }
}

/** Paths of the Cube profiles that are shown in tabs. */
function openedProfiles(): readonly string[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const files = inputs.flatMap((input) =>
    input instanceof vscode.TabInputCustom && /\.cubex$/i.test(input.uri.path) ? [input.uri.fsPath] : [],
  );
  return [...new Set(files)].sort();
}
