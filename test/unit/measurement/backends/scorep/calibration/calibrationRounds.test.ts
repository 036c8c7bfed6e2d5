import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costsOf,
  type CalibrationRound,
} from '../../../../../../src/measurement/backends/scorep/calibration/calibrationRounds';

const nano = 1e-9;
const quiet: CalibrationRound = {
  plain: [2 * nano, 2 * nano, 2 * nano],
  filtered: [3 * nano, 3 * nano, 3 * nano],
  recorded: [72 * nano, 72 * nano, 72 * nano],
  plainWall: 2 * nano,
  recordedWall: 72 * nano,
  shown: 44 * nano,
};

/** The same while other programs slow each batch down and take the processor away. */
const busy = fc
  .record({
    slower: fc.array(fc.double({ min: 1, max: 4, noNaN: true }), { minLength: 3, maxLength: 3 }),
    waiting: fc.double({ min: 1, max: 10, noNaN: true }),
  })
  .map(({ slower, waiting }): CalibrationRound => {
    const by = (batches: readonly number[]): readonly number[] =>
      batches.map((seconds, at) => seconds * (slower[at] ?? 1));
    return {
      plain: by(quiet.plain),
      filtered: by(quiet.filtered),
      recorded: by(quiet.recorded),
      plainWall: quiet.plainWall * waiting,
      recordedWall: quiet.recordedWall * waiting,
      shown: quiet.shown * waiting,
    };
  });

describe('the cost of a recorded visit', () => {
  it('is what the quickest batches differ by, and its parts are those of the wall times', () => {
    const { recorded, filteredSeconds, unsteady } = costsOf([quiet, quiet, quiet]);
    expect(recorded.pairSeconds / nano).toBeCloseTo(70);
    expect(recorded.insideSeconds / nano).toBeCloseTo(42);
    expect(recorded.outsideSeconds / nano).toBeCloseTo(28);
    expect(recorded.spreadSeconds).toBe(0);
    expect(filteredSeconds / nano).toBeCloseTo(1);
    expect(unsteady).toBe(false);
  });

  it('is the same with any number of busy rounds beside a quiet one; the doubt says how many', () => {
    fc.assert(
      fc.property(fc.array(busy, { maxLength: 6 }), fc.nat(6), (others, at) => {
        const rounds = [...others.slice(0, at), quiet, ...others.slice(at)];
        const { recorded, filteredSeconds } = costsOf(rounds);
        expect(recorded.pairSeconds / nano).toBeCloseTo(70);
        expect(recorded.insideSeconds / nano).toBeCloseTo(42);
        expect(filteredSeconds / nano).toBeCloseTo(1);
        expect(recorded.spreadSeconds).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is unsteady when a usual round shows much more than the quickest', () => {
    const slow = { ...quiet, recorded: quiet.recorded.map((seconds) => seconds * 1.5) };
    expect(costsOf([quiet, quiet, slow]).unsteady).toBe(false);
    expect(costsOf([quiet, slow, slow])).toMatchObject({ unsteady: true });
  });

  it('has parts within it whatever the clocks show', () => {
    for (const shown of [0, 1 * nano, 500 * nano]) {
      const { recorded } = costsOf([{ ...quiet, shown }]);
      expect(recorded.insideSeconds).toBeGreaterThanOrEqual(0);
      expect(recorded.outsideSeconds).toBeGreaterThanOrEqual(0);
    }
    expect(
      costsOf([{ ...quiet, recordedWall: quiet.plainWall }]).recorded.insideSeconds,
    ).toBeGreaterThanOrEqual(0);
  });
});
