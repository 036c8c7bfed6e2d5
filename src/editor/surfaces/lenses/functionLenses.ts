import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { annotationSettings } from '../../state/settings/settings';
import { lensesOf } from '../../words/functions/lensText';

/**
 * VS Code delays its next request by the duration of the last answers. A slower answer is stored and VS Code is notified of it, so that
 * reading a study does not suppress the lenses for seconds.
 */
const patienceMilliseconds = 100;

interface LateAnswer {
  /** Version of the document. */
  readonly version: number;
  readonly lenses: Promise<vscode.CodeLens[]>;
}

/**
 * Lenses above functions with their measurements in the last study. Positions come from the compiler's symbols, so they exist in any
 * language.
 */
export class FunctionLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private readonly shown = new WeakMap<vscode.TextDocument, vscode.CodeLens[]>();
  /** Answers that missed the request, for VS Code's next one. */
  private late = new WeakMap<vscode.TextDocument, LateAnswer>();

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      kymo.studies.onDidChange(() => this.refresh()),
      kymo.pins.onDidChange(() => this.refresh()),
      kymo.lineMaps.onDidCorrect(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.codeLens') || event.affectsConfiguration('kymo.annotations'))
          this.refresh();
      }),
    ];
  }

  private refresh(): void {
    this.late = new WeakMap();
    this.changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { version } = document;
    const late = this.late.get(document);
    const making = late?.version === version ? late.lenses : this.make(document);
    this.late.delete(document);
    const made = await Promise.race([making, patience()]);
    if (made !== undefined) {
      this.shown.set(document, made);
      return made;
    }
    this.late.set(document, { version, lenses: making });
    void making.then(
      () => this.changed.fire(),
      () => this.late.delete(document),
    );
    return this.shown.get(document) ?? [];
  }

  private async make(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { enabled, display, minimumShare } = annotationSettings(document.uri);
    if (!enabled || display !== 'above') return [];
    const file = await this.kymo.placed.of(document);
    if (file === undefined) return [];
    const pinned = await this.kymo.pins.statesOf(file.folder);
    const lenses = lensesOf(file.groups, minimumShare, pinned, file.shown.functions.all);
    return lenses.map(({ line, measuredLine, title, tooltip }) => {
      const range = new vscode.Range(line - 1, 0, line - 1, 0);
      // The arguments do not contain the functions, because the arguments of hundreds of lenses are sent to the window.
      const place = [document.uri.toString(), measuredLine];
      return new vscode.CodeLens(range, {
        title,
        tooltip,
        command: 'kymo.explainFunctions',
        arguments: place,
      });
    });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), patienceMilliseconds).unref());
}
