/** Requests for one process or host, and requests for all of them at once. */
export type CostClass = 'local' | 'global';

/** Shares of a process's time. Up to the soft limit a class is served; up to the hard one it may borrow what the other does not need. */
export interface ClassLimits {
  readonly soft: number;
  readonly hard: number;
}

/** What measuring may cost in each process, by class; the soft limits add up to the capacity. */
export interface SchedulerLimits {
  /** Share of the process's time: 1/3 for a slow-down by 1.5. */
  readonly capacity: number;
  readonly local: ClassLimits;
  readonly global: ClassLimits;
}

/** What measuring costs in a process, as shares of its time. */
export interface CostUse {
  readonly local: number;
  readonly global: number;
  /** All of it, with what belongs to neither class. */
  readonly total: number;
}

/** Costs are sums of many fractions. */
export const tolerance = 1e-9;

/** Both classes have half of the capacity, and may borrow up to `hardShare` of it: the other is always left the rest. */
export function dynamicLimits(capacity: number, hardShare = 0.8): SchedulerLimits {
  const limits = { soft: capacity / 2, hard: capacity * hardShare };
  return { capacity, local: limits, global: limits };
}

/** A fixed partition: nothing is borrowed. */
export function fixedLimits(capacity: number): SchedulerLimits {
  return dynamicLimits(capacity, 0.5);
}

/** All of the capacity for one class, where the other one has no requests. */
export function onlyClass(of: CostClass, capacity: number): SchedulerLimits {
  const [all, nothing] = [
    { soft: capacity, hard: capacity },
    { soft: 0, hard: 0 },
  ];
  return { capacity, local: of === 'local' ? all : nothing, global: of === 'global' ? all : nothing };
}

export function otherClass(of: CostClass): CostClass {
  return of === 'local' ? 'global' : 'local';
}

/** Whether a request does not fit into a process even when nothing else is measured. */
export function neverFits(limits: SchedulerLimits, of: CostClass, cost: number): boolean {
  return cost > Math.min(limits[of].hard, limits.capacity) + tolerance;
}

/**
 * Whether a request of a class fits into a process ([D 5.2.2]). Nothing is taken from who has it: borrowing needs that the other class is below
 * its soft limit and that none of its requests waits.
 */
export function admits(
  limits: SchedulerLimits,
  use: CostUse,
  of: CostClass,
  cost: number,
  isOtherWaiting: boolean,
): boolean {
  if (use.total + cost > limits.capacity + tolerance) return false;
  const own = use[of] + cost;
  if (own <= limits[of].soft + tolerance) return true;
  const other = otherClass(of);
  return use[other] < limits[other].soft - tolerance && !isOtherWaiting && own <= limits[of].hard + tolerance;
}
