import * as vscode from 'vscode';
import { KymoError } from '../../core/errors';
import type { Kymo } from '../state/kymo';
import type { EditedJson } from '../words/settings/editedJson';
import { targetEdit } from '../words/settings/targetEdit';

/**
 * Changes a target in `kymo.json`, as an edit that can be undone and is not saved yet, and shows it.
 * @param why ends the sentence about a target that is gone
 * @throws KymoError `config-invalid` when the file has no such target
 */
export async function editTarget(
  kymo: Kymo,
  place: { readonly folder: vscode.WorkspaceFolder; readonly target: string },
  change: (edited: EditedJson) => void,
  why: string,
): Promise<vscode.TextDocument> {
  const { folder, target } = place;
  const { file } = await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
  const document = await vscode.workspace.openTextDocument(file);
  const edit = targetEdit(document.getText(), target, change);
  if (edit === undefined)
    throw new KymoError('config-invalid', `${file} has no target ${target} any more, ${why}`, { file });
  const { offset, length, content } = edit;
  const position = document.positionAt(offset);
  const edits = new vscode.WorkspaceEdit();
  edits.replace(document.uri, new vscode.Range(position, document.positionAt(offset + length)), content);
  await vscode.workspace.applyEdit(edits);
  const editor = await vscode.window.showTextDocument(document);
  editor.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
  return document;
}
