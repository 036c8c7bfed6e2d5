import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { RefineResult } from '../../../workflows/studies/refine.types';
import { withDelayedProgress } from '../../base/delayedProgress';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { RefinementRequest } from '../../state/runs/refinements';
import { refinedSentence } from '../../words/studies/experimentText';
import { resultWarning } from '../../words/studies/resultWarning';
import { goToHottestFunction } from '../functions/goToHottest';
import { goToHottest, offerResult } from './offerResult';
import { progressOf } from './progressOf';
import { refuseElsewhere } from './watchElsewhere';

/** Refines with cancellable progress and reports the end. All questions are answered before. */
export async function runRefinement(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: RefinementRequest,
): Promise<void> {
  kymo.log.info(`Refining ${request.target} in ${folder.uri.fsPath}`);
  try {
    const result = await withDelayedProgress(
      `Kymo: refining ${request.target}`,
      (signal) => {
        signal.addEventListener('abort', () => kymo.refinements.stop(folder), { once: true });
        return kymo.refinements.start(folder, request);
      },
      progressOf(kymo.refinements, folder),
    );
    void showResult(kymo, folder, result);
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

async function showResult(kymo: Kymo, folder: vscode.WorkspaceFolder, result: RefineResult): Promise<void> {
  const sentence = refinedSentence(result);
  kymo.log.info(sentence);
  const last = result.iterations.at(-1);
  const choice = await offerResult(sentence, last === undefined ? undefined : resultWarning(last), [
    goToHottest,
    'Show Refinement',
    'Show Experiments',
  ]);
  if (choice === goToHottest) await goToHottestFunction(kymo, folder);
  else if (choice === 'Show Refinement') await vscode.commands.executeCommand('kymo.showRefinement');
  else if (choice !== undefined) await vscode.commands.executeCommand('kymo.experiments.focus');
}

function showCancelled(kymo: Kymo, target: string): void {
  const message = `Kymo: refining ${target} was cancelled. Completed measurements stay; refine again to resume.`;
  kymo.log.info(message);
  vscode.window.setStatusBarMessage(`$(circle-slash) ${message}`, 8000);
}
