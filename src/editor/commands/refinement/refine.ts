import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
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
  if (await refuseUntrusted(l10n.t('build and run the program'))) return;
  const folder = await pickFolder();
  if (folder === undefined || refuseBusy(kymo, folder)) return;
  const chosen = await chooseTarget(kymo, folder, pickTarget);
  // Another refinement may have started while the questions were open.
  if (chosen === undefined || refuseBusy(kymo, folder)) return;
  await runRefinement(kymo, folder, { target: chosen.target.name }, chosen.configuration);
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
  if ((await refuseUntrusted(l10n.t('build and run the program'))) || refuseBusy(kymo, folder)) return false;
  const chosen = await chooseTarget(kymo, folder, (targets) => namedTarget(targets, request.target));
  if (chosen === undefined || refuseBusy(kymo, folder)) return false;
  void runRefinement(kymo, folder, request, chosen.configuration);
  return true;
}

function namedTarget(targets: readonly ConfiguredTarget[], wanted: string): ConfiguredTarget | undefined {
  const target = targets.find(({ name }) => name === wanted);
  if (target === undefined)
    void vscode.window.showErrorMessage(
      l10n.t`kymo.json has no target ${wanted} any more, so it cannot be refined. Add it again, or refine another one.`,
    );
  return target;
}

type Choose = (
  targets: readonly ConfiguredTarget[],
) => Promise<ConfiguredTarget | undefined> | ConfiguredTarget | undefined;

interface Chosen {
  readonly target: ConfiguredTarget;
  /** The `kymo.json` that was written for it just now. */
  readonly configuration?: vscode.Uri;
}

/** Undefined if the user cancelled, or after a message about missing prerequisites. */
async function chooseTarget(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  choose: Choose,
): Promise<Chosen | undefined> {
  kymo.problems.clear();
  // The build reads files from disk, so unsaved changes are saved first.
  await vscode.workspace.saveAll(false);
  try {
    const chosen = await configuredTarget(kymo, folder, choose);
    if (chosen === undefined || (await refuseElsewhere(kymo, folder, chosen.target.name))) return undefined;
    const confirmed = await confirmCommands(kymo.extension.workspaceState, folder, chosen.target);
    return confirmed ? chosen : undefined;
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
): Promise<Chosen | undefined> {
  const workspace = folder.uri.fsPath;
  try {
    const { targets } = await kymo.engine.query('targets', { workspace });
    const target = await choose(targets);
    return target === undefined ? undefined : { target };
  } catch (error) {
    if (!(error instanceof KymoError) || error.reason !== 'config-missing') throw error;
  }
  const accepted = await offerConfiguration(kymo, folder, choose);
  if (accepted === undefined) return undefined;
  const { targets } = await kymo.engine.query('targets', { workspace });
  const target = targets.find(({ name }) => name === accepted.target.name);
  return target === undefined ? undefined : { ...accepted, target };
}

/** Shows the proposed `kymo.json` and commands. Returns the target to refine, if the user accepted. */
async function offerConfiguration(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  choose: Choose,
): Promise<Chosen | undefined> {
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
  const configuration = await writeConfiguration(kymo, folder, proposed);
  if (answer === 'create') void offerRefinement(kymo, folder);
  return answer === 'create-and-refine' ? { target, configuration } : undefined;
}
