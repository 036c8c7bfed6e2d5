import { describe, expect, it, test } from 'vitest';
import {
  baselineNoise,
  median,
  overheadOf,
  overheadOfPairs,
  type OverheadEstimate,
} from '../../../../src/core/cost/overhead';
import { ofClock, standingOf, overheadWords } from '../../../../src/core/cost/overheadWords';

// Tippett's d₂, Student's two-sided 95 % quantiles, and the efficiency of the median, as tables of them say (docs: head of overhead.ts).
const medianFactor = 1.2533;

describe('the noise of runs of one kind', () => {
  test.each([
    { seconds: [1, 1.2], deviation: 0.2 / 1.128, error: 12.71 / Math.sqrt(2) },
    { seconds: [1, 1.2, 1.1], deviation: 0.2 / 1.693, error: (4.3 * medianFactor) / Math.sqrt(3) },
    { seconds: [1, 1.2, 1.1, 1.1], deviation: 0.2 / 2.059, error: (3.18 * medianFactor) / 2 },
    // From five on the median absolute deviation: the one far away does not count.
    {
      seconds: [1, 1.1, 1.2, 1.3, 99],
      deviation: 1.4826 * 0.1,
      error: (2.78 * medianFactor) / Math.sqrt(5),
    },
  ])('$seconds', ({ seconds, deviation, error }) => {
    const noise = baselineNoise(seconds);
    expect(noise.repetitions).toBe(seconds.length);
    expect(noise.medianSeconds).toBeCloseTo(median(seconds), 12);
    expect(noise.deviationSeconds).toBeCloseTo(deviation, 12);
    expect(noise.percent).toBeCloseTo((100 * error * deviation) / median(seconds), 9);
  });

  it('takes the quantile of each number of runs from the table, and the normal one beyond it', () => {
    const quantileOf = (runs: number): number => {
      const { percent, deviationSeconds, medianSeconds } = baselineNoise(
        Array.from({ length: runs }, (_, run) => 1 + 0.01 * run),
      );
      const error = (medianFactor * deviationSeconds) / Math.sqrt(runs);
      return (percent * medianSeconds) / 100 / error;
    };
    const table = [2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2, 2];
    for (const [index, quantile] of table.entries()) expect(quantileOf(index + 5)).toBeCloseTo(quantile, 9);
  });

  it('of a single run is the assumed 3 %, at the normal quantile', () => {
    expect(baselineNoise([2])).toEqual({
      medianSeconds: 2,
      deviationSeconds: 0.06,
      percent: 6,
      repetitions: 1,
    });
  });
});

describe('an overhead', () => {
  const at = (estimate: OverheadEstimate): readonly (number | undefined)[] => [
    estimate.percent,
    estimate.noisePercent,
    estimate.doubtPercent,
  ];

  it('has the noise of both sides, in percent of the baseline', () => {
    // Two runs of each: the mean is the median, Tippett's range of two, two degrees of freedom.
    const [own, base] = [0.2 / 1.128 / Math.sqrt(2), 0.4 / 1.128 / Math.sqrt(2)];
    const doubt = (100 * 4.3 * Math.hypot(own, base)) / 2;
    const [percent, noise, doubtPercent] = at(overheadOf([3, 3.2], [1.8, 2.2]));
    expect(percent).toBeCloseTo(55, 9);
    expect(noise).toBeCloseTo(doubt, 9);
    expect(doubtPercent).toBeCloseTo(doubt, 9);
  });

  it('takes a single run to be as noisy as those of the other kind', () => {
    const deviation = 0.2 / 1.128;
    const error = Math.hypot(deviation, deviation / Math.sqrt(2));
    const expected = (100 * 12.71 * error) / 2;
    expect(overheadOf([2], [1.9, 2.1]).noisePercent).toBeCloseTo(expected, 9);
    expect(overheadOf([1.9, 2.1], [2]).noisePercent).toBeCloseTo(expected, 9);
  });

  it('of one run of each kind has no noise, and decisions allow for 3 % of each', () => {
    const { noisePercent, doubtPercent } = overheadOf([2], [2]);
    expect(noisePercent).toBeUndefined();
    expect(doubtPercent).toBeCloseTo(2 * 3 * Math.SQRT2, 9);
  });

  it('of runs that took turns has the noise of their ratios, in percent of the baseline', () => {
    const { percent, noisePercent, doubtPercent } = overheadOfPairs([2.2, 4.8], [1, 2]);
    expect(percent).toBeCloseTo(130, 9);
    expect(noisePercent).toBeCloseTo((100 * 12.71 * 0.2) / 1.128 / Math.SQRT2, 9);
    expect(doubtPercent).toBe(noisePercent);
    expect(overheadOfPairs([1.2], [1]).doubtPercent).toBeCloseTo(6 * 1.2, 9);
    // A run without a partner makes no ratio up.
    expect(overheadOfPairs([1.2, 1.3], [1]).percent).toBeNaN();
  });

  it('is claimed only beyond its noise, not at it', () => {
    expect(overheadOf([1], [1]).significant).toBe(false);
    expect(overheadOf([1.5, 1.5], [1.5, 1.5]).significant).toBe(false);
    expect(overheadOfPairs([1, 1], [1, 1]).significant).toBe(false);
    expect(standingOf({ overheadPercent: -4, noisePercent: 3 })).toBe('measured');
    expect(overheadWords({ overheadPercent: 2, noisePercent: 3 }, (share) => `${share * 50} halves`)).toBe(
      'the overhead (1 halves) cannot be told from noise (±1.5 halves)',
    );
  });
});

test('an overhead is of the time by its clock, which stands beside it where it is not the wall time', () => {
  const times = { cpuSeconds: 1.05, baselineCpuSeconds: 1 };
  expect(ofClock({ clock: 'cpu', ...times })).toBe(' of the CPU time (1.05 s, 1 s with nothing recorded)');
  expect(
    ofClock({ clock: 'rank', ...times, rankSeconds: 0.5, baselineRankSeconds: 0.4, slowestRank: 3 }),
  ).toBe(' of the computation of the slowest rank (mostly rank 3: 500 ms, 400 ms with nothing recorded)');
  expect([ofClock({ clock: 'wall', ...times }), ofClock({})]).toEqual(['', '']);
});

test('the median of an even number of values is the mean of the middle two, whatever their order', () => {
  expect(median([5])).toBe(5);
  expect(median([9, 1])).toBe(5);
  expect(median([10, 9, 100, 1])).toBe(9.5);
  expect(median([])).toBeNaN();
});
