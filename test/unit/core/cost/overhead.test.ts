import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overheadCell, overheadWords, standingOf } from '../../../../src/core/cost/overheadWords';
import { baselineNoise, median, overheadOf, overheadOfPairs } from '../../../../src/core/cost/overhead';

describe('noise', () => {
  it('claims an overhead only above what the repetitions scatter', () => {
    expect(overheadOf([1.1, 1.101, 1.099], [1, 1.001, 0.999])).toMatchObject({ significant: true });
    expect(overheadOf([1.02, 0.97, 1.03], [1, 1.04, 0.96]).significant).toBe(false);
    expect(overheadOf([1.1, 1.101, 1.099], [1, 1.001, 0.999]).percent).toBeCloseTo(10);
  });

  it('of runs that took turns is without what disturbed both', () => {
    const speed = fc.double({ min: 0.5, max: 9, noNaN: true });
    const speeds = fc.array(speed, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(speeds, fc.double({ min: 0.5, max: 4, noNaN: true }), (baseline, factor) => {
        const { percent, noisePercent = 0 } = overheadOfPairs(
          baseline.map((seconds) => seconds * factor),
          baseline,
        );
        expect(percent).toBeCloseTo(100 * (factor - 1), 6);
        expect(noisePercent).toBeCloseTo(0, 6);
      }),
    );
    // Tippett's range of three, Student's quantile of two degrees: ratios 1.04, 1.05 and 1.06.
    const scattered = overheadOfPairs([1.04, 2.1, 1.06], [1, 2, 1]);
    expect(scattered.percent).toBeCloseTo(5);
    expect(scattered.noisePercent).toBeCloseTo((4.3 * 1.2533 * (2 / 1.693)) / Math.sqrt(3), 1);
    expect(scattered.significant).toBe(true);
    expect(overheadOfPairs([1.2], [1])).toMatchObject({ noisePercent: undefined, significant: true });
  });

  it('is not moved by one disturbed run, and never infinite', () => {
    expect(overheadOf([1, 1, 9], [1, 1.01, 0.99]).percent).toBeCloseTo(0);
    expect(baselineNoise([2]).percent).toBeCloseTo(6);
    expect(median([3, 1, 2, 10])).toBe(2.5);
  });

  it('is unknown when nothing was run twice, and then no figure is made up', () => {
    expect(overheadOf([1.2], [1])).toMatchObject({ noisePercent: undefined, significant: true });
    expect(overheadOf([1.05], [1]).significant).toBe(false);
    expect(overheadOf([1.2], [1, 1.01]).noisePercent).toBeGreaterThan(0);
    expect(overheadWords({ overheadPercent: 12.34 })).toBe(
      'overhead 12.3 % (noise unknown: one run of each)',
    );
    expect(overheadWords({ overheadPercent: 12.34, noisePercent: 3 })).toBe('overhead 12.3 %');
    expect(overheadWords({ overheadPercent: 2, noisePercent: 156 })).toBe(
      'the overhead (2.0 %) cannot be told from noise (±156 %)',
    );
    expect(overheadCell({ overheadPercent: 12.34 })).toBe('12.3 %, noise unknown');
    expect(overheadCell({ overheadPercent: 2, noisePercent: 156 })).toBe(
      '2.0 %, cannot be told from noise (±156 %)',
    );
    // A program may well be faster with it: code lies elsewhere.
    expect(overheadCell({ overheadPercent: -5, noisePercent: 3 })).toBe('−5.0 %');
    expect(standingOf({ overheadPercent: 3, noisePercent: 3 })).toBe('within noise');
  });

  it('does not claim an overhead that is not there more often than one in twenty or so', () => {
    let claimed = 0;
    const trials = 4000;
    let state = 12345;
    const uniform = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const run = (): number => 1 + 0.02 * normal();
    for (let trial = 0; trial < trials; trial++) {
      if (overheadOf([run(), run(), run()], [run(), run(), run()]).significant) claimed++;
    }
    expect(claimed / trials).toBeLessThan(0.05);
  });
});
