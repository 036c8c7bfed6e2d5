import { atFloat } from '../../at';
import {
  admits,
  neverFits,
  otherClass,
  tolerance,
  type CostClass,
  type CostUse,
  type SchedulerLimits,
} from './admission';
import type { CostReport } from './costReport';

type ReservationState = 'pending' | 'arriving' | 'contained' | 'released';

/** The cost of one request in some processes of a host, until it is released. Only `HostCosts` changes it. */
export interface Reservation {
  readonly of: CostClass;
  readonly cost: number;
  /** Positions of the processes. */
  readonly processes: readonly number[];
  state: ReservationState;
}

/** How the front end may rely on reports of the past ([D 5.2.1]: they are stale by the depth of the tree). */
export interface Staleness {
  /** Reports that the front end may still go by; 0 where nobody relies on reports. */
  readonly reports: number;
  /** Cost that may have been added locally since any of them: what the front end leaves free. */
  readonly margin: number;
}

/**
 * What measuring costs in each process of one host: the part of the vector of costs that an agent keeps ([D 5.2.1]). What was predicted for a request
 * counts until the observed cost contains it; that is split over the classes in proportion to what was predicted of what it contains.
 *
 * A request of all processes is admitted at the front end from reports, so that a host must not add more than the margin to what it has
 * reported. A local request that would do so is reported first, as if it were admitted, and admitted when all reports in use contain it.
 */
export class HostCosts {
  private readonly sums: Record<Exclude<ReservationState, 'released'>, Record<CostClass, Float64Array>>;
  /** Observed share of each process; until there is one, predictions stand for it. */
  private observed: Float64Array | undefined;
  private readonly arriving = new Set<Reservation>();
  private readonly waiting = { local: false, global: false };
  /** Local use of each process in the last reports. */
  private readonly reported: Float64Array[] = [];
  private announced: { readonly cost: number; readonly processes: readonly number[] } | undefined;
  private readonly all: readonly number[];

  constructor(
    readonly limits: SchedulerLimits,
    readonly processCount: number,
    private readonly staleness: Staleness = { reports: 0, margin: 0 },
  ) {
    const zeros = (): Record<CostClass, Float64Array> => ({
      local: new Float64Array(processCount),
      global: new Float64Array(processCount),
    });
    this.sums = { pending: zeros(), arriving: zeros(), contained: zeros() };
    this.all = Array.from({ length: processCount }, (_, position) => position);
  }

  /**
   * Reserves the cost in the processes (all of them, unless named) if it fits into each; `never` if it would not with nothing else measured.
   * From `later` until something of the class is admitted, or `setWaiting`, a request of the class waits.
   */
  admit(of: CostClass, cost: number, processes = this.all): Reservation | 'later' | 'never' {
    if (neverFits(this.limits, of, cost)) return 'never';
    const isOtherWaiting = this.waiting[otherClass(of)];
    const fits = processes.every((process) =>
      admits(this.limits, this.use(process), of, cost, isOtherWaiting),
    );
    if (of === 'local') this.announced = undefined;
    this.waiting[of] = !fits || (of === 'local' && !this.isForeseen(cost, processes));
    return this.waiting[of] ? 'later' : this.reserve(of, cost, processes);
  }

  /** Reserves without a question: the front end has admitted a request of all processes, and each honours that. */
  reserve(of: CostClass, cost: number, processes = this.all): Reservation {
    const reservation: Reservation = { of, cost, processes, state: 'pending' };
    this.add(reservation, 'pending');
    return reservation;
  }

  /** Data of it arrive: the next observation contains it. */
  arrive(reservation: Reservation): void {
    if (reservation.state !== 'pending') return;
    this.move(reservation, 'arriving');
    this.arriving.add(reservation);
  }

  release(reservation: Reservation): void {
    if (reservation.state === 'released') return;
    this.arriving.delete(reservation);
    this.subtract(reservation);
    reservation.state = 'released';
  }

  /** @param shares of the processor's time that went into measuring, for each process */
  observe(shares: ArrayLike<number>): void {
    this.observed = Float64Array.from(shares);
    for (const reservation of this.arriving) this.move(reservation, 'contained');
    this.arriving.clear();
  }

  setWaiting(of: CostClass, waiting: boolean): void {
    this.waiting[of] = waiting;
    if (of === 'local' && !waiting) this.announced = undefined;
  }

  isWaiting(of: CostClass): boolean {
    return this.waiting[of];
  }

  use(process: number): CostUse {
    const contained = (of: CostClass): number => atFloat(this.sums.contained[of], process);
    const predicted = contained('local') + contained('global');
    const observed = this.observed === undefined ? predicted : atFloat(this.observed, process);
    const scale = predicted > tolerance ? observed / predicted : 0;
    const used = (of: CostClass): number =>
      atFloat(this.sums.pending[of], process) +
      atFloat(this.sums.arriving[of], process) +
      scale * contained(of);
    const [local, global] = [used('local'), used('global')];
    return { local, global, total: local + global + (predicted > tolerance ? 0 : observed) };
  }

  /** The largest use of the processes, for the front end. */
  report(): CostReport {
    const uses = this.all.map((process) => this.use(process));
    const announced = Float64Array.from(this.all, (process) =>
      this.announced?.processes.includes(process) === true ? this.announced.cost : 0,
    );
    const locals = Float64Array.from(uses, ({ local }, process) => local + atFloat(announced, process));
    this.reported.push(locals);
    if (this.reported.length > this.staleness.reports) this.reported.shift();
    return {
      local: Math.max(...locals),
      global: Math.max(...uses.map(({ global }) => global)),
      total: Math.max(...uses.map(({ total }, process) => total + atFloat(announced, process))),
      isLocalWaiting: this.waiting.local,
    };
  }

  /** Whether the front end knows of a request, or has left room for it, whichever of the reports it goes by. */
  private isForeseen(cost: number, processes: readonly number[]): boolean {
    if (this.staleness.reports === 0) return true;
    const isForeseen = processes.every((process) => {
      const known = this.reported.length < this.staleness.reports ? 0 : Infinity;
      const least = this.reported.reduce((sum, locals) => Math.min(sum, atFloat(locals, process)), known);
      return this.use(process).local + cost <= least + this.staleness.margin + tolerance;
    });
    if (!isForeseen) this.announced = { cost, processes };
    return isForeseen;
  }

  private add(reservation: Reservation, state: 'pending' | 'arriving' | 'contained'): void {
    const sums = this.sums[state][reservation.of];
    for (const process of reservation.processes) sums[process] = atFloat(sums, process) + reservation.cost;
    reservation.state = state;
  }

  private subtract({ of, cost, processes, state }: Reservation): void {
    if (state === 'released') return;
    const sums = this.sums[state][of];
    for (const process of processes) sums[process] = atFloat(sums, process) - cost;
  }

  private move(reservation: Reservation, state: 'arriving' | 'contained'): void {
    this.subtract(reservation);
    this.add(reservation, state);
  }
}
