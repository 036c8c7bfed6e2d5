import * as vscode from 'vscode';
import type { Kymo } from '../kymo';
import { codeLensSettings } from '../settings';
import type { FunctionsAtLine } from './functionIndex';
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
    return (await this.functionsIn(document))
      .filter((group) => group.line <= document.lineCount && isShown(group, settings.minimumShare))
      .map((group) => {
        const line = group.line - 1;
        return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          title: lensTitle(group),
          tooltip: lensTooltip(group),
          command: 'kymo.explainFunctions',
          arguments: [group],
        });
      });
  }

  private async functionsIn(document: vscode.TextDocument): Promise<readonly FunctionsAtLine[]> {
    const { studies } = this.kymo;
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (folder === undefined) return [];
    const last = await studies.lastOf(folder);
    if (last === undefined) return [];
    const direct = last.functions.inFile(document.uri.fsPath);
    return direct.length > 0
      ? direct
      : last.functions.inFile(await studies.physicalPath(document.uri.fsPath));
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}
