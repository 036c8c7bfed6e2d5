import { describe, expect, it } from 'vitest';
import { expectedSeconds } from '../../../../src/core/study/expectedSeconds';

const steady = new Set(['p']);
const point = (n: number | string, p: number, seconds: readonly number[] = []) => ({
  coordinates: { n: String(n), p: String(p) },
  seconds,
});

describe('expected seconds', () => {
  it('are unknown before the first run', () => {
    expect(expectedSeconds([point(1, 1), point(2, 1)], steady)).toBeUndefined();
  });
  it('are the median of the own runs', () => {
    expect(expectedSeconds([point(1, 1, [3, 1, 200]), point(2, 1, [5])], steady)).toEqual([3, 5]);
  });
  it('grow in proportion to parameters and not with ranks until runs show otherwise', () => {
    const [, larger, more] = expectedSeconds([point(10, 1, [2]), point(50, 1), point(10, 8)], steady) ?? [];
    expect(larger).toBeCloseTo(10, 6);
    expect(more).toBeCloseTo(2, 6);
  });
  it('follow a power law that the runs show', () => {
    const measured = [10, 20, 40, 80].flatMap((n) => [1, 2, 4].map((p) => point(n, p, [(n * n) / p])));
    const [expected] = expectedSeconds([point(160, 8), ...measured], steady) ?? [];
    expect(expected).toBeGreaterThan(0.8 * 3200);
    expect(expected).toBeLessThan(1.25 * 3200);
  });
  it('take no part of a parameter that is a text or not above 0', () => {
    const [, other] = expectedSeconds([point('a.in', 1, [2]), point('b.in', 1)], steady) ?? [];
    expect(other).toBeCloseTo(2, 6);
    const [, zero] = expectedSeconds([point(0, 1, [2]), point(5, 1)], steady) ?? [];
    expect(zero).toBeCloseTo(2, 6);
  });
});
