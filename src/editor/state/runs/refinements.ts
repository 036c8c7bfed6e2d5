import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { WorkPhase } from '../../../core/progress';
import type { RefineRound, RefineResult } from '../../../workflows/studies/refine.types';
import type { EngineClient } from '../../../engine/client';
import type { EngineEvent } from '../../../engine/wire';

/** State of a refinement of this window. Refinements of other processes are visible in the study's files only. */
export type RefinementState = { readonly phase: 'idle' } | RunningRefinement;

export interface RunningRefinement {
  readonly phase: WorkPhase;
  readonly target: string;
  /** Absolute; undefined until the study is created or resumed. */
  readonly studyDirectory?: string;
  /** Current step, for people: `Round 1, run 2 of 3`. */
  readonly message: string;
  /** 0…1 of the whole work. */
  readonly fraction?: number;
  readonly remainingSeconds?: number;
  /** Rounds that this run has finished, the oldest first. */
  readonly iterations: readonly RefineRound[];
  /** The user stopped it; it ends within a second. */
  readonly stopping: boolean;
}

export interface RefinementRequest {
  readonly target: string;
  /** Number of additional rounds of the last study, even if it is complete. */
  readonly moreRounds?: number;
}

const idle: RefinementState = { phase: 'idle' };

interface Running {
  state: RunningRefinement;
  readonly abort: AbortController;
}

/** Owns the refinements of this window: at most one per workspace folder. Does not interact with the user. */
export class Refinements implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.WorkspaceFolder>();
  /** The folder whose `stateOf` changed, also by progress. */
  readonly onDidChange = this.changed.event;
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly engine: EngineClient,
    private readonly log: vscode.LogOutputChannel,
    /** Files changed: a study was created, a round finished, or the refinement ended. */
    private readonly onStudyChanged: () => void,
  ) {}

  stateOf(folder: vscode.WorkspaceFolder): RefinementState {
    return this.running.get(keyOf(folder))?.state ?? idle;
  }

  /**
   * Builds, runs and decides until the end. Precondition: the workspace is trusted and the user agreed to its commands.
   * @param onLine receives the lines of the log: progress and the output of the build
   * @throws KymoError `already-refining`; `cancelled` after `stop`; whatever the workflow throws
   */
  async start(
    folder: vscode.WorkspaceFolder,
    request: RefinementRequest,
    onLine?: (line: string) => void,
  ): Promise<RefineResult> {
    if (this.running.has(keyOf(folder)))
      throw new KymoError(
        'already-refining',
        `Kymo is refining ${folder.name} already. Wait for it, or stop it first.`,
      );
    const running: Running = { state: beginning(request), abort: new AbortController() };
    this.running.set(keyOf(folder), running);
    this.changed.fire(folder);
    try {
      const parts = this.engine.follow(
        'refine',
        { workspace: folder.uri.fsPath, ...request },
        {
          signal: running.abort.signal,
          onEvent: (event) => {
            this.receive(folder, running, event);
            if (onLine !== undefined) for (const line of linesOf(event)) onLine(line);
          },
        },
      );
      for await (const part of parts) {
        if (part.kind === 'result') return part.result;
        this.update(
          folder,
          running,
          part.kind === 'study'
            ? { studyDirectory: part.directory }
            : { iterations: [...running.state.iterations, part.iteration] },
        );
        this.onStudyChanged();
      }
      throw new KymoError('engine-ended', 'The refinement ended without a result. The log may have details.');
    } finally {
      this.running.delete(keyOf(folder));
      this.changed.fire(folder);
      this.onStudyChanged();
    }
  }

  /** Resolves when the running refinement has a study, or none is running. */
  async untilStudyIsKnown(folder: vscode.WorkspaceFolder): Promise<void> {
    const isWaiting = (): boolean => {
      const state = this.stateOf(folder);
      return state.phase !== 'idle' && state.studyDirectory === undefined;
    };
    if (!isWaiting()) return;
    await new Promise<void>((resolve) => {
      const subscription = this.onDidChange(() => {
        if (isWaiting()) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  /** Stops the running refinement; its measurements stay, and the next refinement resumes. False if none is running. */
  stop(folder: vscode.WorkspaceFolder): boolean {
    const running = this.running.get(keyOf(folder));
    if (running === undefined) return false;
    this.update(folder, running, { stopping: true, message: 'Stopping' });
    running.abort.abort();
    return true;
  }

  private receive(folder: vscode.WorkspaceFolder, running: Running, event: EngineEvent): void {
    switch (event.kind) {
      case 'progress':
        this.log.info(event.message);
        if (!running.state.stopping) this.update(folder, running, progressOf(running.state, event));
        break;
      case 'log':
        for (const line of event.lines) this.log.info(line);
    }
  }

  private update(folder: vscode.WorkspaceFolder, running: Running, change: Partial<RunningRefinement>): void {
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

function beginning({ target }: RefinementRequest): RunningRefinement {
  return { phase: 'building', target, message: `Preparing ${target}`, iterations: [], stopping: false };
}

function progressOf(
  state: RunningRefinement,
  step: Extract<EngineEvent, { readonly kind: 'progress' }>,
): Partial<RunningRefinement> {
  const { message, fraction, remainingSeconds } = step;
  return {
    phase: step.phase ?? state.phase,
    message,
    ...(fraction === undefined ? {} : { fraction }),
    ...(remainingSeconds === undefined ? {} : { remainingSeconds }),
  };
}
