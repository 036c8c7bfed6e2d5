import { setImmediate } from 'node:timers/promises';

export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** Processes messages, such as a cancellation, between two steps of long work. @throws if it is cancelled */
export async function turn({ signal }: Cancellable): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
