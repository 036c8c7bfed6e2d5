import { describe, expect, it } from 'vitest';
import { analyseByLikelihood } from '../../../../src/core/detect/detectedSeries';
import { bendsOf } from '../../../../src/core/detect/brokenLines';
import { sampled } from '../../../fixtures/dynamics/signals';

/** A rise of thirty times the noise until 91 that falls back within six values. */
const saw = (i: number): number => (i <= 91 ? i / 91 : Math.max(0, 1 - (i - 91) / 6));

describe('a rise that falls back at once', () => {
  it('is one, although neither a ramp nor a box explains the series', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { patterns } = analyseByLikelihood(sampled(128, (i) => 0.1 + saw(i), 0.035, seed));
      const [rise, ...others] = patterns;
      expect(others, `seed ${String(seed)}`).toEqual([]);
      expect(rise?.type).toBe('trend');
      expect(Math.abs((rise?.from ?? NaN) - 0)).toBeLessThanOrEqual(3);
      expect(Math.abs((rise?.to ?? NaN) - 91)).toBeLessThanOrEqual(2);
    }
  });

  it('and comes again after a pause is two rises, the second one from where it begins', () => {
    const twice = (i: number): number =>
      i <= 1028 ? i / 1028 : i < 1033 || i > 1200 ? Math.max(0, i - 1200) / 1028 : 0;
    const { patterns } = analyseByLikelihood(sampled(2048, (i) => 1 + twice(i), 0.08, 2));
    expect(patterns.map(({ type }) => type)).toEqual(['trend', 'trend']);
    expect(patterns[0]?.from).toBe(0);
    expect(Math.abs((patterns[1]?.from ?? NaN) - 1200)).toBeLessThanOrEqual(41);
  });

  it('has the bends between its lines, each once, and none at the ends of the series', () => {
    const lines = [
      [0, 128],
      [128, 136],
      [150, 255],
    ] as const;
    expect(
      bendsOf(
        lines.map(([from, to]) => ({ kind: 'ramp', from, to })),
        256,
      ),
    ).toBe(3);
  });

  it('is none in noise with memory', () => {
    let wandered = 0;
    for (let seed = 1; seed <= 20; seed++) {
      let left = 0;
      const values = sampled(128, () => 0, 1, seed).map((own) => 20 + (left = 0.8 * left + own));
      if (analyseByLikelihood(values).patterns.length > 0) wandered++;
    }
    expect(wandered).toBeLessThanOrEqual(1);
  });
});
