import * as vscode from 'vscode';

/** Files come in groups; a study is read once for each. */
const settleMilliseconds = 250;
/**
 * A watcher hears nothing until it stands, moments after the window has opened, nor of what is written into a folder that has only just
 * been made: one more look finds that.
 */
const unheardMilliseconds = 4000;

/**
 * Tells when studies change on disk without a word from this window: another window or the command line refines, accepts, or deletes.
 * The last pattern is for folders of studies that go as a whole, the lock that comes and goes, and what is accepted; those before it for
 * the first study of a workspace or a target.
 */
export class StudyWatch implements vscode.Disposable {
  private readonly watchers = ['**/.kymo/*/*/study.json', '**/.kymo', '**/.kymo/*', '**/.kymo/*/*'].map(
    (pattern) => vscode.workspace.createFileSystemWatcher(pattern),
  );
  private soon: NodeJS.Timeout | undefined;
  private later: NodeJS.Timeout | undefined;

  constructor(private readonly onChange: () => void) {
    for (const watcher of this.watchers) {
      watcher.onDidCreate(() => {
        this.settle();
        this.lookAgain();
      });
      watcher.onDidChange(() => this.settle());
      watcher.onDidDelete(() => this.settle());
    }
    this.lookAgain();
  }

  private settle(): void {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.onChange(), settleMilliseconds);
  }

  private lookAgain(): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.onChange(), unheardMilliseconds);
  }

  dispose(): void {
    clearTimeout(this.soon);
    clearTimeout(this.later);
    for (const watcher of this.watchers) watcher.dispose();
  }
}
