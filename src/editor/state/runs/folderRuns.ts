import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import type { WorkPhase } from '../../../core/progress';
import type { RequestHooks } from '../../../engine/questions';
import type { EngineEvent } from '../../../engine/wire';

/** Long work on a target that this window started. That of other processes is visible in its files only. */
export interface RunningWork {
  readonly phase: WorkPhase;
  readonly target: string;
  /** Absolute; undefined until the study is created or resumed. */
  readonly studyDirectory?: string;
  /** Current step, for people: `Round 1, run 2 of 3`. */
  readonly message: string;
  /** While it builds: the last line that the build printed. */
  readonly output?: string | undefined;
  /** 0…1 of the whole work. */
  readonly fraction?: number;
  readonly remainingSeconds?: number;
  /** The user stopped it; it ends within a second. */
  readonly stopping: boolean;
}

/** A report of the work: what changes in its state, or its result. */
export type WorkStep<Running, Result> = { readonly change: Partial<Running> } | { readonly result: Result };

const idle = { phase: 'idle' } as const;

interface Work<Running> {
  state: Running;
  readonly abort: AbortController;
}

/** Work of one kind in this window: at most one per workspace folder. Does not interact with the user. */
export class FolderRuns<Running extends RunningWork> implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.WorkspaceFolder>();
  /** The folder whose `stateOf` changed, also by progress. */
  readonly onDidChange = this.changed.event;
  private readonly running = new Map<string, Work<Running>>();

  constructor(
    private readonly log: vscode.LogOutputChannel,
    /** Files changed: a study was created, a part of the work is done, or it ended. */
    private readonly onStudyChanged: () => void,
  ) {}

  stateOf(folder: vscode.WorkspaceFolder): { readonly phase: 'idle' } | Running {
    return this.running.get(keyOf(folder))?.state ?? idle;
  }

  /** Stops the running work; its measurements stay, and the next one resumes. False if none is running. */
  stop(folder: vscode.WorkspaceFolder): boolean {
    const running = this.running.get(keyOf(folder));
    if (running === undefined) return false;
    this.update(folder, running, { stopping: true, message: l10n.t('Stopping') } as Partial<Running>);
    running.abort.abort();
    return true;
  }

  /**
   * Does the work until its result.
   * @param onLine receives the lines of the log: progress and the output of the build
   * @throws KymoError `already-running`; `cancelled` after `stop`; whatever the workflow throws
   */
  protected async run<Result>(
    folder: vscode.WorkspaceFolder,
    state: Running,
    work: (hooks: RequestHooks) => AsyncIterable<WorkStep<Running, Result>>,
    onLine?: (line: string) => void,
  ): Promise<Result> {
    if (this.running.has(keyOf(folder)))
      throw new KymoError(
        'already-running',
        l10n.t`Kymo is measuring in ${folder.name} already. Wait for it, or stop it first.`,
      );
    const running: Work<Running> = { state, abort: new AbortController() };
    this.running.set(keyOf(folder), running);
    this.changed.fire(folder);
    try {
      const steps = work({
        signal: running.abort.signal,
        onEvent: (event) => {
          this.receive(folder, running, event);
          if (onLine !== undefined) for (const line of linesOf(event)) onLine(line);
        },
      });
      for await (const step of steps) {
        if ('result' in step) return step.result;
        this.update(folder, running, step.change);
        this.onStudyChanged();
      }
      throw new KymoError(
        'engine-ended',
        l10n.t('The work ended without a result. The log may have details.'),
      );
    } finally {
      this.running.delete(keyOf(folder));
      this.changed.fire(folder);
      this.onStudyChanged();
    }
  }

  private receive(folder: vscode.WorkspaceFolder, running: Work<Running>, event: EngineEvent): void {
    switch (event.kind) {
      case 'progress':
        this.log.info(event.message);
        if (!running.state.stopping) this.update(folder, running, progressOf(running.state, event));
        break;
      case 'log':
        for (const line of event.lines) this.log.info(line);
        if (running.state.phase === 'building' && !running.state.stopping)
          this.update(folder, running, { output: event.lines.at(-1) } as Partial<Running>);
    }
  }

  private update(folder: vscode.WorkspaceFolder, running: Work<Running>, change: Partial<Running>): void {
    running.state = { ...running.state, ...change };
    this.changed.fire(folder);
  }

  dispose(): void {
    for (const { abort } of this.running.values()) abort.abort();
    this.changed.dispose();
  }
}

function linesOf(event: EngineEvent): readonly string[] {
  if (event.kind === 'progress') return [event.message];
  return event.lines;
}

function keyOf(folder: vscode.WorkspaceFolder): string {
  return folder.uri.toString();
}

function progressOf<Running extends RunningWork>(
  state: Running,
  step: Extract<EngineEvent, { readonly kind: 'progress' }>,
): Partial<Running> {
  const { message, fraction, remainingSeconds } = step;
  return {
    phase: step.phase ?? state.phase,
    message,
    output: undefined,
    ...(fraction === undefined ? {} : { fraction }),
    ...(remainingSeconds === undefined ? {} : { remainingSeconds }),
  } as Partial<Running>;
}
