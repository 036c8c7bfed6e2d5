import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../src/core/signal/analyseSeries';
import { findPeakPeriod, findPeriod } from '../../../../src/core/signal/period';
import { sampled, signals } from '../../../fixtures/dynamics/signals';

const checkpoints = (period: number, length: number, seed = 7): Float64Array =>
  sampled(length, (i) => 1 + i / 1000 + (i % period === 3 ? 1 : 0), 0.05, seed);

describe('periods', () => {
  it('period: a spike every 16 iterations has the period 16', () => {
    for (const length of [128, 512, 2048]) {
      const values = checkpoints(16, length);
      expect(findPeriod(values)).toMatchObject({ period: 16, phase: 3 });
      expect(findPeakPeriod(analyseSeries(values).patterns, length)).toMatchObject({ period: 16, phase: 3 });
    }
  });

  it('period: other periods, also odd ones', () => {
    for (const period of [7, 10, 25, 50]) {
      expect(findPeriod(checkpoints(period, 600, period))?.period).toBe(period);
    }
    expect(findPeriod(sampled(300, (i) => Math.sin((2 * Math.PI * i) / 30), 0.2, 3))?.period).toBe(30);
  });

  it('period: what repeats once, irregularly or not at all has none', () => {
    const single = [
      signals.ramp(),
      signals.bump(),
      signals.step(),
      signals.fourSpikes(),
      signals.cx(),
      signals.lateRamp(),
    ];
    for (const values of single) expect(findPeriod(values)).toBeUndefined();
    for (let seed = 1; seed <= 50; seed++) expect(findPeriod(signals.white(seed))).toBeUndefined();
    expect(findPeakPeriod(analyseSeries(signals.fourSpikes()).patterns, 128)).toBeUndefined();
    expect(findPeakPeriod(analyseSeries(signals.pepcDrift()).patterns, 2048)).toBeUndefined();
  });

  it('robustness: constants, gaps, huge values and few samples are no exception', () => {
    for (const values of [
      [],
      [1],
      [1, 2, 1],
      new Array<number>(64).fill(0),
      new Array<number>(64).fill(1e300),
    ]) {
      expect(findPeriod(Float64Array.from(values))).toBeUndefined();
    }
    const huge = checkpoints(16, 256).map((value, i) => (i % 50 === 0 ? NaN : value * 1e300));
    expect(findPeriod(huge)?.period).toBe(16);
  });
});
