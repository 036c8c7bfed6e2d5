import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { PlacedAt } from '../../state/places/placedFunctions';
import type { FindingsInFile } from '../../state/findings/findings';
import type { Kymo } from '../../state/kymo';
import { pinnedIn } from '../../state/studies/shown';
import { isWarningSource } from './warningSource';

/** Quick fixes of the findings at a line, each once: exclude or include the function, show more of it, explain it. */
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
      ({ source, code }) => isWarningSource(source) && code !== 'scales-worse-than-expected',
    );
    if (own.length === 0) return [];
    const [file, found] = await Promise.all([
      this.kymo.placed.of(document),
      this.kymo.findings.inDocument(document),
    ]);
    return own.flatMap((diagnostic, position) => {
      const line = diagnostic.range.start.line + 1;
      const same = own.filter(({ range }) => range.start.line + 1 === line);
      // The fixes are those of the function: the first finding of a line has them for all.
      if (own.indexOf(same[0] ?? diagnostic) !== position) return [];
      const group = file?.groups.find((one) => one.line === line);
      return [
        ...(file === undefined || group === undefined ? [] : fixesFor(document, same, { file, group })),
        ...showing(found, line, same),
      ];
    });
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function fixesFor(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  { file: { folder, shown }, group }: PlacedAt,
): vscode.CodeAction[] {
  const pin = {
    folder: folder.uri.toString(),
    key: group.functions.map(({ key }) => key),
    ...pinnedIn(shown),
  };
  const place = [document.uri.toString(), group.measuredLine];
  const exclude = quickFix(diagnostics, l10n.t('Exclude from Instrumentation'), 'kymo.pinOut', [pin]);
  const include = quickFix(diagnostics, l10n.t('Include in Instrumentation'), 'kymo.pinIn', [pin]);
  const explain = quickFix(diagnostics, l10n.t('Explain'), 'kymo.explainFunctions', place);
  if (diagnostics.some(({ code }) => code === 'excessive-overhead')) {
    exclude.isPreferred = true;
    return [exclude, include, explain];
  }
  return [quickFix(diagnostics, l10n.t('Go to Callers'), 'kymo.goToCallers', place), exclude, explain];
}

/** *Show in Dynamics Panel*, *Accept as New Baseline* and the like: what the sources of the line's findings offer, each once. */
function showing(
  found: readonly FindingsInFile[],
  line: number,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const commands = new Map<string, vscode.Command>();
  for (const { of, groups } of found)
    for (const property of groups.find((group) => group.line === line)?.properties ?? []) {
      if (!diagnostics.some(({ code }) => code === property.kind)) continue;
      const command = of.command?.(property);
      for (const one of [...(command === undefined ? [] : [command]), ...(of.fixes ?? [])])
        if (!commands.has(one.title)) commands.set(one.title, one);
    }
  return [...commands.values()].map(({ title, command, arguments: given = [] }) =>
    quickFix(diagnostics, title, command, given as readonly unknown[]),
  );
}

function quickFix(
  diagnostics: readonly vscode.Diagnostic[],
  title: string,
  command: string,
  given: readonly unknown[],
): vscode.CodeAction {
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  fix.command = { title, command, arguments: [...given] };
  fix.diagnostics = [...diagnostics];
  return fix;
}
