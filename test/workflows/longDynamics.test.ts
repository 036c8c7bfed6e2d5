import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../src/core/degradations/analysis';
import { series, solve, step } from '../unit/core/degradations/bursts';

describe('dynamics of a very long run', () => {
  it('bounded results: of a spike every 50 of 10^6 iterations 64 are kept apart, and all others are counted', () => {
    const analysis = new DynamicsAnalysis();
    const length = 1024;
    const iterations = 1_000_000;
    const phase = new Float64Array(length).fill(1.5);
    for (let first = 0; first < iterations; first += length) {
      const count = Math.min(length, iterations - first);
      const values = Float64Array.from({ length: count }, (_, i) => ((first + i) % 50 === 24 ? 3 : 1));
      analysis.addBurst({
        first,
        length: count,
        series: [series(step, 0, phase.subarray(0, count)), series(solve, 0, values)],
      });
    }
    const { series: all } = analysis.finish();
    expect(all).toHaveLength(1);
    expect(all[0]?.patterns).toHaveLength(64);
    expect(all[0]?.others).toEqual({ count: 20_000 - 64, sum: 3 * (20_000 - 64) });
    expect(all[0]?.period).toBe(50);
    expect(all[0]?.values.length).toBeLessThanOrEqual(1024);
  });
});
