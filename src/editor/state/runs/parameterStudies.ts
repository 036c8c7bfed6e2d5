import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { EngineClient } from '../../../engine/client';
import type { StudyResult } from '../../../workflows/study';
import type { ParameterStudies, ParameterStudySummary } from '../../../workflows/study/listParameterStudies';
import type { PlannedRequest } from '../../../workflows/study/planRequested';
import type { Studies } from '../studies/studies';
import { FolderRuns, type RunningWork, type WorkStep } from './folderRuns';

/** Rows are not replaced faster than a person can click on them. */
const soonMilliseconds = 1000;
const lookMilliseconds = 4000;

export interface ParameterStudyRequest extends PlannedRequest {
  readonly target: string;
}

/** The studies over parameters of this window's folders, whoever runs them: read through the engine, and started here. */
export class ParameterStudyRuns extends FolderRuns<RunningWork> {
  private readonly read = new Map<string, Promise<ParameterStudies>>();
  private readonly changedOnDisk = new vscode.EventEmitter<void>();
  /** Studies, or the state of their points. */
  readonly onDidChangeStudies = this.changedOnDisk.event;
  private readonly subscriptions: readonly vscode.Disposable[];
  private next: NodeJS.Timeout | undefined;
  /** When `next` comes, by `performance.now()`. */
  private due = 0;

  constructor(
    private readonly engine: EngineClient,
    log: vscode.LogOutputChannel,
    studies: Studies,
  ) {
    super(log, () => studies.refresh());
    const watcher = vscode.workspace.createFileSystemWatcher('**/.kymo/*/study-*/parameter-study.json');
    const soon = (): void => this.refreshIn(soonMilliseconds);
    this.subscriptions = [
      watcher,
      watcher.onDidChange(soon),
      watcher.onDidCreate(soon),
      watcher.onDidDelete(soon),
      this.onDidChange(soon),
      // It notices folders of studies and locks.
      studies.onDidChange(() => this.refresh()),
    ];
  }

  /** None if they cannot be listed. */
  async of(folder: vscode.WorkspaceFolder): Promise<ParameterStudies> {
    const key = folder.uri.toString();
    const read =
      this.read.get(key) ??
      this.engine
        .query('parameterStudies', { workspace: folder.uri.fsPath })
        .catch(() => ({ studies: [], damaged: [] }));
    this.read.set(key, read);
    const listed = await read;
    // A network file system does not report the changes of other nodes.
    if (listed.studies.some(({ state }) => state === 'running')) this.refreshIn(lookMilliseconds);
    return listed;
  }

  /** Those that another window or the command line runs. */
  async elsewhere(folder: vscode.WorkspaceFolder): Promise<readonly ParameterStudySummary[]> {
    const { studies } = await this.of(folder);
    return studies.filter((study) => study.state === 'running' && !this.isOwn(folder, study));
  }

  /** Whether this window runs it. */
  isOwn(folder: vscode.WorkspaceFolder, { directory }: ParameterStudySummary): boolean {
    const own = this.stateOf(folder);
    return own.phase !== 'idle' && own.studyDirectory === directory;
  }

  /** Builds and measures until the end. Precondition: the workspace is trusted and the user agreed to its commands. */
  start(
    folder: vscode.WorkspaceFolder,
    request: ParameterStudyRequest,
    onLine?: (line: string) => void,
  ): Promise<StudyResult> {
    const { engine } = this;
    const { target } = request;
    return this.run(
      folder,
      { phase: 'building', target, message: l10n.t`Preparing ${target}`, stopping: false },
      async function* (hooks): AsyncGenerator<WorkStep<RunningWork, StudyResult>> {
        const options = { workspace: folder.uri.fsPath, ...request };
        for await (const part of engine.follow('study', options, hooks))
          yield part.kind === 'result'
            ? { result: part.result }
            : { change: { studyDirectory: part.directory } };
      },
      onLine,
    );
  }

  private refresh(): void {
    clearTimeout(this.next);
    this.next = undefined;
    this.read.clear();
    this.changedOnDisk.fire();
  }

  /** Not put off by further changes: a study of short runs changes all the time. */
  private refreshIn(milliseconds: number): void {
    const due = performance.now() + milliseconds;
    if (this.next !== undefined && this.due <= due) return;
    clearTimeout(this.next);
    this.due = due;
    this.next = setTimeout(() => this.refresh(), milliseconds);
  }

  override dispose(): void {
    clearTimeout(this.next);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changedOnDisk.dispose();
    super.dispose();
  }
}
