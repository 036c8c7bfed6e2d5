import * as vscode from 'vscode';
import type { FilterDiagnostic, FilterFix } from '../../../formats/scorep-filter/syntax/diagnostics';
import { filterLanguage, type FilterDocuments } from '../../state/filters/filterDocuments';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const;

/** Diagnostics of text without effect, which is shown faded like unused code. */
const unnecessary: ReadonlySet<FilterDiagnostic['code']> = new Set(['no-effect']);

const source = 'Score-P filter';

/** The problems of filters in the Problems view, and their quick fixes. */
export class FilterDiagnostics implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kymo-scorep-filter');
  private readonly fixes = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly fixes: ReadonlyMap<vscode.Diagnostic, readonly FilterFix[]> }
  >();
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly documents: FilterDocuments) {
    this.subscriptions = [
      this.collection,
      documents.onDidInspect((document) => this.show(document)),
      documents.onDidClose(({ uri }) => this.collection.delete(uri)),
      vscode.languages.registerCodeActionsProvider({ language: filterLanguage }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    ];
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const proposed = this.fixes.get(document);
    // Fixes contain offsets of the checked text, so they are invalid for any other.
    if (proposed?.version !== document.version) return [];
    if (only !== undefined && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
    return [...proposed.fixes].flatMap(([diagnostic, fixes]) =>
      diagnostic.range.intersection(range) === undefined
        ? []
        : fixes.map((fix, index) => actionOf(document, diagnostic, fix, index === 0)),
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private show(document: vscode.TextDocument): void {
    const { version, inspection } = this.documents.inspectionOf(document) ?? {};
    if (inspection === undefined || version !== document.version) return;
    const fixes = new Map<vscode.Diagnostic, readonly FilterFix[]>();
    const diagnostics = inspection.diagnostics.map((problem) => {
      const diagnostic = new vscode.Diagnostic(
        rangeOf(document, problem.offset, problem.length),
        problem.message,
        severities[problem.severity],
      );
      diagnostic.source = source;
      diagnostic.code = problem.code;
      if (unnecessary.has(problem.code)) diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
      if (problem.fixes !== undefined) fixes.set(diagnostic, problem.fixes);
      return diagnostic;
    });
    this.fixes.set(document, { version, fixes });
    this.collection.set(document.uri, diagnostics);
  }
}

function actionOf(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  { title, edits }: FilterFix,
  isPreferred: boolean,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const { offset, length, text } of edits)
    action.edit.replace(document.uri, rangeOf(document, offset, length), text);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred;
  return action;
}

export function rangeOf(document: vscode.TextDocument, offset: number, length: number): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
