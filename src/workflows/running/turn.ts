import { setImmediate } from 'node:timers/promises';

export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** Lets messages in between two steps of long work, such as its cancellation. @throws if it is cancelled */
export async function turn({ signal }: Cancellable): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
