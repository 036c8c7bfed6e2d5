import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { sourcePathRule } from '../../core/lines/sourcePaths';
import { addSourcePathRule } from '../state/settings/sourcePaths';

/** Asks where a recorded file is, and stores the rule that maps its path (`kymo.sourcePaths`). Undefined if the user cancels. */
export async function locateSource(file: string, profile: vscode.Uri): Promise<vscode.Uri | undefined> {
  const answer = await vscode.window.showWarningMessage(
    l10n.t`${file} is not there: it was moved since the run, or belongs to another machine.`,
    l10n.t('Locate Source…'),
  );
  if (answer === undefined) return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(profile) ?? vscode.workspace.workspaceFolders?.[0];
  const name = path.basename(file);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: l10n.t`Where is ${file}?`,
      openLabel: l10n.t`This is ${name}`,
      defaultUri: folder?.uri ?? vscode.Uri.joinPath(profile, '..'),
    })) ?? [];
  const rule = chosen === undefined ? undefined : sourcePathRule(file, chosen.fsPath);
  // Without a workspace the rule cannot be stored; the file is shown all the same.
  if (rule !== undefined && vscode.workspace.workspaceFolders !== undefined) {
    await addSourcePathRule(rule);
    vscode.window.setStatusBarMessage(l10n.t`$(check) Kymo: ${rule.from} is ${rule.to} here`, 8000);
  }
  return chosen;
}
