import * as vscode from 'vscode';
import type { FunctionSource } from '../../../workflows/filters/knownFunctions';
import type { ShownFilter } from '../../../engine/requests/filters';
import type { Kymo } from '../kymo';
import { localFolders } from '../studies/studies';

export const filterLanguage = 'scorep-filter';

/** Delay between the last key stroke and checking the text. */
const settleMilliseconds = 200;
/** Folding and outline wait for the engine at most this long; VS Code asks again after the next change. */
const patienceMilliseconds = 10_000;

/** The engine's result for one text of a document. */
export interface Inspected {
  readonly version: number;
  readonly inspection: ShownFilter;
}

/** Open filters and the engine's results for them; nothing is parsed here. */
export class FilterDocuments implements vscode.Disposable {
  private readonly inspected = new vscode.EventEmitter<vscode.TextDocument>();
  /** The engine has checked the text of a document that was opened or changed. */
  readonly onDidInspect = this.inspected.event;
  private readonly closed = new vscode.EventEmitter<vscode.TextDocument>();
  readonly onDidClose = this.closed.event;
  private readonly inspections = new Map<vscode.TextDocument, Inspected>();
  private readonly settling = new Map<vscode.TextDocument, NodeJS.Timeout>();
  /** The engine checks one text of a document at a time; a later one waits. */
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

  /** Result for the current text, or for a slightly older one. */
  inspectionOf(document: vscode.TextDocument): Inspected | undefined {
    return this.inspections.get(document);
  }

  /** Result for the current text, once it is checked; undefined if the request is cancelled or the engine fails. */
  shown(
    document: vscode.TextDocument,
    cancelled: vscode.CancellationToken,
  ): Promise<ShownFilter | undefined> {
    const current = (): ShownFilter | undefined => {
      const inspected = this.inspections.get(document);
      return inspected?.version === document.version ? inspected.inspection : undefined;
    };
    const inspection = current();
    if (inspection !== undefined) return Promise.resolve(inspection);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        for (const subscription of waiting) subscription.dispose();
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
   * Source of the functions that a filter is matched against: the profile shown in the source, else the study of the
   * filter's folder, else the open profiles.
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
    for (const subscription of this.subscriptions) subscription.dispose();
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
      this.inspections.set(document, { version, inspection });
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
    if (this.inspections.delete(document)) this.closed.fire(document);
  }
}

/** Paths of the Cube profiles in open tabs. */
function openedProfiles(): readonly string[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const files = inputs.flatMap((input) =>
    input instanceof vscode.TabInputCustom && /\.cubex$/i.test(input.uri.path) ? [input.uri.fsPath] : [],
  );
  return [...new Set(files)].sort();
}
