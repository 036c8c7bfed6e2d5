import * as vscode from 'vscode';
import type { PlacedAt } from '../../state/places/placedFunctions';
import type { Kymo } from '../../state/kymo';
import { pinnedIn } from '../../state/studies/shown';
import { warningSource } from './warningSource';

/** Quick fixes of a warning: exclude the function, include it without the warning, or show the reason. */
export class WarningFixes implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });

  constructor(private readonly kymo: Kymo) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const own = diagnostics.filter(
      ({ source, code }) => source === warningSource && code !== 'scales-worse-than-expected',
    );
    if (own.length === 0) return [];
    const file = await this.kymo.placed.of(document);
    return own.flatMap((diagnostic) => {
      const group = file?.groups.find(({ line }) => line === diagnostic.range.start.line + 1);
      return file === undefined || group === undefined ? [] : fixesFor(document, diagnostic, { file, group });
    });
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function fixesFor(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  { file: { folder, shown }, group }: PlacedAt,
): vscode.CodeAction[] {
  const pin = {
    folder: folder.uri.toString(),
    key: group.functions.map(({ key }) => key),
    ...pinnedIn(shown),
  };
  const place = [document.uri.toString(), group.measuredLine];
  const action = (title: string, command: string, given: readonly unknown[]): vscode.CodeAction => {
    const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    fix.command = { title, command, arguments: [...given] };
    fix.diagnostics = [diagnostic];
    return fix;
  };
  if (diagnostic.code !== 'excessive-overhead') {
    return [
      action('Go to Callers', 'kymo.goToCallers', place),
      action('Leave out of Instrumentation', 'kymo.pinOut', [pin]),
      action('Explain', 'kymo.explainFunctions', place),
    ];
  }
  const exclude = action('Exclude from Instrumentation', 'kymo.pinOut', [pin]);
  exclude.isPreferred = true;
  return [
    exclude,
    action('Keep in Instrumentation', 'kymo.pinIn', [pin]),
    action('Explain', 'kymo.explainFunctions', place),
  ];
}
