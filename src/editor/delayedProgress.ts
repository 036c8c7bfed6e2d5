import * as vscode from 'vscode';

/** What is over sooner shows no progress: a notification that flashes up is worse than none. */
const quietMilliseconds = 400;

/** Does `work`; when it takes longer than a moment, a notification says what is done and can cancel it. */
export async function withDelayedProgress<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const done = work(abort.signal);
  const timer = setTimeout(() => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (_, token) => {
        const subscription = token.onCancellationRequested(() => abort.abort());
        await done.then(
          () => undefined,
          () => undefined,
        );
        subscription.dispose();
      },
    );
  }, quietMilliseconds);
  try {
    return await done;
  } finally {
    clearTimeout(timer);
  }
}
