import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { fileName } from '../../base/fileName';

/**
 * Asks for a file and writes it. False if the user cancels.
 * @param suggested `measured` is an input: the file is suggested in its workspace folder, else beside it
 * @throws the errors of `write`
 */
export async function saveAs(
  suggested: {
    readonly title: string;
    readonly measured: vscode.Uri;
    /** Name without ending, as text of any kind; the part that can be one of a file is used. */
    readonly name: string;
    readonly usualName: string;
    readonly ending: string;
    /** Name of the kind of file. */
    readonly filter: string;
  },
  write: (file: vscode.Uri) => PromiseLike<void>,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const { title, measured, name, usualName, ending, filter } = suggested;
  const folder = vscode.workspace.getWorkspaceFolder(measured)?.uri ?? vscode.Uri.joinPath(measured, '..');
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${fileName(name, usualName)}.${ending}`),
    filters: { [filter]: [ending] },
    title,
  });
  if (chosen === undefined) return false;
  await write(chosen);
  log.info(`Saved ${chosen.fsPath}`);
  vscode.window.setStatusBarMessage(l10n.t`$(check) Saved ${path.basename(chosen.path)}`, 5000);
  return true;
}
