import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exclusiveDoubt,
  inclusiveDoubt,
  isTelling,
  type CorrectedRun,
} from '../../../../src/core/functions/doubt';
import { measuredTimes } from '../../../../src/core/functions/measuredRun';
import type { RegionTimes } from '../../../../src/core/functions/regionTimes';
import { randomRun } from './randomRuns';

const part = (seconds: number, takenSeconds: number, estimateDoubtSeconds = 0): RegionTimes => ({
  visits: 20_000,
  timedVisits: estimateDoubtSeconds > 0 ? 15_000 : 20_000,
  busiestRankVisits: 1,
  busiestVisits: 20_000,
  inclusiveSeconds: seconds,
  exclusiveSeconds: seconds,
  takenSeconds,
  ownTakenSeconds: takenSeconds,
  estimateDoubtSeconds,
  timedWithin: 0,
  callers: new Map(),
});

const run = (totalSeconds: number, takenSeconds: number, unexplainedSeconds = 0): CorrectedRun => ({
  totalSeconds,
  takenSeconds,
  unexplainedSeconds,
});

describe('the doubt in a share', () => {
  it('is nothing where nothing was taken off, and for the whole run', () => {
    expect(inclusiveDoubt(part(3, 0), run(10, 0))).toBe(0);
    expect(inclusiveDoubt(part(10, 5), run(10, 5, 2))).toBe(0);
  });

  it('is large where recording cost more than the function takes', () => {
    // A first run at + 250 %: 14 % of the time, of which nearly as much was taken off.
    expect(inclusiveDoubt(part(0.04, 0.1), run(0.28, 0.68)) / 0.28).toBeGreaterThan(0.1);
    // The same function beside little else.
    expect(inclusiveDoubt(part(0.04, 0.002), run(0.28, 0.01)) / 0.28).toBeLessThan(0.01);
  });

  it('is as much as the share would move if all costs were another, by what these may be', () => {
    const numbers = fc.double({ min: 0.05, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(numbers, numbers, numbers, (share, takenShare, costDoubt) => {
        const [seconds, here] = [10 * share, takenShare];
        const moved = (seconds - costDoubt * here) / (10 - costDoubt) - share; // one second was taken off in all
        const more = (doubt: number) =>
          inclusiveDoubt(part(seconds, here), { ...run(10, 1), costDoubt: doubt });
        expect((more(costDoubt) - more(0)) / 10).toBeCloseTo(Math.abs(moved), 1);
      }),
    );
    // Half of the run, in which nearly all of the recording was: a few points.
    const half = (costDoubt: number) => inclusiveDoubt(part(0.36, 0.085), { ...run(0.83, 0.09), costDoubt });
    expect((half(0.32) - half(0)) / 0.83).toBeCloseTo(0.018, 3);
  });

  it('is all where visits that are only counted hide what is recorded below them, but for the own time', () => {
    const counted = { ...part(3, 0, 0.4), exclusiveSeconds: 2 };
    expect(inclusiveDoubt(counted, run(10, 0))).toBe(10);
    expect(exclusiveDoubt(counted, run(10, 0))).toBeCloseTo(0.4);
    expect(inclusiveDoubt({ ...counted, timedVisits: counted.visits }, run(10, 0))).toBeLessThan(1);
  });

  it('covers a run that is mostly the cost of recording, which nobody can place', () => {
    // The program takes 1.2 s, a function of it 0.1 s; the corrected run takes 3.5 s, and none of what is too much lies in the function.
    const [total, unexplained] = [3.5, 2.3];
    const doubt = inclusiveDoubt(part(0.1, 0.02), run(total, 3.3, unexplained));
    expect((0.1 + doubt) / total).toBeGreaterThanOrEqual(0.1 / (total - unexplained));
  });

  it('is that of visits that were not timed, however little recording cost', () => {
    expect(inclusiveDoubt(part(3, 0, 0.4), run(10, 0))).toBe(0.4);
    // Of so few, one that takes most of the time may be missed.
    expect(inclusiveDoubt({ ...part(3, 0, 0.4), timedVisits: 900 }, run(10, 0))).toBe(10);
  });

  const seconds = fc.double({ min: 1e-3, max: 100, noNaN: true });
  it('grows with what was taken off and with what nobody can explain, and is never negative', () => {
    fc.assert(
      fc.property(seconds, seconds, seconds, seconds, (total, taken, unexplained, at) => {
        const own = part(Math.min(at, total), Math.min(at, taken));
        const doubt = inclusiveDoubt(own, run(total, taken));
        expect(doubt).toBeGreaterThanOrEqual(0);
        expect(inclusiveDoubt(own, run(total, taken, unexplained))).toBeGreaterThanOrEqual(doubt);
        const twice = part(own.inclusiveSeconds, 2 * own.takenSeconds);
        expect(inclusiveDoubt(twice, run(total, 2 * taken))).toBeCloseTo(2 * doubt, 9);
      }),
    );
  });

  it('is a number for any run, and never negative', () => {
    fc.assert(
      fc.property(randomRun, ({ profile, costOf }) => {
        const { times } = measuredTimes(profile, 'i0.r1', costOf);
        for (const region of times.regions) {
          const whole = { ...times, unexplainedSeconds: 1 };
          expect(inclusiveDoubt(region, whole)).toBeGreaterThanOrEqual(0);
          expect(exclusiveDoubt(region, whole)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('says whether a share is worth telling: right within three points or a tenth', () => {
    expect([isTelling(0.1, 0.029), isTelling(0.1, 0.031)]).toEqual([true, false]);
    expect([isTelling(0.8, 0.079), isTelling(0.8, 0.081)]).toEqual([true, false]);
  });
});
