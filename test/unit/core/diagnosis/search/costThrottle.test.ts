import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CostThrottle, slowDown } from '../../../../../src/core/diagnosis/search/costThrottle';

describe('the cost throttle of one process', () => {
  test('P7: a slow-down of 1.5 is a third of the time', () => {
    expect(slowDown(1 / 3)).toBeCloseTo(1.5, 12);
    expect(slowDown(0.2)).toBe(1.25);
    expect(slowDown(0)).toBe(1);
    expect([slowDown(1), slowDown(1.5)]).toEqual([Infinity, Infinity]);
    expect(new CostThrottle(1.5).admit(0, 0.3333)).toBe('admitted');
    expect(new CostThrottle(1.5).admit(0, 1 / 3)).toBe('admitted');
    expect(new CostThrottle(1.5).admit(0, 0.3334)).toBe('never');
  });

  test('P7: what does not fit beside the others comes later, what never fits is told apart', () => {
    const throttle = new CostThrottle(1.5);
    expect(throttle.admit(0, 0.2)).toBe('admitted');
    expect(throttle.admit(1, 0.2)).toBe('later');
    expect(throttle.admit(2, 0.5)).toBe('never');
    expect(throttle.admit(3, 0.1)).toBe('admitted');
    throttle.release(0);
    expect(throttle.admit(1, 0.2)).toBe('admitted');
  });

  test('P7: the predicted cost counts until an observed cost can contain it', () => {
    const throttle = new CostThrottle(1.5);
    throttle.admit(0, 0.3);
    throttle.observe(0.01);
    expect(throttle.share).toBeCloseTo(0.31, 12);
    throttle.visible(0);
    expect(throttle.share).toBeCloseTo(0.31, 12);
    throttle.observe(0.05);
    expect(throttle.share).toBeCloseTo(0.05, 12);
    expect(throttle.admit(1, 0.3)).toBe('later');
    throttle.release(0);
    expect(throttle.share).toBeCloseTo(0.05, 12);
    throttle.observe(0);
    expect(throttle.admit(1, 0.3)).toBe('admitted');
    throttle.release(7);
    throttle.visible(7);
    expect(throttle.share).toBeCloseTo(0.3, 12);
  });

  test('P7: the limit is never passed in 1000 random sequences of requests, answers, removals and observations', () => {
    const steps = fc.array(
      fc.record({
        does: fc.constantFrom('admit', 'admit', 'visible', 'release', 'observe'),
        experiment: fc.nat(30),
        cost: fc.integer({ min: 0, max: 400 }).map((cost) => cost / 1000),
      }),
      { minLength: 1, maxLength: 120 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        const throttle = new CostThrottle(1.5);
        // What each experiment truly costs is what was predicted; an observation sees those whose data arrive.
        const costs = new Map<number, { readonly cost: number; visible: boolean }>();
        for (const { does, experiment, cost } of sequence) {
          const running = costs.get(experiment);
          if (does === 'admit' && running === undefined && throttle.admit(experiment, cost) === 'admitted')
            costs.set(experiment, { cost, visible: false });
          else if (does === 'visible' && running !== undefined) {
            running.visible = true;
            throttle.visible(experiment);
          } else if (does === 'release') {
            costs.delete(experiment);
            throttle.release(experiment);
          } else if (does === 'observe')
            throttle.observe(
              [...costs.values()].reduce((sum, { cost: one, visible }) => sum + (visible ? one : 0), 0),
            );
          const truly = [...costs.values()].reduce((sum, { cost: one }) => sum + one, 0);
          expect(slowDown(truly)).toBeLessThanOrEqual(1.5 + 1e-9);
          expect(throttle.share).toBeGreaterThanOrEqual(truly - 1e-9);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
