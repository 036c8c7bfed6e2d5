import type { Role } from '../control/configuration';
import type { ProcessLoad } from '../events';
import type { ProcessTotals } from '../members/processTotals';

/** Seconds of averages that are kept. */
const keptSeconds = 600;

/** Averages over the processes of a type, for a second. */
export interface TypeLoad extends ProcessLoad {
  /** Seconds since the network was made. */
  readonly seconds: number;
  readonly role: Role;
  /** How many processes have reported. */
  readonly processes: number;
}

/** What the tool itself uses (specification §3.6): the last second of each process, and the averages of each type over time. */
export class LoadMonitor {
  private readonly totals = new Map<number, { readonly at: number; readonly totals: ProcessTotals }>();
  private readonly last = new Map<number, { readonly role: Role; readonly load: ProcessLoad }>();
  private readonly history: TypeLoad[] = [];

  /** @param at seconds since the network was made */
  report(rank: number, role: Role, totals: ProcessTotals, at: number): void {
    const before = this.totals.get(rank);
    this.totals.set(rank, { at, totals });
    if (before === undefined || at <= before.at) return;
    const rate = (now: number, then: number): number => Math.max(0, now - then) / (at - before.at);
    this.last.set(rank, {
      role,
      load: {
        cpu: rate(totals.cpu, before.totals.cpu),
        bytesRead: rate(totals.bytesRead, before.totals.bytesRead),
        bytesWritten: rate(totals.bytesWritten, before.totals.bytesWritten),
        messages: rate(totals.messages, before.totals.messages),
        memory: totals.memory,
      },
    });
  }

  /** Sums since the start of a process. */
  totalsOf(rank: number): ProcessTotals | undefined {
    return this.totals.get(rank)?.totals;
  }

  loadOf(rank: number): ProcessLoad | undefined {
    return this.last.get(rank)?.load;
  }

  forget(rank: number): void {
    this.totals.delete(rank);
    this.last.delete(rank);
  }

  /** Closes a second. */
  average(seconds: number): void {
    for (const role of ['front-end', 'inner', 'back-end'] as const) {
      const loads = [...this.last.values()].filter((one) => one.role === role).map(({ load }) => load);
      if (loads.length === 0) continue;
      const mean = (of: (load: ProcessLoad) => number): number =>
        loads.reduce((sum, load) => sum + of(load), 0) / loads.length;
      this.history.push({
        seconds,
        role,
        processes: loads.length,
        cpu: mean(({ cpu }) => cpu),
        bytesRead: mean(({ bytesRead }) => bytesRead),
        bytesWritten: mean(({ bytesWritten }) => bytesWritten),
        messages: mean(({ messages }) => messages),
        memory: mean(({ memory }) => memory),
      });
    }
    this.history.splice(0, this.history.length - 3 * keptSeconds);
  }

  /** Averages per type and second, oldest first. */
  averages(): readonly TypeLoad[] {
    return this.history;
  }
}
