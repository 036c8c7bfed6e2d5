import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../core/errors';
import type { Kymo } from '../state/kymo';
import type { TextChange } from '../words/settings/targetEdit';

export interface TargetEdited {
  readonly document: vscode.TextDocument;
  /** Where the edit begins. */
  readonly position: vscode.Position;
}

/**
 * Edits a target in `kymo.json`: can be undone, and is not saved yet.
 * @param edit of the text; undefined when the text has no such target
 * @throws KymoError `config-invalid` then
 */
export async function editTarget(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: string,
  edit: (text: string) => TextChange | undefined,
): Promise<TargetEdited> {
  const { file } = await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
  const document = await vscode.workspace.openTextDocument(file);
  const edited = edit(document.getText());
  if (edited === undefined)
    throw new KymoError(
      'config-invalid',
      l10n.t`${file} has no target ${target} any more. Write it again, or measure another one.`,
      { file },
    );
  const { offset, length, content } = edited;
  const position = document.positionAt(offset);
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, new vscode.Range(position, document.positionAt(offset + length)), content);
  await vscode.workspace.applyEdit(change);
  return { document, position };
}

/** Shows an edit of `kymo.json`. */
export async function showEdit({ document, position }: TargetEdited): Promise<void> {
  const editor = await vscode.window.showTextDocument(document);
  editor.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}
