import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPreempted } from '../../../../src/core/series/preemptedTimes';

const sumAt = (times: readonly ArrayLike<number>[], i: number): number =>
  times.reduce((sum, values) => sum + (values[i] ?? NaN), 0);

/** @param lost by iteration, all of it known */
function left(
  times: readonly (readonly number[])[],
  lost: readonly number[],
): readonly (readonly number[])[] {
  const least = Float64Array.from(lost);
  const found = withoutPreempted(
    times.map((values) => Float64Array.from(values)),
    { least, most: least },
  );
  return found.map((values) => [...values]);
}

describe('times without what their thread was pre-empted', () => {
  it('lose it all together, and none gets longer or less than nothing', () => {
    const time = fc.double({ min: 0, max: 10, noNaN: true });
    const iteration = fc.record({
      times: fc.tuple(time, time, time),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(iteration, { minLength: 1, maxLength: 30 }), (iterations) => {
        const times = [0, 1, 2].map((region) => iterations.map(({ times: own }) => own[region] ?? 0));
        const lost = iterations.map(({ part }, i) => part * sumAt(times, i));
        const found = left(times, lost);
        for (const i of iterations.keys()) {
          expect(sumAt(found, i)).toBeCloseTo(sumAt(times, i) - (lost[i] ?? 0), 6);
          for (const [region, values] of found.entries()) {
            expect(values[i]).toBeGreaterThanOrEqual(0);
            expect(values[i]).toBeLessThanOrEqual(times[region]?.[i] ?? 0);
          }
        }
      }),
    );
  });

  it('are those of the region that was interrupted, where it is one', () => {
    const [solve, search] = [new Array<number>(20).fill(3), new Array<number>(20).fill(1)];
    [solve[4], search[9], search[10]] = [33, 31, 31];
    const lost = new Array<number>(20).fill(0).with(4, 30).with(9, 30).with(10, 30);
    const [a, b] = left([solve, search], lost);
    for (const i of solve.keys()) {
      expect(a?.[i]).toBeCloseTo(3, 9);
      expect(b?.[i]).toBeCloseTo(1, 9);
    }
  });

  it('are known even where a region is interrupted in every iteration from a change on', () => {
    // From the tenth on, it needs more than its turn.
    const solve = Array.from({ length: 20 }, (_, i) => (i < 10 ? 3 : 34));
    const search = new Array<number>(20).fill(2);
    const lost = solve.map((time) => (time === 34 ? 30 : 0));
    const [a, b] = left([solve, search], lost);
    expect(a?.slice(10).every((time) => Math.abs(time - 4) < 1e-9)).toBe(true);
    expect(b?.every((time) => Math.abs(time - 2) < 1e-9)).toBe(true);
  });

  it('are known in the first iterations although the same region is interrupted in each of them', () => {
    const assemble = new Array<number>(40).fill(2);
    const solve = assemble.map((_, i) => (i < 3 ? 21 : 1));
    const [a, b] = left(
      [assemble, solve],
      solve.map((time) => time - 1),
    );
    for (const i of assemble.keys()) {
      expect(a?.[i]).toBeCloseTo(2, 9);
      expect(b?.[i]).toBeCloseTo(1, 9);
    }
  });

  it('stay as long as they are where nothing was lost, also when they are long', () => {
    const solve = new Array<number>(20).fill(3).with(7, 12);
    expect(left([solve], new Array<number>(20).fill(0))).toEqual([solve]);
  });

  describe('which may be interruptions that look like waiting', () => {
    /** Long in the iteration 8, in which the thread waited for 40. */
    const solve = new Array<number>(20).fill(3).with(8, 20).with(3, 33);
    const found = (interrupted: boolean): readonly number[] => {
      const least = new Float64Array(20);
      if (interrupted) least[3] = 30;
      const most = least.slice();
      most[8] = 40;
      const [values = new Float64Array()] = withoutPreempted([Float64Array.from(solve)], { least, most });
      return [...values];
    };

    it('are not known where other programs interrupt often', () => {
      const values = found(true);
      expect(values[8]).toBeNaN();
      expect(values[3]).toBeCloseTo(3, 9);
      expect(values.filter(Number.isNaN)).toHaveLength(1);
    });

    it('are what they are where none does', () => {
      expect(found(false)).toEqual(solve);
    });
  });
});
