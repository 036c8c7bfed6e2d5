import * as vscode from 'vscode';

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

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
