import * as vscode from 'vscode';
import { elsewhereSentence, runElsewhere } from '../elsewhere';
import type { Kymo } from '../kymo';

/** True when another process refines the target: the user is told who, and offered to watch. */
export async function refuseElsewhere(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: string,
): Promise<boolean> {
  // Not what this window has read: it may have begun a moment ago.
  const studies = await kymo.engine.query('studies', { workspace: folder.uri.fsPath });
  const study = runElsewhere(studies, kymo.refinements.stateOf(folder)).find((one) => one.target === target);
  if (study === undefined) return false;
  kymo.studies.refresh();
  // Not awaited: the command is over, and may be called again while the notification stands.
  void vscode.window
    .showWarningMessage(`Kymo: ${elsewhereSentence(study)}`, 'Watch')
    .then((choice) =>
      choice === undefined
        ? undefined
        : vscode.commands.executeCommand('kymo.showRefinement', { folder, study }),
    );
  return true;
}
