import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IterationValue } from '../../../../src/measurement/results/processIterations';
import { CutTimes, withinCallers } from '../../../../src/measurement/results/withinCallers';

const value = (context: number, seconds: number): IterationValue => ({
  context,
  visits: 1,
  timedVisits: 1,
  seconds,
  childEvents: 0,
  waitingSeconds: 0,
  counters: new Map(),
  preemptedSeconds: 0,
});
/** Two callees, 1 and 2, of one caller, 0. */
const contexts = { parentOf: (context: number): number | undefined => (context === 0 ? undefined : 0) };

/** Seconds of a callee's visits that were timed. */
const recordedOf = (caller: number): number => Math.floor(caller / 4);
const roomIn = (caller: number): number => caller - recordedOf(caller);

/** Seconds of the caller, and what the callees would take by the mean of the run. */
const iteration = fc.tuple(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 1000 }),
);

describe('estimates of iterations', () => {
  it('stay within their callers, and add up to those of the run where their callers have as much in all', () => {
    fc.assert(
      fc.property(fc.array(iteration, { minLength: 1, maxLength: 12 }), (iterations) => {
        const inEach = iterations.map(([caller, first, second]) => {
          const [above, one, two] = [value(0, caller), value(1, recordedOf(caller)), value(2, 0)];
          const estimates = [
            { value: one, seconds: first },
            { value: two, seconds: second },
          ];
          const all = new Map([above, one, two].map((own) => [own.context, own]));
          return withinCallers(estimates, all, contexts);
        });
        const cut = new CutTimes();
        for (const times of inEach) cut.learn(times);
        const sums = [0, 0];
        inEach.forEach((times, index) => {
          const seconds = cut.spread(times).map((own) => own.seconds);
          expect((seconds[0] ?? 0) + (seconds[1] ?? 0)).toBeLessThanOrEqual(
            roomIn(iterations[index]?.[0] ?? 0) + 1e-9,
          );
          seconds.forEach((own, at) => (sums[at] = (sums[at] ?? 0) + own));
        });
        const total = (at: 1 | 2): number => iterations.reduce((sum, own) => sum + own[at], 0);
        const wanted = total(1) + total(2);
        const room = iterations.reduce((sum, [caller]) => sum + roomIn(caller), 0);
        expect((sums[0] ?? 0) + (sums[1] ?? 0)).toBeCloseTo(Math.min(wanted, room), 6);
        if (wanted <= room) expect(sums[0]).toBeCloseTo(total(1), 6);
      }),
    );
  });

  it('are as they are where no visit of the caller has ended', () => {
    const [above, one] = [{ ...value(0, 5), timedVisits: 0 }, value(1, 0)];
    const times = withinCallers(
      [{ value: one, seconds: 70 }],
      new Map([
        [0, above],
        [1, one],
      ]),
      contexts,
    );
    expect(new CutTimes().spread(times)).toEqual([{ value: one, seconds: 70 }]);
  });
});
