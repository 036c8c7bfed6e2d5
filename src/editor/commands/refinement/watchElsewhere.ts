import { hostname } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { StudySummary } from '../../../workflows/studies/studies';
import { elsewhereSentence, runElsewhere } from '../../state/runs/elsewhere';
import type { Kymo } from '../../state/kymo';
import { removeLock, removeLockLabel } from '../../actions/removeLock';

/** True when another process refines or studies the target: names it to the user and offers to watch. */
export async function refuseElsewhere(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: string,
): Promise<boolean> {
  // Read again: the other process may have started a moment ago.
  const studies = await kymo.engine.query('studies', { workspace: folder.uri.fsPath });
  const isWanted = (study: { readonly target: string }): boolean => study.target === target;
  const refined = runElsewhere(studies, kymo.refinements.stateOf(folder)).find(isWanted);
  const studied = (
    await kymo.engine.query('parameterStudies', { workspace: folder.uri.fsPath })
  ).studies.find(
    (study) => isWanted(study) && study.state === 'running' && !kymo.parameterStudies.isOwn(folder, study),
  );
  if (refined === undefined && studied === undefined) return false;
  kymo.studies.refresh();
  // Not awaited: the command has ended, and may be called again while the notification is open.
  if (refined !== undefined)
    void offerToWatch(kymo, refined, elsewhereSentence(refined), [
      'kymo.showRefinement',
      { folder, study: refined },
    ]);
  else if (studied !== undefined)
    void offerToWatch(kymo, studied, elsewhereSentence(studied, 'studied'), ['kymo.experiments.focus']);
  return true;
}

async function offerToWatch(
  kymo: Kymo,
  study: Pick<StudySummary, 'directory' | 'runBy'>,
  sentence: string,
  [command, ...given]: readonly [string, ...unknown[]],
): Promise<void> {
  // Processes of this host can be checked.
  const isForeign = study.runBy?.host !== hostname();
  const choice = await vscode.window.showWarningMessage(
    `Kymo: ${sentence}`,
    l10n.t('Watch'),
    ...(isForeign ? [removeLockLabel] : []),
  );
  if (choice === l10n.t('Watch')) await vscode.commands.executeCommand(command, ...given);
  else if (choice === removeLockLabel) await removeLock(kymo, path.dirname(study.directory), sentence);
}
