import * as vscode from 'vscode';
import { mayBeSource } from '../../../core/lines/movedSource';
import type { EngineClient } from '../../../engine/client';

/** Maximum number of files with the same name that are compared. */
const maximumCandidates = 20;

/** Source files that were moved or renamed since they were measured. The engine knows them by their lines. */
export class MovedSources implements vscode.Disposable {
  private readonly measuredPaths = new Map<string, Promise<string | undefined>>();
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly engine: EngineClient) {
    const clear = (): void => this.clear();
    this.subscriptions = [
      vscode.workspace.onDidRenameFiles(clear),
      vscode.workspace.onDidDeleteFiles(clear),
      // After reopening it may be another file.
      vscode.workspace.onDidCloseTextDocument(clear),
    ];
  }

  clear(): void {
    this.measuredPaths.clear();
  }

  /** The measured path of a file that the study does not know by its current path; undefined for new files and copies. */
  measuredAs(studyDirectory: string, path: string): Promise<string | undefined> {
    if (!mayBeSource(path)) return Promise.resolve(undefined);
    const key = JSON.stringify([studyDirectory, path]);
    const cached = this.measuredPaths.get(key);
    if (cached !== undefined) return cached;
    const answer = this.engine.query('measuredAs', { studyDirectory, path }).catch(() => {
      // The engine may have ended: the next call asks again.
      this.measuredPaths.delete(key);
      return undefined;
    });
    this.measuredPaths.set(key, answer);
    return answer;
  }

  /**
   * Current path of a file that a study names: the recorded path if it exists, else the open document or the file of the same name
   * with its content, else the recorded path.
   */
  async today(
    file: vscode.Uri,
    measuredAs: (candidate: vscode.Uri) => Promise<string | undefined>,
  ): Promise<vscode.Uri> {
    if (await exists(file)) return file;
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
    for (const candidate of open) if ((await measuredAs(candidate)) === file.fsPath) return candidate;
    const name = (file.path.split('/').at(-1) ?? '').replace(/[*?[\]{}]/g, (character) => `[${character}]`);
    for (const candidate of await vscode.workspace.findFiles(`**/${name}`, undefined, maximumCandidates))
      if ((await measuredAs(candidate)) === file.fsPath) return candidate;
    return file;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );
}
