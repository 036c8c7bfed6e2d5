import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { annotationSettings, propertyThreshold } from '../../state/settings/settings';
import type { FoundDynamics } from '../../state/dynamics/dynamics';
import { dynamicsSentence } from '../../words/dynamicsText';
import type { PropertiesAtLine } from '../../state/dynamics/placedProperties';
import { titlesAtLine } from '../../words/titlesAtLine';

/** A line of lenses has room for so many beside what was measured of the function. */
const lensesPerLine = 2;

/** `↗ degradation trend [1–92] · 17 % · ranks 4,27,30` at the line of the region; a click shows it in the panel. */
export class DynamicsLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      kymo.dynamics.onDidRead(() => this.changed.fire()),
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
    // An analysis that is under way tells when it is there: nobody waits for it.
    const { dynamics } = this.kymo;
    const file = await dynamics.inDocument(document, dynamics.foundLast);
    if (file === undefined) return [];
    const threshold = propertyThreshold(document.uri);
    return file.groups.flatMap((group) => lensesAt(file.of, group, threshold));
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}

function lensesAt(of: FoundDynamics, group: PropertiesAtLine, threshold: number): readonly vscode.CodeLens[] {
  const range = new vscode.Range(group.line - 1, 0, group.line - 1, 0);
  return titlesAtLine(group, threshold, lensesPerLine).map(
    ({ property, title }) =>
      new vscode.CodeLens(range, {
        title,
        tooltip: dynamicsSentence(property),
        command: 'kymo.showDynamics',
        arguments: [{ input: of.input, property: property.id }],
      }),
  );
}
