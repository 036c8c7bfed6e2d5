import * as vscode from 'vscode';

/** Files come in groups; a study is read once for each. */
const settleMilliseconds = 250;
/** A watcher hears nothing until it stands, moments after the window has opened: what changed meanwhile is found by one more look. */
const standingMilliseconds = 5000;

/**
 * Tells when studies change on disk without a word from this window: another window or the command line refines, accepts, or deletes.
 * The second pattern is for folders of studies that go as a whole, the lock that comes and goes, and what is accepted.
 */
export class StudyWatch implements vscode.Disposable {
  private readonly watchers = ['**/.kymo/*/*/study.json', '**/.kymo/*/*'].map((pattern) =>
    vscode.workspace.createFileSystemWatcher(pattern),
  );
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onChange: () => void) {
    this.timer = setTimeout(() => this.onChange(), standingMilliseconds);
    for (const watcher of this.watchers) {
      watcher.onDidCreate(() => this.settle());
      watcher.onDidChange(() => this.settle());
      watcher.onDidDelete(() => this.settle());
    }
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onChange(), settleMilliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.dispose();
  }
}
