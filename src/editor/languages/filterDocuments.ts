import * as vscode from 'vscode';
import { parseFilterSyntax } from '../../formats/scorep-filter/parse';
import type { FilterSyntax } from '../../formats/scorep-filter/syntax';
import type { FilterInspection } from '../../workflows/filters/inspectFilter';
import type { FunctionSource } from '../../workflows/filters/knownFunctions';
import type { Kymo } from '../kymo';
import { localFolders } from '../studies';

export const filterLanguage = 'scorep-filter';

/** After the last key stroke, before the engine looks at the text. */
const settleMilliseconds = 200;

/** What was found in a text of a document. */
export interface Inspected {
  readonly version: number;
  readonly inspection: FilterInspection;
}

/** The filters that are open: their syntax, and what the engine says of them. */
export class FilterDocuments implements vscode.Disposable {
  private readonly inspected = new vscode.EventEmitter<vscode.TextDocument>();
  /** The engine has looked at the text of a document that was opened or changed. */
  readonly onDidInspect = this.inspected.event;
  private readonly closed = new vscode.EventEmitter<vscode.TextDocument>();
  readonly onDidClose = this.closed.event;
  private readonly syntaxes = new WeakMap<vscode.TextDocument, { version: number; syntax: FilterSyntax }>();
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

  syntaxOf(document: vscode.TextDocument): FilterSyntax {
    const known = this.syntaxes.get(document);
    if (known?.version === document.version) return known.syntax;
    const syntax = parseFilterSyntax(document.getText());
    this.syntaxes.set(document, { version: document.version, syntax });
    return syntax;
  }

  /** Of the text as it is, or as it was a moment ago. */
  inspectionOf(document: vscode.TextDocument): Inspected | undefined {
    return this.known.get(document);
  }

  /** The position of the rule in the text as it is; undefined at a place without one. */
  ruleAt(document: vscode.TextDocument, position: vscode.Position): number | undefined {
    const offset = document.offsetAt(position);
    const { rules } = this.syntaxOf(document).filter;
    let [low, high] = [0, rules.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const rule = rules[middle];
      if (rule !== undefined && rule.offset + rule.pattern.length < offset) low = middle + 1;
      else high = middle;
    }
    const rule = rules[low];
    return rule !== undefined && rule.offset <= offset ? low : undefined;
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
