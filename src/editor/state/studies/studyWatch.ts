import * as vscode from 'vscode';
import { localFolders } from './studies';
import { studyMarks } from './studyMarks';

/** Files change in groups; a study is read once per group. */
const settleMilliseconds = 250;
/**
 * Watchers do not report changes by other nodes on a network file system, files in a folder that was just created, or changes before the
 * watchers started. So the few folders of targets are also polled.
 */
const lookMilliseconds = 4000;

/**
 * Notifies of changes to studies by another window or the command line, which refine, accept or delete. The second pattern matches whole
 * folders of studies, the lock, and accepted selections.
 */
export class StudyWatch implements vscode.Disposable {
  private readonly watchers = ['**/.kymo/*/*/study.json', '**/.kymo/*/*'].map((pattern) =>
    vscode.workspace.createFileSystemWatcher(pattern),
  );
  private settled: NodeJS.Timeout | undefined;
  private nextLook: NodeJS.Timeout | undefined;
  private marks = '';
  private disposed = false;

  constructor(private readonly onChange: () => void) {
    for (const watcher of this.watchers) {
      watcher.onDidCreate(() => this.settle());
      watcher.onDidChange(() => this.settle());
      watcher.onDidDelete(() => this.settle());
    }
    this.lookLater();
  }

  private settle(): void {
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.onChange(), settleMilliseconds);
  }

  private lookLater(): void {
    if (!this.disposed) this.nextLook = setTimeout(() => void this.look(), lookMilliseconds);
  }

  private async look(): Promise<void> {
    const marks = await studyMarks(localFolders().map(({ uri }) => uri.fsPath));
    if (this.disposed) return;
    if (marks !== this.marks) this.settle();
    this.marks = marks;
    this.lookLater();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.settled);
    clearTimeout(this.nextLook);
    for (const watcher of this.watchers) watcher.dispose();
  }
}
