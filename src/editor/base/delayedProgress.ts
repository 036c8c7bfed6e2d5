import * as vscode from 'vscode';
import { afterMoment } from './afterMoment';

/** A progress report of VS Code: a message, and percent to add to the bar. */
export interface ProgressStep {
  readonly message: string;
  readonly increment: number;
}

/** Starts reporting; the first report has the progress so far. */
export type FollowProgress = (report: (step: ProgressStep) => void) => vscode.Disposable;

/** Does `work`; if it takes longer than a moment, a notification shows its progress and can cancel it. */
export function withDelayedProgress<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
  follow?: FollowProgress,
): Promise<Result> {
  const abort = new AbortController();
  return afterMoment(work(abort.signal), (over) => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const subscriptions = [
          token.onCancellationRequested(() => abort.abort()),
          ...(follow === undefined ? [] : [follow((step) => progress.report(step))]),
        ];
        await over;
        for (const subscription of subscriptions) subscription.dispose();
      },
    );
  });
}
