import * as vscode from 'vscode';

/** After the last change of a file, before it is read again: whoever writes it may not be done. */
const settleMilliseconds = 300;
/** Nothing is told of what another node does on a network file system: the file is looked at from time to time, too. */
const lookMilliseconds = 4000;

/** Tells that a file was changed, made or deleted, once it rests. */
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

/** A file name as a glob that means it literally. */
function escaped(name: string): string {
  return name.replace(/[[\]{}*?]/g, (c) => `[${c}]`);
}
