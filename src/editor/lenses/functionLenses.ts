import * as vscode from 'vscode';
import type { Kymo } from '../kymo';
import { codeLensSettings } from '../settings';
import { isShown, lensTitle, lensTooltip } from './lensText';

/** What was measured in the last study, above each function. Positions come from symbols, so any language is served. */
export class FunctionLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      kymo.studies.onDidChange(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.codeLens')) this.changed.fire();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const settings = codeLensSettings(document.uri);
    if (!settings.enabled) return [];
    return (await this.kymo.studies.functionsIn(document.uri))
      .filter((group) => group.line <= document.lineCount && isShown(group, settings.minimumShare))
      .map((group) => {
        const line = group.line - 1;
        return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          title: lensTitle(group),
          tooltip: lensTooltip(group),
          command: 'kymo.explainFunctions',
          // Not the functions themselves: what a lens carries crosses to the window for each of hundreds of lenses.
          arguments: [document.uri.toString(), group.line],
        });
      });
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}
