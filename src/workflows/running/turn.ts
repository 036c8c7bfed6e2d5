import { setImmediate } from 'node:timers/promises';
import type { ProgressSink } from '../../core/progress';
import type { Steps } from '../../core/steps';

export interface Cancellable {
  readonly signal?: AbortSignal;
}

/** Processes messages, such as a cancellation, between two steps of long work. @throws if it is cancelled */
export async function turn({ signal }: Cancellable): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Work that says how far it is. */
export interface Told extends Cancellable {
  readonly progress: ProgressSink;
}

/** Between two reports of how far work is, and before the first one: short work reports nothing. */
const leastSeconds = 1;
const parts = 20;

/** Takes a turn after each step, and reports how far long work is. @throws if it is cancelled */
export async function inTurns<Result>(steps: Steps<Result>, message: string, context: Told): Promise<Result> {
  let told = { part: 0, time: performance.now() };
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const fraction = step.value ?? 0;
    const [part, time] = [Math.floor(fraction * parts), performance.now()];
    if (part > told.part && time >= told.time + 1000 * leastSeconds) {
      context.progress.report({ message, fraction });
      told = { part, time };
    }
    await turn(context);
  }
}
