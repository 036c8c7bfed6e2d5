import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import type { RefineResult } from '../../../workflows/studies/refine.types';
import { withDelayedProgress } from '../../base/delayedProgress';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { RefinementRequest } from '../../state/runs/refinements';
import { refinedMessage } from '../../words/studies/resultMessage';
import { goToHottestFunction, openHottest } from '../functions/goToHottest';
import { isShownUntouched } from './createConfiguration';
import { goToHottest, offerResult } from './offerResult';
import { progressOf } from './progressOf';
import { refuseElsewhere } from './watchElsewhere';

/** VS Code shows it for a while, in which the next refinement may start. */
let cancelledMessage: vscode.Disposable | undefined;

/**
 * Refines with cancellable progress and reports the end. All questions are answered before.
 * @param configuration a `kymo.json` that Kymo wrote and opened for this refinement: the source of the hottest function takes its place at the end,
 * unless the user went on to something else
 */
export async function runRefinement(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: RefinementRequest,
  configuration?: vscode.Uri,
): Promise<void> {
  cancelledMessage?.dispose();
  kymo.log.info(`Refining ${request.target} in ${folder.uri.fsPath}`);
  try {
    const result = await withDelayedProgress(
      l10n.t`Kymo: refining ${request.target}`,
      (signal) => {
        signal.addEventListener('abort', () => kymo.refinements.stop(folder), { once: true });
        return kymo.refinements.start(folder, request);
      },
      progressOf(kymo.refinements, folder),
    );
    void showResult(kymo, folder, result, configuration);
  } catch (error) {
    await showEnd(kymo, folder, request.target, error);
  }
}

async function showEnd(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: string,
  error: unknown,
): Promise<void> {
  const reason: unknown = error instanceof KymoError ? error.reason : undefined;
  if (reason === 'cancelled') {
    showCancelled(kymo, target);
    return;
  }
  // It started elsewhere after this window had checked.
  if (reason === 'study-locked' && (await refuseElsewhere(kymo, folder, target))) return;
  void showError(kymo, error);
}

async function showResult(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  result: RefineResult,
  configuration: vscode.Uri | undefined,
): Promise<void> {
  const message = refinedMessage(result);
  kymo.log.info(message.text);
  const isThere =
    configuration !== undefined && isShownUntouched(configuration) && (await openHottest(kymo, [folder]));
  const showRefinement = l10n.t('Show Refinement');
  // More than two buttons are cut in the width of a message.
  const choice = await offerResult(message, [
    isThere ? l10n.t('Show Hot Spots') : goToHottest,
    showRefinement,
  ]);
  if (choice === goToHottest) await goToHottestFunction(kymo, folder);
  else if (choice === showRefinement) await vscode.commands.executeCommand('kymo.showRefinement');
  else if (choice !== undefined) await vscode.commands.executeCommand('kymo.showHotSpots');
}

function showCancelled(kymo: Kymo, target: string): void {
  // A longer one is cut.
  const message = l10n.t`Kymo: refining ${target} was cancelled; refine again to resume`;
  kymo.log.info(message);
  cancelledMessage = vscode.window.setStatusBarMessage(`$(circle-slash) ${message}`, 8000);
}
