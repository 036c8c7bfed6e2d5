import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';

/** With more profiles the user needs the file dialog instead. */
const mostOffered = 200;

/** Asks for a profile to compare with, in the workspace or elsewhere. Undefined if the user cancels. */
export async function chooseOtherProfile(than: vscode.Uri): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles('**/*.cubex', undefined, mostOffered);
  const others = files
    .filter((uri) => uri.fsPath !== than.fsPath)
    .sort((a, b) => a.fsPath.localeCompare(b.fsPath, 'en', { numeric: true }));
  if (others.length === 0) return browse(than);
  const elsewhere = {
    label: l10n.t('$(folder-opened) Browse…'),
    description: l10n.t('a profile from anywhere'),
  };
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly uri?: vscode.Uri }>(
    [
      ...others.map((uri) => ({
        label: path.basename(path.dirname(uri.path)),
        description: vscode.workspace.asRelativePath(uri),
        uri,
      })),
      elsewhere,
    ],
    { title: l10n.t`Compare ${path.basename(than.path)} with…`, matchOnDescription: true },
  );
  if (chosen === undefined) return undefined;
  return chosen.uri ?? browse(than);
}

async function browse(beside: vscode.Uri): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Compare With'),
      defaultUri: vscode.Uri.joinPath(beside, '..'),
      filters: { [l10n.t('Cube profile')]: ['cubex'] },
    })) ?? [];
  return file;
}
