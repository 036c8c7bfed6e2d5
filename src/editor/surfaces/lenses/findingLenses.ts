import * as vscode from 'vscode';
import type { FindingsInFile } from '../../state/findings/findings';
import type { Kymo } from '../../state/kymo';
import { annotationSettings, propertyThreshold } from '../../state/settings/settings';
import { dynamicsSentence } from '../../words/findings/dynamicsText';
import { titlesAtLine } from '../../words/findings/findingTexts';

/** Maximum number of findings in a line of lenses, beside the function's measurements. */
const lensesPerLine = 2;

/** `↗ degradation trend [1–92] · 17 % · ranks 4,27,30` at the line of the region; a click runs the command of its source. */
export class FindingLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Pick<Kymo, 'findings'>) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      kymo.findings.onDidChange(() => this.changed.fire()),
      kymo.findings.onDidMove(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          ['codeLens', 'annotations', 'properties'].some((name) => event.affectsConfiguration(`kymo.${name}`))
        )
          this.changed.fire();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { enabled, display } = annotationSettings(document.uri);
    if (!enabled || display !== 'above') return [];
    const threshold = propertyThreshold(document.uri);
    return (await this.kymo.findings.inDocument(document)).flatMap((file) => lensesIn(file, threshold));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function lensesIn({ of, groups }: FindingsInFile, threshold: number): readonly vscode.CodeLens[] {
  return groups.flatMap((group) => {
    const range = new vscode.Range(group.line - 1, 0, group.line - 1, 0);
    return titlesAtLine(group, threshold, lensesPerLine).map(({ property, title }) => {
      const command = { command: '', ...of.command?.(property) };
      return new vscode.CodeLens(range, { ...command, title, tooltip: dynamicsSentence(property) });
    });
  });
}
