import * as vscode from 'vscode';
import { localFolders } from './studies';
import { studyMarks } from './studyMarks';

/** Files change in groups; a study is read once per group. */
const settleMilliseconds = 250;
/**
 * Nothing is told of what another node does on a network file system, of what is written into a folder that has only just been made, nor
 * of anything before the watchers stand. So the few folders of targets are looked at from time to time, too.
 */
const lookMilliseconds = 4000;

/**
 * Notifies of changes to studies by another window or the command line, which refine, accept or delete.
 * The second pattern is for folders of studies that go as a whole, the lock that comes and goes, and what is accepted.
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
