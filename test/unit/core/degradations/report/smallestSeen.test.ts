import { describe, expect, it } from 'vitest';
import { hiddenByNoise, smallestSeen } from '../../../../../src/core/degradations/report/smallestSeen';

const context = { region: { name: 'solve', kind: 'function' }, metric: 'time', rank: 0, thread: 0 } as const;

describe('what noise hides where no dynamics were found', () => {
  it('grows with the noise, and falls with the number of iterations', () => {
    const of = (noise: number, iterations: number, metric = 'time'): number =>
      smallestSeen(
        [{ context: { ...context, metric }, noise, impact: iterations, impactShare: 0.5 }],
        iterations,
      );
    // Of iterations of 1 s: a step of 4.5 standard deviations of a difference of two means.
    expect(of(0.1, 100)).toBeCloseTo((0.5 * 4.5 * 0.1 * 2) / 10);
    expect(of(0.2, 100)).toBeCloseTo(2 * of(0.1, 100));
    expect(of(0.1, 400)).toBeCloseTo(of(0.1, 100) / 2);
    expect(of(0.1, 100, 'preempted')).toBe(0);
  });

  it('is said where it is large, or the machine was noisy', () => {
    const noise = (severity: number): Parameters<typeof hiddenByNoise>[0] => [
      { kind: 'machine-noise', severity },
    ];
    expect(hiddenByNoise(noise(0.05), 0.01)).toBeUndefined();
    expect(hiddenByNoise([{ kind: 'hot-spot', severity: 0.9 }], 0.01)).toBeUndefined();
    expect(hiddenByNoise([], 0.15)).toMatch(
      /^No dynamics beyond the noise.* below about 15\.0 % .*not be seen/,
    );
    expect(hiddenByNoise(noise(0.564), 0.03)).toContain('took up to 56.4 % of the phase');
    // Series without times have no limit.
    expect(hiddenByNoise(noise(0.564), 0)).toMatch(
      /^No dynamics beyond the noise, which hides some\. Other work/,
    );
  });
});
