import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import { showError } from '../../actions/showError';
import type { ConfiguredTarget } from '../../../engine/requests/targetCommands';
import type { Kymo } from '../../state/kymo';
import type { RefinementRequest } from '../../state/runs/refinements';
import { confirmCommands, confirmFirstConfiguration, refuseUntrusted } from '../../actions/consent';
import { offerRefinement, writeConfiguration } from './createConfiguration';
import { proposeConfiguration } from './proposeConfiguration';
import { pickFolder, pickTarget } from '../../actions/pick';
import { refuseBusy } from '../../actions/refuseBusy';
import { runRefinement } from './runRefinement';
import { refuseElsewhere } from './watchElsewhere';

/** *Kymo: Refine Instrumentation*: the whole loop on one target of the open workspace. */
export async function refineCommand(kymo: Kymo): Promise<void> {
  if (await refuseUntrusted('build and run the program')) return;
  const folder = await pickFolder();
  if (folder === undefined || refuseBusy(kymo, folder)) return;
  const target = await chooseTarget(kymo, folder, pickTarget);
  // Another refinement may have started while the questions were open.
  if (target === undefined || refuseBusy(kymo, folder)) return;
  await runRefinement(kymo, folder, { target: target.name });
}

/**
 * Starts or resumes the refinement of a target, with the same questions as the command. True once it runs; its end is
 * reported as by the command.
 */
export async function startRefinement(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: RefinementRequest,
): Promise<boolean> {
  if ((await refuseUntrusted('build and run the program')) || refuseBusy(kymo, folder)) return false;
  const target = await chooseTarget(kymo, folder, (targets) => namedTarget(targets, request.target));
  if (target === undefined || refuseBusy(kymo, folder)) return false;
  void runRefinement(kymo, folder, request);
  return true;
}

function namedTarget(targets: readonly ConfiguredTarget[], wanted: string): ConfiguredTarget | undefined {
  const target = targets.find(({ name }) => name === wanted);
  if (target === undefined)
    void vscode.window.showErrorMessage(
      `kymo.json has no target ${wanted} any more, so it cannot be refined. Add it again, or refine another one.`,
    );
  return target;
}

type Choose = (
  targets: readonly ConfiguredTarget[],
) => Promise<ConfiguredTarget | undefined> | ConfiguredTarget | undefined;

/** Undefined if the user cancelled, or after a message about missing prerequisites. */
async function chooseTarget(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  choose: Choose,
): Promise<ConfiguredTarget | undefined> {
  kymo.problems.clear();
  // The build reads files from disk, so unsaved changes are saved first.
  await vscode.workspace.saveAll(false);
  try {
    const target = await configuredTarget(kymo, folder, choose);
    if (target === undefined || (await refuseElsewhere(kymo, folder, target.name))) return undefined;
    const confirmed = await confirmCommands(kymo.extension.workspaceState, folder, target);
    return confirmed ? target : undefined;
  } catch (error) {
    // Not awaited: the command has ended, and may be called again while the notification is open.
    void showError(kymo, error);
    return undefined;
  }
}

async function configuredTarget(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  choose: Choose,
): Promise<ConfiguredTarget | undefined> {
  const workspace = folder.uri.fsPath;
  try {
    const { targets } = await kymo.engine.query('targets', { workspace });
    return await choose(targets);
  } catch (error) {
    if (!(error instanceof KymoError) || error.reason !== 'config-missing') throw error;
  }
  const accepted = await offerConfiguration(kymo, folder, choose);
  if (accepted === undefined) return undefined;
  const { targets } = await kymo.engine.query('targets', { workspace });
  return targets.find(({ name }) => name === accepted.name);
}

/** Shows the proposed `kymo.json` and commands. Returns the target to refine, if the user accepted. */
async function offerConfiguration(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  choose: Choose,
): Promise<ConfiguredTarget | undefined> {
  const proposed = await proposeConfiguration(kymo, folder);
  if (proposed === undefined) return undefined;
  const target = await choose(proposed.targets);
  if (target === undefined) return undefined;
  const answer = await confirmFirstConfiguration(
    kymo.extension.workspaceState,
    folder,
    target,
    proposed.notes,
  );
  if (answer === undefined) return undefined;
  await writeConfiguration(kymo, folder, proposed);
  if (answer === 'create') void offerRefinement(kymo, folder);
  return answer === 'create-and-refine' ? target : undefined;
}
