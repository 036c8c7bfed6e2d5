import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { withoutLinks } from '../../../core/markdown';
import { studiedSentence } from '../../../core/study/texts';
import type { StudyResult } from '../../../workflows/study';
import { showError } from '../../actions/showError';
import { withDelayedProgress } from '../../base/delayedProgress';
import type { Kymo } from '../../state/kymo';
import type { ParameterStudyRequest } from '../../state/runs/parameterStudies';
import { progressOf } from '../refinement/progressOf';

/** Runs a study with cancellable progress and reports its end. All questions are answered before. */
export async function runStudy(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: ParameterStudyRequest,
): Promise<void> {
  const { target } = request;
  kymo.log.info(`Study of ${target} in ${folder.uri.fsPath}`);
  kymo.problems.clear();
  try {
    const result = await withDelayedProgress(
      l10n.t`Kymo: studying ${target}`,
      (signal) => {
        signal.addEventListener('abort', () => kymo.parameterStudies.stop(folder), { once: true });
        return kymo.parameterStudies.start(folder, request);
      },
      progressOf(kymo.parameterStudies, folder),
    );
    void showResult(kymo, folder, result);
  } catch (error) {
    void showEnd(kymo, folder, request, error);
  }
}

/** Shows the performance models of a study. */
export async function showModelsOf(directory: string): Promise<void> {
  await vscode.commands.executeCommand('kymo.showModels', vscode.Uri.file(directory));
}

async function showResult(kymo: Kymo, folder: vscode.WorkspaceFolder, result: StudyResult): Promise<void> {
  const sentence = studiedSentence(result);
  kymo.log.info(sentence);
  for (const note of result.notes) kymo.log.info(note);
  const models = l10n.t('Show Models');
  const retry = l10n.t('Retry Failed Points');
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(`Kymo: ${sentence}`),
    models,
    ...(result.failed > 0 ? [retry] : []),
  );
  if (choice === models) await showModelsOf(result.directory);
  if (choice === retry)
    await runStudy(kymo, folder, { target: result.target, study: result.study, retry: true });
}

async function showEnd(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: ParameterStudyRequest,
  error: unknown,
): Promise<void> {
  const reason: unknown = error instanceof KymoError ? error.reason : undefined;
  if (reason === 'cancelled') {
    const message = l10n.t`Kymo: the study of ${request.target} was stopped. Complete measurements stay; run it again to continue.`;
    kymo.log.info(message);
    vscode.window.setStatusBarMessage(`$(circle-slash) ${message}`, 8000);
  } else if (reason === 'study-outdated' && request.study === undefined) {
    const fresh = l10n.t('Begin a New Study');
    const message = error instanceof Error ? error.message : String(error);
    kymo.log.error(message);
    const choice = await vscode.window.showErrorMessage(`Kymo: ${withoutLinks(message)}`, fresh);
    if (choice === fresh) await runStudy(kymo, folder, { ...request, fresh: true });
  } else await showError(kymo, error);
}
