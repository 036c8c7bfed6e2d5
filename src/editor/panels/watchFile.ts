import * as vscode from 'vscode';

/** After the last change of a file, before it is read again: whoever writes it may not be done. */
const settleMilliseconds = 300;

/** Tells that a file was changed, made or deleted, once it rests. */
export function watchFile(file: vscode.Uri, onChange: () => void): vscode.Disposable {
  const folder = vscode.Uri.joinPath(file, '..');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, escaped(name)));
  let settling: NodeJS.Timeout | undefined;
  const settle = (): void => {
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMilliseconds);
  };
  watcher.onDidChange(settle);
  watcher.onDidCreate(settle);
  watcher.onDidDelete(settle);
  return new vscode.Disposable(() => {
    clearTimeout(settling);
    watcher.dispose();
  });
}

/** A file name as a glob that means it literally. */
function escaped(name: string): string {
  return name.replace(/[[\]{}*?]/g, (c) => `[${c}]`);
}
