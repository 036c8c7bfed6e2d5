import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../../state/kymo';
import { shorten } from '../../words/functions/lensText';
import { isWarningSource } from './warningSource';

/** Quick fix of a function that scales worse than expected: expect what it does. */
export class ExpectationFixes implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });

  constructor(private readonly kymo: Pick<Kymo, 'findings'>) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const own = diagnostics.filter(
      ({ source, code }) => isWarningSource(source) && code === 'scales-worse-than-expected',
    );
    if (own.length === 0) return [];
    const files = await this.kymo.findings.inDocument(document);
    return own.flatMap((diagnostic) =>
      files.flatMap(({ of, groups }) =>
        groups
          .filter(({ line }) => line === diagnostic.range.start.line + 1)
          .flatMap(({ properties }) => properties)
          .filter(({ kind, title }) => kind === diagnostic.code && diagnostic.message.startsWith(title))
          .flatMap(({ region, model }) => {
            if (region === undefined || model === undefined) return [];
            const title = l10n.t`Expect ${shorten(model.growth, 60)} of ${shorten(region.name, 60)} from Now on`;
            const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
            const folder = of.folder.uri.toString();
            const given = { folder, target: of.target, name: region.name, growth: model.growth };
            fix.command = { title, command: 'kymo.expectGrowth', arguments: [given] };
            fix.diagnostics = [diagnostic];
            return [fix];
          }),
      ),
    );
  }

  dispose(): void {
    this.registration.dispose();
  }
}
