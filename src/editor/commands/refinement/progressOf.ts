import type * as vscode from 'vscode';
import type { FollowProgress } from '../../base/delayedProgress';
import type { FolderRuns, RunningWork } from '../../state/runs/folderRuns';
import { ProgressSteps } from './progressSteps';

/** Follows the work of a folder for a notification. */
export function progressOf<Running extends RunningWork>(
  runs: FolderRuns<Running>,
  folder: vscode.WorkspaceFolder,
): FollowProgress {
  return (report) => {
    const steps = new ProgressSteps();
    const tell = (): void => {
      const state = runs.stateOf(folder);
      if (state.phase !== 'idle') report(steps.next(state));
    };
    tell();
    return runs.onDidChange((changed) => {
      if (changed === folder) tell();
    });
  };
}
