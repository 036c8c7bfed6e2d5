import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ConfiguredTarget } from '../../engine/requests/targetCommands';
import { localFolders } from '../state/studies/studies';

/** The only folder, or the folder that the user picks. */
export async function pickFolder(
  title = l10n.t('Kymo: Refine Instrumentation'),
): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = localFolders();
  if (folders.length === 0) {
    await sayWhyNoFolder();
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const picked = await vscode.window.showQuickPick(
    folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { title, placeHolder: l10n.t('Folder with the program') },
  );
  return picked?.folder;
}

async function sayWhyNoFolder(): Promise<void> {
  const [elsewhere] = vscode.workspace.workspaceFolders ?? [];
  const choice = await vscode.window.showErrorMessage(
    elsewhere === undefined
      ? l10n.t(
          'Kymo refines the program in the open folder, and no folder is open. Open the one with its sources.',
        )
      : l10n.t`Kymo builds and runs programs where their files are on a disk, and ${elsewhere.name} is not (${elsewhere.uri.scheme}). Open the folder on the machine that has it, for example over SSH.`,
    l10n.t('Open Folder'),
  );
  if (choice !== undefined) await vscode.commands.executeCommand('vscode.openFolder');
}

export async function pickTarget(
  targets: readonly ConfiguredTarget[],
  title = l10n.t('Kymo: Refine Instrumentation'),
): Promise<ConfiguredTarget | undefined> {
  if (targets.length <= 1) return targets[0];
  const picked = await vscode.window.showQuickPick(
    targets.map((target) => ({
      label: target.name,
      description: target.commands.find(({ purpose }) => purpose === 'run')?.line ?? '',
      target,
    })),
    { title, placeHolder: l10n.t('Target of kymo.json') },
  );
  return picked?.target;
}
