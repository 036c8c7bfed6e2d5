import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ProposedLauncher } from '../../../measurement/config/config';
import { showError } from '../../actions/showError';
import type { ProposedConfiguration } from '../../../engine/requests/workspace';
import type { Kymo } from '../../state/kymo';
import { refuseUntrusted } from '../../actions/consent';
import { pickFolder } from '../../actions/pick';
import { askProgram, proposeConfiguration, type Choices } from './proposeConfiguration';

/** Writes a first `kymo.json` and opens it, because the user should check its proposed commands. */
export async function createConfigurationCommand(kymo: Kymo): Promise<void> {
  if (await refuseUntrusted(l10n.t('write kymo.json'))) return;
  const folder = await pickFolder(l10n.t('Kymo: Create kymo.json'));
  if (folder === undefined) return;
  try {
    const proposed = await proposeConfiguration(kymo, folder);
    if (proposed === undefined) return;
    await writeConfiguration(kymo, folder, proposed);
    void offerRefinement(kymo, folder);
  } catch (error) {
    void showError(kymo, error);
  }
}

export async function writeConfiguration(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  { text }: ProposedConfiguration,
  force = false,
): Promise<vscode.Uri> {
  const file = await kymo.engine.query('writeConfiguration', {
    workspace: folder.uri.fsPath,
    text,
    force,
  });
  const uri = vscode.Uri.file(file);
  await vscode.window.showTextDocument(uri);
  return uri;
}

/** Whether a file that was opened for the user to look at is still in front, and neither changed nor kept open. */
export function isShownUntouched(file: vscode.Uri): boolean {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return (
    tab?.input instanceof vscode.TabInputText &&
    tab.input.uri.toString() === file.toString() &&
    tab.isPreview &&
    !tab.isDirty
  );
}

/** Next steps after a first `kymo.json`: the refinement, or a correction of the guessed program or launcher. */
export async function offerRefinement(kymo: Kymo, folder: vscode.WorkspaceFolder): Promise<void> {
  const refine = l10n.t('Refine Instrumentation');
  const correct = l10n.t('Change Program or Launcher');
  const next = await vscode.window.showInformationMessage(
    l10n.t('Kymo wrote a first kymo.json. Check that its commands build and run your program, then refine.'),
    refine,
    correct,
  );
  if (next === refine) await vscode.commands.executeCommand('kymo.refine');
  if (next === correct) await correctGuess(kymo, folder);
}

async function correctGuess(kymo: Kymo, folder: vscode.WorkspaceFolder): Promise<void> {
  const choices = await pickChoices();
  if (choices === undefined) return;
  try {
    const proposed = await proposeConfiguration(kymo, folder, choices);
    if (proposed !== undefined) await writeConfiguration(kymo, folder, proposed, true);
  } catch (error) {
    void showError(kymo, error);
  }
}

async function pickChoices(): Promise<Choices | undefined> {
  const launcher = (kind: ProposedLauncher, label: string) => ({
    label,
    description: kind,
    launcher: kind,
  });
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: l10n.t('Another program…'),
        description: l10n.t('the path of what the build makes'),
        launcher: undefined,
      },
      launcher('local', l10n.t('Start the program directly')),
      launcher('mpirun', l10n.t('Start it with mpirun')),
      launcher('slurm', l10n.t('Start it in a job of Slurm')),
    ],
    { title: l10n.t('Kymo: Change Program or Launcher'), placeHolder: l10n.t('Rewrites kymo.json') },
  );
  if (picked === undefined) return undefined;
  if (picked.launcher !== undefined) return { launcher: picked.launcher };
  const executable = await askProgram(l10n.t('Which program does the build make?'));
  return executable === undefined ? undefined : { executable };
}
