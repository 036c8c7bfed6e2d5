import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  admits,
  dynamicLimits,
  fixedLimits,
  neverFits,
  onlyClass,
  type SchedulerLimits,
} from '../../../../../src/core/diagnosis/budget/admission';
import { HostCosts, type Reservation } from '../../../../../src/core/diagnosis/budget/hostCosts';
import { shareOfSlowDown } from '../../../../../src/core/diagnosis/search/costThrottle';
import { QueuedRequests } from './scheduler';

const twos = (count: number): readonly number[] => Array.from({ length: count }, () => 2);

/** Costs are multiples of a quarter percent, so that none is lost to rounding. */
const anyCost = fc.integer({ min: 1, max: 40 }).map((quarters) => quarters / 4);
const anyWorkload = fc.array(
  fc.record({
    of: fc.constantFrom('local' as const, 'global' as const),
    cost: anyCost,
    /** Requests that end before it arrives. */
    ends: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 40 },
);
const both = [dynamicLimits(20), fixedLimits(20)];

describe('the scheduler of local and global requests', () => {
  test('D6: while the other class has asked for nothing, each may borrow at once, and no report says that something waits', () => {
    for (const of of ['local', 'global'] as const) {
      const costs = new HostCosts(dynamicLimits(20), 1);
      expect(costs.report().isLocalWaiting).toBe(false);
      expect(costs.admit(of, 16)).toMatchObject({ of, cost: 16 });
    }
  });

  test('D6: the timeline of the example, with borrowing', () => {
    const process = new QueuedRequests(dynamicLimits(20));
    process.request('local', ...twos(12));
    process.request('global', ...twos(5));
    process.pump();
    expect(process.state, 'T1: both at the soft limit').toEqual([10, 10, 7, 0]);
    process.release('global', 6);
    process.pump();
    expect(process.state, 'T3: local has borrowed up to the hard limit').toEqual([16, 4, 4, 0]);
    process.request('global', 2);
    process.pump();
    expect(process.state, 'T4: nothing is taken from who has it').toEqual([16, 4, 4, 1]);
    process.release('local', 2);
    process.pump();
    expect(process.state, 'T5: what is free goes to the class below its soft limit').toEqual([14, 6, 4, 0]);
    process.request('global', 2, 2);
    process.pump();
    process.release('local', 2);
    process.pump();
    expect(process.state, 'T6: local does not borrow while global waits').toEqual([12, 8, 4, 1]);
  });

  test('D6: in a fixed partition, 6 of 20 stay unused where nothing may be borrowed', () => {
    const process = new QueuedRequests(fixedLimits(20));
    process.request('local', ...twos(12));
    process.request('global', ...twos(5));
    process.pump();
    process.release('global', 6);
    process.pump();
    expect(process.state).toEqual([10, 4, 7, 0]);
  });

  test('D6: in 10⁴ random workloads no request starves, and the capacity is never exceeded', () => {
    fc.assert(
      fc.property(anyWorkload, fc.constantFrom(...both), (workload, limits) => {
        const process = new QueuedRequests(limits);
        const most = { local: 0, global: 0, total: 0 };
        const check = (): void => {
          process.pump();
          const use = process.costs.use(0);
          for (const of of ['local', 'global', 'total'] as const) most[of] = Math.max(most[of], use[of]);
        };
        for (const { of, cost, ends } of workload) {
          for (let i = 0; i < ends; i++) process.releaseOldest(i % 2 === 0 ? 'local' : 'global');
          process.request(of, cost);
          check();
        }
        // Requests end, and no new ones come: each that waits is served.
        while (process.releaseOldest('local') || process.releaseOldest('global')) check();
        expect(process.queues).toEqual({ local: [], global: [] });
        expect(most.total).toBeLessThanOrEqual(limits.capacity + 1e-6);
        expect(most.local).toBeLessThanOrEqual(limits.local.hard + 1e-6);
        expect(most.global).toBeLessThanOrEqual(limits.global.hard + 1e-6);
      }),
      { numRuns: 10_000 },
    );
  });

  test('D6: a request up to the soft limit is served though the other class never stops asking', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('local' as const, 'global' as const),
        anyCost,
        fc.array(anyCost, { minLength: 1, maxLength: 10 }),
        fc.constantFrom(...both),
        (of, cost, others, limits) => {
          const other = of === 'local' ? 'global' : 'local';
          const process = new QueuedRequests(limits);
          process.request(other, ...others);
          process.pump();
          process.request(of, cost);
          for (let step = 0; step < 100 && process.queues[of].length > 0; step++) {
            process.request(other, others[step % others.length]!);
            process.releaseOldest(other);
            process.pump();
          }
          expect(process.queues[of]).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('P7: a request that does not fit alone is never admitted, one as large as the limit is', () => {
    const limits = dynamicLimits(20);
    expect([16, 16.1].map((cost) => neverFits(limits, 'local', cost))).toEqual([false, true]);
    expect(new HostCosts(limits, 2).admit('global', 17)).toBe('never');
    expect(new HostCosts(limits, 2).admit('global', 16)).toMatchObject({ of: 'global', cost: 16 });
    expect(neverFits(onlyClass('local', 20), 'local', 20)).toBe(false);
    expect(neverFits(onlyClass('local', 20), 'global', 0.1)).toBe(true);
  });

  test('a slow-down by 1.5 is a third of the time', () => {
    expect(shareOfSlowDown(1.5)).toBeCloseTo(1 / 3, 12);
    expect(shareOfSlowDown(1.25)).toBeCloseTo(0.2, 12);
  });

  test.each([
    ['fits below the soft limit, whoever waits', { local: 8, global: 4 }, 2, true, true],
    ['borrows what the other class does not need', { local: 10, global: 4 }, 2, false, true],
    ['does not borrow while the other class waits', { local: 10, global: 4 }, 2, true, false],
    ['does not borrow from a class at its soft limit', { local: 10, global: 10 }, 0.1, false, false],
    ['does not borrow beyond the hard limit', { local: 15, global: 0 }, 2, false, false],
  ])('D6: a local request %s', (_, use, cost, isOtherWaiting, expected) => {
    const all = { ...use, total: use.local + use.global };
    expect(admits(dynamicLimits(20), all, 'local', cost, isOtherWaiting)).toBe(expected);
  });
});

describe('costs of the processes of a host', () => {
  const unlimited: SchedulerLimits = onlyClass('local', 1);
  const admitted = (costs: HostCosts, cost: number, processes?: readonly number[]): Reservation => {
    const outcome = costs.admit('local', cost, processes);
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome;
  };

  test('D5: each process has its own cost, and a request must fit into each of its processes', () => {
    const costs = new HostCosts(onlyClass('local', 0.3), 2);
    admitted(costs, 0.2, [0]);
    expect([0, 1].map((process) => costs.use(process).total)).toEqual([0.2, 0]);
    expect(costs.admit('local', 0.2)).toBe('later');
    admitted(costs, 0.2, [1]);
    expect(costs.report()).toEqual({ local: 0.2, global: 0, total: 0.2, isLocalWaiting: false });
  });

  test('the predicted cost counts until an observation contains it', () => {
    const costs = new HostCosts(unlimited, 1);
    const first = admitted(costs, 0.1);
    costs.observe([0.01]);
    expect(costs.use(0).total, 'no data of it yet').toBeCloseTo(0.11);
    costs.arrive(first);
    expect(costs.use(0).total, 'not yet in the observed share').toBeCloseTo(0.11);
    costs.observe([0.06]);
    expect(costs.use(0)).toEqual({ local: 0.06, global: 0, total: 0.06 });
    const second = admitted(costs, 0.2);
    expect(costs.use(0).total).toBeCloseTo(0.26);
    costs.release(first);
    expect(costs.use(0).total, 'observed with the first one until the next observation').toBeCloseTo(0.26);
    costs.observe([0]);
    costs.release(second);
    costs.release(second);
    expect(costs.use(0).total).toBeCloseTo(0);
  });

  test('an observed cost is split over the classes as it was predicted', () => {
    const costs = new HostCosts(dynamicLimits(1), 1);
    costs.arrive(admitted(costs, 0.1));
    costs.arrive(costs.reserve('global', 0.3));
    costs.observe([0.2]);
    expect(costs.use(0).local).toBeCloseTo(0.05);
    expect(costs.use(0).global).toBeCloseTo(0.15);
    expect(costs.use(0).total).toBeCloseTo(0.2);
  });
});
