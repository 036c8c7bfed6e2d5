import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';

/** Keeps the context key `kymo.hasConfiguration`: whether a folder of the workspace has a `kymo.json`. */
export function watchConfiguration(): vscode.Disposable {
  const update = async (): Promise<void> => {
    await vscode.commands.executeCommand('setContext', 'kymo.hasConfiguration', await hasConfiguration());
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
export function watchResults(kymo: Kymo): vscode.Disposable {
  let shown: boolean | undefined;
  const update = async (): Promise<void> => {
    const found = await hasResults(kymo);
    if (found === shown) return;
    shown = found;
    await vscode.commands.executeCommand('setContext', 'kymo.hasResults', found);
  };
  return kymo.studies.onDidChange(() => void update());
}

/** Whether a folder of the workspace has a `kymo.json`. */
export async function hasConfiguration(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const present = await Promise.all(folders.map(({ uri }) => exists(vscode.Uri.joinPath(uri, 'kymo.json'))));
  return present.includes(true);
}

/** Whether a folder of the workspace has a study or measurement with results. */
export async function hasResults({ studies }: Kymo): Promise<boolean> {
  const all = await studies.all();
  return all.some((folder) => folder.studies.some(({ iterations }) => iterations.length > 0));
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
