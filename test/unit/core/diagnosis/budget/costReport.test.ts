import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CostMaxima, noCost, type CostReport } from '../../../../../src/core/diagnosis/budget/costReport';

const total = (share: number): CostReport => ({ ...noCost, total: share });

describe('the largest costs on their way to the front end', () => {
  test('D5: three children, updates 0:.04 1:.07 2:.05 1:.03 0:.02 give .04 .07 .07 .05 .05', () => {
    const maxima = new CostMaxima();
    const updates = [
      [0, 0.04],
      [1, 0.07],
      [2, 0.05],
      [1, 0.03],
      [0, 0.02],
    ] as const;
    expect(updates.map(([child, cost]) => maxima.update(child, total(cost)).total)).toEqual([
      0.04, 0.07, 0.07, 0.05, 0.05,
    ]);
  });

  test('D5: each figure is the largest by itself; one waiting process is enough', () => {
    const maxima = new CostMaxima();
    maxima.update(0, { local: 0.1, global: 0.2, total: 0.3, isLocalWaiting: true });
    expect(maxima.update(1, { local: 0.2, global: 0.05, total: 0.25, isLocalWaiting: false })).toEqual({
      local: 0.2,
      global: 0.2,
      total: 0.3,
      isLocalWaiting: true,
    });
    maxima.leave(0);
    expect(maxima.largest()).toEqual({ local: 0.2, global: 0.05, total: 0.25, isLocalWaiting: false });
    maxima.leave(1);
    expect(maxima.largest()).toEqual(noCost);
  });

  test('D5: what the front end knows is at most two sampling intervals old for each level of the tree', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 5, maxLength: 5 }),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (depth, phases, change) => {
          // Each level sends once per interval of 1 s, at a time of its own; what it heard since is in it. Sending takes up to an interval.
          const levels = Array.from({ length: depth }, () => new CostMaxima());
          let known = 0;
          const events = Array.from({ length: 30 * depth }, (_, i) => ({
            level: i % depth,
            time: Math.floor(i / depth) + phases[i % depth]!,
          })).sort((a, b) => a.time - b.time || b.level - a.level);
          let heard: number | undefined;
          for (const { level, time } of events) {
            if (level === 0) levels[0]!.update(0, total(time >= change ? 1 : 0));
            const largest = levels[level]!.largest();
            if (level + 1 < depth) levels[level + 1]!.update(0, largest);
            else known = largest.total;
            if (known === 1) heard ??= time;
          }
          expect(heard! - change).toBeLessThanOrEqual(2 * depth);
        },
      ),
    );
  });
});
