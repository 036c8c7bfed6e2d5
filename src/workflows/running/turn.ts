import { setImmediate } from 'node:timers/promises';

export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** Between two steps of long work: lets messages in, such as the one that cancels it. @throws when it is cancelled */
export async function turn({ signal }: Cancellable): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
