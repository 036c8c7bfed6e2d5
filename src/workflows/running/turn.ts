import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../../core/steps';

export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** Processes messages, such as a cancellation, between two steps of long work. @throws if it is cancelled */
export async function turn({ signal }: Cancellable): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Takes a turn after each step. @throws if it is cancelled */
export async function inTurns<Result>(steps: Steps<Result>, context: Cancellable): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn(context);
  }
}
