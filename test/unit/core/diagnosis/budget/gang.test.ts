import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dynamicLimits, fixedLimits, onlyClass } from '../../../../../src/core/diagnosis/budget/admission';
import { GlobalBudget, LocalBudget } from '../../../../../src/core/diagnosis/budget/budgets';
import { CostMaxima, noCost, type CostReport } from '../../../../../src/core/diagnosis/budget/costReport';
import { HostCosts, type Reservation } from '../../../../../src/core/diagnosis/budget/hostCosts';
import { randomNumbers } from '../../../../../src/core/randomNumbers';

const [processes, margin] = [2, 2];

/** A host whose reports and orders are under way for some steps, in their order. */
class DistantHost {
  readonly costs: HostCosts;
  readonly global = new Map<number, Reservation>();
  private readonly local: Reservation[] = [];
  private readonly up: {
    readonly at: number;
    readonly report: CostReport;
    readonly has: ReadonlySet<number>;
  }[] = [];
  private readonly down: { readonly at: number; readonly order: () => void }[] = [];

  constructor(
    limits: ReturnType<typeof dynamicLimits>,
    readonly delay: number,
    mostDelay: number,
  ) {
    this.costs = new HostCosts(limits, processes, { reports: 2 * mostDelay + 2, margin });
  }

  order(step: number, order: () => void): void {
    this.down.push({ at: step + this.delay, order });
  }

  step(step: number, random: () => number): void {
    while (this.down[0] !== undefined && this.down[0].at <= step) this.down.shift()?.order();
    if (random() < 0.4 && this.local.length > 0)
      this.costs.release(this.local.splice(Math.floor(random() * this.local.length), 1)[0]!);
    for (let i = 0; i < 2; i++) {
      const outcome = this.costs.admit('local', 0.25 + random() * 4, random() < 0.5 ? [0] : undefined);
      if (typeof outcome !== 'string') this.local.push(outcome);
    }
    this.up.push({
      at: step + this.delay,
      report: this.costs.report(),
      has: new Set(this.global.keys()),
    });
  }

  /** What arrives at the front end. */
  arrived(step: number): { readonly report: CostReport; readonly has: ReadonlySet<number> } | undefined {
    let last;
    while (this.up[0] !== undefined && this.up[0].at <= step) last = this.up.shift();
    return last;
  }
}

describe('requests of all processes', () => {
  test('D6: a global request is active in all processes or in none, and no process exceeds the capacity, however late reports and orders are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 }),
        fc.integer(),
        fc.constantFrom(dynamicLimits(20), fixedLimits(20)),
        (delays, seed, limits) => {
          const random = randomNumbers(seed);
          const hosts = delays.map((delay) => new DistantHost(limits, delay, Math.max(...delays)));
          const budget = new GlobalBudget(limits, margin);
          const maxima = new CostMaxima();
          const active = new Set<number>();
          const heard = hosts.map(() => new Set<number>() as ReadonlySet<number>);
          let next = 0;
          let admitted = 0;
          let most = 0;
          for (let step = 0; step < 120; step++) {
            hosts.forEach((host, i) => {
              const arrived = host.arrived(step);
              if (arrived === undefined) return;
              heard[i] = arrived.has;
              budget.hear(maxima.update(i, arrived.report));
            });
            for (const id of active) if (heard.every((has) => has.has(id))) budget.visible(id);
            const oldest = [...active][0];
            if (step < 110 && random() < 0.2 && oldest !== undefined) {
              active.delete(oldest);
              budget.release(oldest);
              for (const host of hosts)
                host.order(step, () => {
                  host.costs.release(host.global.get(oldest)!);
                  host.global.delete(oldest);
                });
            }
            const cost = 0.25 + random() * 3;
            if (step < 110 && budget.admit(next, cost) === 'admitted') {
              const id = next++;
              admitted++;
              active.add(id);
              for (const host of hosts)
                host.order(step, () => host.global.set(id, host.costs.reserve('global', cost)));
            }
            for (const host of hosts) {
              host.costs.setWaiting('global', budget.isWaiting);
              host.step(step, random);
              for (let process = 0; process < processes; process++)
                most = Math.max(most, host.costs.use(process).total);
            }
          }
          for (const host of hosts) expect(new Set(host.global.keys())).toEqual(active);
          expect(most).toBeLessThanOrEqual(limits.capacity + 1e-6);
          expect(admitted).toBeGreaterThan(3);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('D6: what was requested counts until reports contain it, and a part of the capacity stays free', () => {
    const budget = new GlobalBudget(dynamicLimits(20), margin);
    expect(budget.admit(0, 17)).toBe('never');
    expect(budget.admit(1, 8)).toBe('admitted');
    expect([budget.admit(2, 12), budget.isWaiting]).toEqual(['later', true]);
    expect([budget.admit(2, 8), budget.isWaiting]).toEqual(['admitted', false]);
    budget.hear({ local: 3, global: 16, total: 19, isLocalWaiting: false });
    for (const id of [1, 2]) budget.visible(id);
    budget.release(1);
    expect(budget.admit(3, 1), 'still reported').toBe('later');
    budget.hear({ local: 3, global: 8, total: 11, isLocalWaiting: false });
    expect(budget.admit(3, 7.1), 'the margin').toBe('later');
    expect(budget.admit(3, 7)).toBe('admitted');
  });

  test('D6: a front end does not borrow while a host has a local request that waits', () => {
    const budget = new GlobalBudget(dynamicLimits(20), 0);
    const report = { ...noCost, global: 9, total: 9 };
    budget.hear({ ...report, isLocalWaiting: true });
    expect(budget.admit(1, 2)).toBe('later');
    budget.hear(report);
    expect(budget.admit(1, 2)).toBe('admitted');
  });

  test('D6: a host announces what would surprise the front end, and begins it when all reports in use contain it', () => {
    const costs = new HostCosts(dynamicLimits(20), 1, { reports: 2, margin });
    expect(typeof costs.admit('local', 2)).toBe('object');
    expect(costs.admit('local', 1)).toBe('later');
    expect(costs.report()).toEqual({ local: 3, global: 0, total: 3, isLocalWaiting: true });
    expect(costs.admit('local', 1), 'an older report is in use').toBe('later');
    costs.report();
    expect(typeof costs.admit('local', 1)).toBe('object');
    expect(costs.report()).toEqual({ local: 3, global: 0, total: 3, isLocalWaiting: false });
    costs.admit('local', 6);
    costs.setWaiting('local', false);
    expect(costs.report().local, 'no longer wanted').toBe(3);
  });
});

describe('the budget of a search on a host', () => {
  test('charges the processes of the focus, once for each experiment', () => {
    const costs = new HostCosts(onlyClass('local', 10), 2);
    const budget = new LocalBudget(costs, (experiment) => (experiment === 0 ? [0, 1] : [1]));
    expect([budget.admit(0, 4), budget.admit(1, 4), budget.admit(2, 4), budget.admit(3, 11)]).toEqual([
      'admitted',
      'admitted',
      'later',
      'never',
    ]);
    expect([0, 1].map((process) => costs.use(process).local)).toEqual([4, 8]);
    budget.visible(0);
    budget.release(0);
    budget.release(0);
    budget.visible(0);
    expect([0, 1].map((process) => costs.use(process).local)).toEqual([0, 4]);
    expect(budget.admit(2, 4)).toBe('admitted');
  });
});
