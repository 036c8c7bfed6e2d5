import * as vscode from 'vscode';
import { KymoError } from '../../core/errors';
import type { RefineResult } from '../../workflows/refine.types';
import { showError } from '../diagnostics/showError';
import type { ConfiguredTarget, ConfiguredTargets, EngineEvent } from '../engine/messages';
import type { Kymo } from '../kymo';
import { refinedSentence } from '../views/experimentText';
import { confirmCommands, refuseUntrusted } from './consent';
import { createConfiguration } from './createConfiguration';
import { pickFolder, pickTarget } from './pick';
import { ProgressSteps } from './progressSteps';

/** *Kymo: Refine Instrumentation*: the whole loop on one target of the open workspace. */
export async function refineCommand(kymo: Kymo): Promise<void> {
  if (await refuseUntrusted('build and run the program')) return;
  const folder = await pickFolder();
  if (folder === undefined) return;
  const key = folder.uri.toString();
  if (kymo.refining.has(key)) {
    void vscode.window.showWarningMessage(
      `Kymo is refining ${folder.name} already. Wait for it, or cancel it in its notification.`,
    );
    return;
  }
  kymo.refining.add(key);
  try {
    const target = await chooseTarget(kymo, folder);
    if (target !== undefined) await refineTarget(kymo, folder, target);
  } finally {
    kymo.refining.delete(key);
  }
}

/** Undefined when the user left, or was told what is missing. */
async function chooseTarget(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
): Promise<ConfiguredTarget | undefined> {
  kymo.problems.clear();
  // What is built is what is on disk; the user means what is on the screen.
  await vscode.workspace.saveAll(false);
  const configured = await readTargets(kymo, folder);
  if (configured === undefined) return undefined;
  const target = await pickTarget(configured.targets);
  if (target === undefined) return undefined;
  const confirmed = await confirmCommands(kymo.extension.workspaceState, folder, target);
  return confirmed ? target : undefined;
}

async function readTargets(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
): Promise<ConfiguredTargets | undefined> {
  try {
    return await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
  } catch (error) {
    if (error instanceof KymoError && error.reason === 'config-missing') {
      // Not awaited: the command is over, and may be called again while the notification stands.
      void offerConfiguration(kymo, folder);
    } else void showError(kymo, error);
    return undefined;
  }
}

async function offerConfiguration(kymo: Kymo, folder: vscode.WorkspaceFolder): Promise<void> {
  const choice = await vscode.window.showWarningMessage(
    `${folder.name} has no kymo.json, which says how the program is built and run.`,
    'Create kymo.json',
  );
  if (choice !== undefined) await createConfiguration(kymo, folder);
}

async function refineTarget(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: ConfiguredTarget,
): Promise<void> {
  kymo.log.info(`Refining ${target.name} in ${folder.uri.fsPath}`);
  try {
    const result = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `Kymo: refining ${target.name}`,
        cancellable: true,
      },
      (progress, token) => runWithProgress(kymo, folder, target, progress, token),
    );
    void showResult(kymo, result);
  } catch (error) {
    if (error instanceof KymoError && error.reason === 'cancelled') showCancelled(kymo, target);
    else void showError(kymo, error);
  } finally {
    kymo.studies.refresh();
  }
}

async function runWithProgress(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: ConfiguredTarget,
  progress: vscode.Progress<{ message: string; increment: number }>,
  token: vscode.CancellationToken,
): Promise<RefineResult> {
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  const steps = new ProgressSteps();
  const onEvent = (event: EngineEvent): void => {
    if (event.kind === 'progress') {
      kymo.log.info(event.message);
      progress.report(steps.next(event));
    } else if (event.kind === 'log') for (const line of event.lines) kymo.log.info(line);
    else if (event.kind === 'iteration') kymo.studies.refresh();
  };
  try {
    const options = { workspace: folder.uri.fsPath, target: target.name };
    return await kymo.engine.job('refine', options, { signal: abort.signal, onEvent });
  } finally {
    subscription.dispose();
  }
}

async function showResult(kymo: Kymo, result: RefineResult): Promise<void> {
  const sentence = refinedSentence(result);
  kymo.log.info(sentence);
  const choice = await vscode.window.showInformationMessage(sentence, 'Show Experiments');
  if (choice !== undefined) await vscode.commands.executeCommand('kymo.experiments.focus');
}

function showCancelled(kymo: Kymo, target: ConfiguredTarget): void {
  const message = `Kymo: refining ${target.name} was cancelled. What is measured is kept; refine again to go on.`;
  kymo.log.info(message);
  vscode.window.setStatusBarMessage(`$(circle-slash) ${message}`, 8000);
}
