import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { AskedFunction, EffectiveDecision } from '../../../workflows/filters/inspectFilter';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { chooseFilter, editedText } from './chooseFilter';
import type { FilterDocuments } from '../../state/filters/filterDocuments';

const title = l10n.t('Kymo: Show Effective Filter Decision');

/** Shows the rules of a filter that decide on the function under the cursor, at compile time and at run time. */
export async function showDecision(kymo: Kymo, documents: FilterDocuments): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') {
    void vscode.window.showInformationMessage(
      l10n.t(
        'Put the cursor into a function of a source file: this shows which rule of a Score-P filter decides on it.',
      ),
    );
    return;
  }
  const place = await functionAt(kymo, editor);
  const filter = await chooseFilter(title, vscode.workspace.getWorkspaceFolder(editor.document.uri));
  if (filter === undefined) return;
  try {
    const text = editedText(filter);
    const decisions = await kymo.engine.query('filterDecisions', {
      filter: { file: filter.fsPath, ...(text === undefined ? {} : { text }) },
      asked: place,
      source: await documents.sourceOf(editor.document.uri),
    });
    await show(filter, decisions);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** Finds the function by the study's key; in a profile by its name or lines. */
async function functionAt(kymo: Kymo, editor: vscode.TextEditor): Promise<AskedFunction> {
  const place = { file: editor.document.uri.fsPath, line: editor.selection.active.line + 1 };
  const placedAt = await kymo.placed.atCursor(editor);
  if (placedAt === undefined) return place;
  const { functions } = placedAt.group;
  return {
    ...place,
    keys: functions.map(({ key }) => key),
    names: functions.map(({ mangledName, name }) => mangledName ?? name),
  };
}

async function show(filter: vscode.Uri, decisions: readonly EffectiveDecision[]): Promise<void> {
  const [first] = decisions;
  if (first === undefined) return;
  const single = decisions.every(({ name }) => name === first.name);
  const file = vscode.workspace.asRelativePath(filter);
  const items = decisions.map(({ name, when, instrumented, reason, line }) => ({
    label: `$(${instrumented ? 'pass' : 'circle-slash'}) ${times[when]}: ${instrumented ? l10n.t('instrumented') : l10n.t('not instrumented')}`,
    description: [...(single ? [] : [name]), ...(line === undefined ? [] : [l10n.t`line ${line}`])].join(
      ', ',
    ),
    detail: reason,
    line,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `${first.name} – ${file}`,
    placeHolder:
      first.line === undefined
        ? l10n.t('No rule decides')
        : l10n.t('Choose one to go to the rule that decides'),
    matchOnDescription: true,
  });
  if (picked?.line === undefined) return;
  const position = new vscode.Position(picked.line - 1, 0);
  const document = await vscode.workspace.openTextDocument(filter);
  await vscode.window.showTextDocument(document, {
    selection: document.lineAt(document.validatePosition(position)).range,
  });
}

const times = { 'compile-time': l10n.t('When compiled'), 'run-time': l10n.t('At run time') } as const;
