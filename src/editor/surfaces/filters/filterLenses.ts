import * as vscode from 'vscode';
import { readSetting } from '../../state/settings/settings';
import { filterLanguage, type FilterDocuments } from '../../state/filters/filterDocuments';

/** Lenses of filters: the number of instrumented functions above blocks, and the number of matching functions above rules. */
export class FilterLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly documents: FilterDocuments) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider({ language: filterLanguage }, this),
      documents.onDidInspect(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.filter.codeLens')) this.changed.fire();
      }),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { version, inspection } = this.documents.inspectionOf(document) ?? {};
    const setting = readSetting<LensSetting>(document.uri, 'kymo.filter.codeLens', 'wildcards');
    if (setting === 'off' || inspection === undefined) return [];
    // Until the new text is checked, VS Code moves the previous lenses with the edits.
    if (version !== document.version) return [];
    return inspection.lenses
      .filter(({ ofName }) => setting === 'all' || !ofName)
      .map(
        ({ line, title, rules }) =>
          new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
            title,
            command: rules === undefined ? '' : 'kymo.filter.showMatches',
            ...(rules === undefined ? {} : { arguments: [document.uri.toString(), rules] }),
          }),
      );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

type LensSetting = 'wildcards' | 'all' | 'off';
