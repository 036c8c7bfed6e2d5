import * as vscode from 'vscode';
import { KymoError } from '../../core/errors';
import { showError } from '../diagnostics/showError';
import type { Kymo } from '../kymo';
import { shorten } from '../lenses/lensText';
import { functionsMeant } from './functionActions';
import { phaseEdit } from './phaseEdit';

/** *Use as Phase*: writes the function at the cursor into `kymo.json`, as an edit that can be undone and is not saved yet. */
export async function usePhase(kymo: Kymo): Promise<void> {
  const meant = await functionsMeant(kymo, undefined, undefined);
  const [one] = meant?.group.functions ?? [];
  if (meant === undefined || one === undefined) return;
  const { folder } = meant.file;
  const study = (await kymo.studies.shownStudyOf(folder)) ?? meant.file.study;
  try {
    const { file } = await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
    const document = await vscode.workspace.openTextDocument(file);
    const edit = phaseEdit(document.getText(), study.target, one.name);
    if (edit === undefined)
      throw new KymoError(
        'config-invalid',
        `${file} has no target ${study.target} any more, which the function was measured in. Refine again.`,
        { file },
      );
    const { offset, length, content } = edit;
    const at = document.positionAt(offset);
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, new vscode.Range(at, document.positionAt(offset + length)), content);
    await vscode.workspace.applyEdit(change);
    const editor = await vscode.window.showTextDocument(document);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    vscode.window.setStatusBarMessage(
      `$(sync) ${shorten(one.name, 60)} is the phase of ${study.target} once kymo.json is saved`,
      8000,
    );
  } catch (error) {
    await showError(kymo, error);
  }
}
