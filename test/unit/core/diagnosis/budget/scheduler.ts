import { HostCosts, type Reservation } from '../../../../../src/core/diagnosis/budget/hostCosts';
import type { CostClass, SchedulerLimits } from '../../../../../src/core/diagnosis/budget/admission';

/** Requests of both classes in one process, each class first come, first served: global ones are looked at first, as in the oracle. */
export class QueuedRequests {
  readonly costs: HostCosts;
  readonly queues: Record<CostClass, number[]> = { local: [], global: [] };
  private readonly active: Record<CostClass, Reservation[]> = { local: [], global: [] };

  constructor(limits: SchedulerLimits) {
    this.costs = new HostCosts(limits, 1);
  }

  request(of: CostClass, ...costs: readonly number[]): void {
    this.queues[of].push(...costs);
  }

  /** Ends active requests of a class, the oldest first, up to a cost. */
  release(of: CostClass, cost: number): void {
    for (let left = cost; left > 1e-9;) {
      const oldest = this.active[of].shift();
      if (oldest === undefined) throw new Error(`nothing of ${of} is active`);
      left -= oldest.cost;
      this.costs.release(oldest);
    }
  }

  /** Ends the oldest active request. @returns whether there was one */
  releaseOldest(of: CostClass): boolean {
    const oldest = this.active[of].shift();
    if (oldest !== undefined) this.costs.release(oldest);
    return oldest !== undefined;
  }

  pump(): void {
    for (const of of ['local', 'global'] as const) this.costs.setWaiting(of, this.queues[of].length > 0);
    for (let moved = true; moved;) {
      moved = false;
      for (const of of ['global', 'local'] as const) {
        const [cost] = this.queues[of];
        const outcome = cost === undefined ? 'later' : this.costs.admit(of, cost);
        if (typeof outcome === 'string') continue;
        this.queues[of].shift();
        this.active[of].push(outcome);
        this.costs.setWaiting(of, this.queues[of].length > 0);
        moved = true;
      }
    }
  }

  /** Used by local and global requests, and those that wait. */
  get state(): readonly [local: number, global: number, localWaiting: number, globalWaiting: number] {
    const { local, global } = this.costs.use(0);
    return [local, global, this.queues.local.length, this.queues.global.length];
  }
}
