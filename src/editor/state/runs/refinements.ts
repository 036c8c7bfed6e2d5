import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { RefineRound, RefineResult } from '../../../workflows/studies/refine.types';
import type { EngineClient } from '../../../engine/client';
import { FolderRuns, type RunningWork, type WorkStep } from './folderRuns';

/** State of a refinement of this window. */
export type RefinementState = { readonly phase: 'idle' } | RunningRefinement;

export interface RunningRefinement extends RunningWork {
  /** Rounds that this run has finished, the oldest first. */
  readonly iterations: readonly RefineRound[];
}

export interface RefinementRequest {
  readonly target: string;
  /** Number of additional rounds of the last study, even if it is complete. */
  readonly moreRounds?: number;
}

/** The refinements of this window. */
export class Refinements extends FolderRuns<RunningRefinement> {
  constructor(
    private readonly engine: EngineClient,
    log: vscode.LogOutputChannel,
    onStudyChanged: () => void,
  ) {
    super(log, onStudyChanged);
  }

  /** Builds, runs and decides until the end. Precondition: the workspace is trusted and the user agreed to its commands. */
  start(
    folder: vscode.WorkspaceFolder,
    request: RefinementRequest,
    onLine?: (line: string) => void,
  ): Promise<RefineResult> {
    const { engine } = this;
    let { iterations } = beginning(request);
    return this.run(
      folder,
      beginning(request),
      async function* (hooks): AsyncGenerator<WorkStep<RunningRefinement, RefineResult>> {
        const options = { workspace: folder.uri.fsPath, ...request };
        for await (const part of engine.follow('refine', options, hooks)) {
          if (part.kind === 'result') yield { result: part.result };
          else if (part.kind === 'study') yield { change: { studyDirectory: part.directory } };
          else yield { change: { iterations: (iterations = [...iterations, part.iteration]) } };
        }
      },
      onLine,
    );
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
}

function beginning({ target }: RefinementRequest): RunningRefinement {
  return { phase: 'building', target, message: l10n.t`Preparing ${target}`, iterations: [], stopping: false };
}
