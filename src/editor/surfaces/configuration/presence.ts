import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';

/** Keeps the context key `kymo.hasConfiguration`: whether a folder of the workspace has a `kymo.json`. */
export function watchConfiguration(): vscode.Disposable {
  const update = async (): Promise<void> => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const present = await Promise.all(
      folders.map(({ uri }) => exists(vscode.Uri.joinPath(uri, 'kymo.json'))),
    );
    await vscode.commands.executeCommand('setContext', 'kymo.hasConfiguration', present.includes(true));
  };
  const changed = (): void => void update();
  const watcher = vscode.workspace.createFileSystemWatcher('**/kymo.json', false, true, false);
  changed();
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
  );
}

/** Keeps the context key `kymo.hasResults`: whether a folder of the workspace has a study or measurement with results. */
export function watchResults({ studies }: Kymo): vscode.Disposable {
  let shown: boolean | undefined;
  const update = async (): Promise<void> => {
    const all = await studies.all();
    const found = all.some((folder) => folder.studies.some(({ iterations }) => iterations.length > 0));
    if (found === shown) return;
    shown = found;
    await vscode.commands.executeCommand('setContext', 'kymo.hasResults', found);
  };
  return studies.onDidChange(() => void update());
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
