import type { ContextList } from './iterationContexts';
import type { IterationValue } from './processIterations';

/** Time by estimate that visits of a context would add to its value in an iteration. */
export interface EstimatedTime {
  readonly value: IterationValue;
  readonly seconds: number;
}

/**
 * The estimates, reduced where they are more than what the caller has left for them: visits may be shorter in this iteration than in the mean of the
 * run, and callees never have more time than their caller (as in `estimateUntimed`, for the whole run). A caller of which no visit has ended has its time in a later
 * iteration, and limits nothing.
 * @param byContext values without any estimate
 */
export function withinCallers(
  estimates: readonly EstimatedTime[],
  byContext: ReadonlyMap<number, IterationValue>,
  contexts: Pick<ContextList, 'parentOf'>,
): readonly EstimatedTime[] {
  const callerOf = ({ context }: IterationValue): IterationValue | undefined => {
    const caller = byContext.get(contexts.parentOf(context) ?? -1);
    return caller === undefined || caller.timedVisits === 0 ? undefined : caller;
  };
  const requested = new Map<IterationValue, number>();
  for (const { value, seconds } of estimates) add(requested, callerOf(value), seconds);
  if (requested.size === 0) return estimates;
  const taken = new Map<IterationValue, number>();
  for (const value of byContext.values()) add(taken, callerOf(value), value.seconds);
  return estimates.map(({ value, seconds }) => {
    const caller = callerOf(value);
    if (caller === undefined) return { value, seconds };
    const room = caller.seconds - caller.waitingSeconds - (taken.get(caller) ?? 0);
    return { value, seconds: seconds * Math.min(1, Math.max(0, room) / (requested.get(caller) ?? 0) || 0) };
  });
}

function add(sums: Map<IterationValue, number>, key: IterationValue | undefined, seconds: number): void {
  if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + seconds);
}
