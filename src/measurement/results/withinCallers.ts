import type { ContextList } from './iterationContexts';
import type { IterationValue } from './processIterations';

/** Time by estimate that visits of a context would add to its value in an iteration. */
export interface EstimatedTime {
  readonly value: IterationValue;
  readonly seconds: number;
}

/** Estimates of one iteration that fit their callers. */
export interface FittedTimes {
  readonly fitted: readonly FittedTime[];
  /** What callers have left when all of their callees have what fits. */
  readonly spare: ReadonlyMap<IterationValue, number>;
}

interface FittedTime extends EstimatedTime {
  /** What was taken off. */
  readonly cut: number;
  /** Undefined where none limits it. */
  readonly caller: IterationValue | undefined;
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
): FittedTimes {
  const callerOf = ({ context }: IterationValue): IterationValue | undefined => {
    const caller = byContext.get(contexts.parentOf(context) ?? -1);
    return caller === undefined || caller.timedVisits === 0 ? undefined : caller;
  };
  const requested = new Map<IterationValue, number>();
  for (const { value, seconds } of estimates) add(requested, callerOf(value), seconds);
  const taken = new Map<IterationValue, number>();
  if (requested.size > 0) for (const value of byContext.values()) add(taken, callerOf(value), value.seconds);
  const roomOf = (caller: IterationValue): number =>
    Math.max(0, caller.seconds - caller.waitingSeconds - (taken.get(caller) ?? 0));
  const fitted = estimates.map(({ value, seconds }): FittedTime => {
    const caller = callerOf(value);
    if (caller === undefined) return { value, seconds, cut: 0, caller };
    const part = Math.min(1, roomOf(caller) / (requested.get(caller) ?? 0) || 0);
    return { value, seconds: seconds * part, cut: seconds * (1 - part), caller };
  });
  const left = [...requested].map(
    ([caller, seconds]) => [caller, Math.max(0, roomOf(caller) - seconds)] as const,
  );
  return { fitted, spare: new Map(left) };
}

/**
 * Gives the time that did not fit in some iterations to those in which the callers have some left, in proportion to it: a visit is longer there than in the
 * mean of the run, and the iterations together have what the run has.
 */
export class CutTimes {
  /** By context. */
  private readonly cut: number[] = [];
  /** By context of the caller. */
  private readonly cutBelow: number[] = [];
  private readonly spare: number[] = [];

  /** An iteration of the run: all of them have to be known before `spread` is asked for any. */
  learn({ fitted, spare }: FittedTimes): void {
    for (const { value, cut, caller } of fitted) {
      addAt(this.cut, value.context, cut);
      if (caller !== undefined) addAt(this.cutBelow, caller.context, cut);
    }
    for (const [caller, seconds] of spare) addAt(this.spare, caller.context, seconds);
  }

  /** What the visits of an iteration took. */
  spread({ fitted, spare }: FittedTimes): readonly EstimatedTime[] {
    return fitted.map(({ value, seconds, caller }) => {
      const here = caller === undefined ? 0 : (spare.get(caller) ?? 0);
      if (caller === undefined || here === 0) return { value, seconds };
      // More than there is to spare in all iterations stays cut.
      const all = Math.max(at(this.spare, caller.context), at(this.cutBelow, caller.context));
      return { value, seconds: seconds + (here / all) * at(this.cut, value.context) };
    });
  }
}

function add(sums: Map<IterationValue, number>, key: IterationValue | undefined, seconds: number): void {
  if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + seconds);
}

function addAt(sums: number[], context: number, seconds: number): void {
  sums[context] = at(sums, context) + seconds;
}

function at(sums: readonly number[], context: number): number {
  return sums[context] ?? 0;
}
