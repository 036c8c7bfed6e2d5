import * as vscode from 'vscode';
import type { Kymo } from '../kymo';
import { annotationSettings } from '../settings';
import { lensesOf } from './lensText';

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
      kymo.pins.onDidChange(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.codeLens') || event.affectsConfiguration('kymo.annotations'))
          this.changed.fire();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { enabled, display, minimumShare } = annotationSettings(document.uri);
    if (!enabled || display !== 'above') return [];
    const file = await this.kymo.placed.of(document);
    if (file === undefined) return [];
    const pinned = await this.kymo.pins.statesOf(file.folder);
    return lensesOf(file.groups, minimumShare, pinned).map(({ line, measuredLine, title, tooltip }) => {
      const range = new vscode.Range(line - 1, 0, line - 1, 0);
      // Not the functions themselves: what a lens carries crosses to the window for each of hundreds of lenses.
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
    for (const one of this.subscriptions) one.dispose();
  }
}
