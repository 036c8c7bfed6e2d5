import * as vscode from 'vscode';
import { afterMoment } from './afterMoment';

/** What the progress of VS Code takes: words, and percent that are added to what is shown. */
export interface ProgressStep {
  readonly message: string;
  readonly increment: number;
}

/** Reports from now on; the first call tells how far the work has come already. */
export type FollowProgress = (report: (step: ProgressStep) => void) => vscode.Disposable;

/** Does `work`; when it takes longer than a moment, a notification says what is done and can cancel it. */
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
        for (const one of subscriptions) one.dispose();
      },
    );
  });
}
