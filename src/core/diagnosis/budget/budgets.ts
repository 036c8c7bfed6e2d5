import type { Budget } from '../search/messages';
import { admits, neverFits, type SchedulerLimits } from './admission';
import { noCost, type CostReport } from './costReport';
import type { HostCosts, Reservation } from './hostCosts';

/** The budget of an agent's own search: each request is charged to the processes of its focus. */
export class LocalBudget implements Budget {
  private readonly reservations = new Map<number, Reservation>();

  /** @param processesOf positions of the processes in which an experiment is measured */
  constructor(
    private readonly costs: HostCosts,
    private readonly processesOf: (experiment: number) => readonly number[],
  ) {}

  readonly admit = (experiment: number, cost: number): 'admitted' | 'later' | 'never' => {
    const outcome = this.costs.admit('local', cost, this.processesOf(experiment));
    if (typeof outcome === 'string') return outcome;
    this.reservations.set(experiment, outcome);
    return 'admitted';
  };

  readonly visible = (experiment: number): void => {
    const reservation = this.reservations.get(experiment);
    if (reservation !== undefined) this.costs.arrive(reservation);
  };

  readonly release = (experiment: number): void => {
    const reservation = this.reservations.get(experiment);
    if (reservation !== undefined) this.costs.release(reservation);
    this.reservations.delete(experiment);
  };

  /** The agent observes each process by itself. */
  readonly observe = (): void => undefined;
}

/**
 * The front end's budget for requests that all processes must satisfy at about the same time, or none: it decides alone, by the largest costs that
 * were reported and what it has requested since ([D 5.2.1], [D 5.2.2]). All processes act alike on its decisions.
 */
export class GlobalBudget implements Budget {
  private readonly pending = new Map<number, number>();
  private pendingCost = 0;
  private report: CostReport = noCost;
  private waiting = false;

  /** @param margin share of the time that hosts may have added to their reports */
  constructor(
    private readonly limits: SchedulerLimits,
    private readonly margin: number,
  ) {}

  /** Whether a request of all processes waits: then no host lets local ones borrow. */
  get isWaiting(): boolean {
    return this.waiting;
  }

  /** The largest costs, as they have arrived. Must come before the sample that they travelled with. */
  hear(report: CostReport): void {
    this.report = report;
  }

  readonly admit = (experiment: number, cost: number): 'admitted' | 'later' | 'never' => {
    const limits = { ...this.limits, capacity: this.limits.capacity - this.margin };
    if (neverFits(limits, 'global', cost)) return 'never';
    const { local, global, total, isLocalWaiting } = this.report;
    const use = { local, global: global + this.pendingCost, total: total + this.pendingCost };
    this.waiting = !admits(limits, use, 'global', cost, isLocalWaiting);
    if (this.waiting) return 'later';
    this.pending.set(experiment, cost);
    this.pendingCost += cost;
    return 'admitted';
  };

  readonly visible = (experiment: number): void => this.settle(experiment);

  readonly release = (experiment: number): void => this.settle(experiment);

  /** Costs arrive as reports. */
  readonly observe = (): void => undefined;

  private settle(experiment: number): void {
    this.pending.delete(experiment);
    this.pendingCost = 0;
    for (const cost of this.pending.values()) this.pendingCost += cost;
  }
}
