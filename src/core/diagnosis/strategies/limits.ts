import { dynamicLimits, fixedLimits, onlyClass, type SchedulerLimits } from '../budget/admission';
import { shareOfSlowDown } from '../search/costThrottle';
import type { SearchStart } from './messages';

/** What measuring may cost in each process: both classes are there only where both the front end and agents search. */
export function limitsOf({ strategy, costLimit, isBorrowing }: SearchStart): SchedulerLimits {
  const capacity = shareOfSlowDown(costLimit);
  if (strategy === 'truly distributed') return onlyClass('local', capacity);
  if (strategy === 'centralised') return onlyClass('global', capacity);
  return isBorrowing ? dynamicLimits(capacity) : fixedLimits(capacity);
}
