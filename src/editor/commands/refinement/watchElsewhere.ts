import { hostname } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { StudySummary } from '../../../workflows/studies/studies';
import { elsewhereSentence, runElsewhere } from '../../state/runs/elsewhere';
import type { Kymo } from '../../state/kymo';
import { removeLock, removeLockLabel } from '../../actions/removeLock';

/** True when another process refines the target: names it to the user and offers to watch. */
export async function refuseElsewhere(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: string,
): Promise<boolean> {
  // Read again: the other process may have started a moment ago.
  const studies = await kymo.engine.query('studies', { workspace: folder.uri.fsPath });
  const study = runElsewhere(studies, kymo.refinements.stateOf(folder)).find(
    (candidate) => candidate.target === target,
  );
  if (study === undefined) return false;
  kymo.studies.refresh();
  // Not awaited: the command has ended, and may be called again while the notification is open.
  void offerToWatch(kymo, folder, study);
  return true;
}

async function offerToWatch(kymo: Kymo, folder: vscode.WorkspaceFolder, study: StudySummary): Promise<void> {
  const sentence = elsewhereSentence(study);
  // Processes of this host can be checked.
  const isForeign = study.runBy?.host !== hostname();
  const choice = await vscode.window.showWarningMessage(
    `Kymo: ${sentence}`,
    'Watch',
    ...(isForeign ? [removeLockLabel] : []),
  );
  if (choice === 'Watch') await vscode.commands.executeCommand('kymo.showRefinement', { folder, study });
  else if (choice === removeLockLabel) await removeLock(kymo, path.dirname(study.directory), sentence);
}
