import * as vscode from 'vscode';

/** Delay between the last change of a file and reading it again: its writer may not be done. */
const settleMilliseconds = 300;
/** A network file system does not report changes by other nodes, so the file is also polled. */
const lookMilliseconds = 4000;

/** Calls back after a file was changed, created or deleted, once it no longer changes. */
export function watchFile(file: vscode.Uri, onChange: () => void): vscode.Disposable {
  const folder = vscode.Uri.joinPath(file, '..');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, escaped(name)));
  let settling: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let mark: string | undefined;
  let isDisposed = false;
  const settle = (): void => {
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMilliseconds);
  };
  const look = async (): Promise<void> => {
    const now = await markOf(file);
    if (isDisposed) return;
    if (mark !== undefined && now !== mark) settle();
    mark = now;
    looking = setTimeout(() => void look(), lookMilliseconds);
  };
  watcher.onDidChange(settle);
  watcher.onDidCreate(settle);
  watcher.onDidDelete(settle);
  void look();
  return new vscode.Disposable(() => {
    isDisposed = true;
    clearTimeout(settling);
    clearTimeout(looking);
    watcher.dispose();
  });
}

/** Changes with the file. */
async function markOf(file: vscode.Uri): Promise<string> {
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(file);
    return `${mtime} ${size}`;
  } catch {
    return 'gone';
  }
}

/** A glob that matches exactly this file name. */
function escaped(name: string): string {
  return name.replace(/[[\]{}*?]/g, (c) => `[${c}]`);
}
