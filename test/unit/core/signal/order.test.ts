import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../src/core/signal/analyseSeries';
import { findPeakPeriod } from '../../../../src/core/signal/period';
import { sampled } from '../../../fixtures/dynamics/signals';

describe('patterns of a series', () => {
  const values = sampled(
    256,
    (i) => (i < 60 ? 1 : 2) + (i === 120 ? 3 : 0) - (i >= 180 ? 0.8 : 0) - (i === 220 ? 1 : 0),
  );

  it('are ordered by position, with improvements only where they are wanted', () => {
    const places = (improvements: boolean): unknown =>
      analyseSeries(values, { improvements }).patterns.map(({ type, from, to, improvement }) => [
        type,
        from,
        to,
        improvement,
      ]);
    expect(places(true)).toEqual([
      ['step', 59, 60, undefined],
      ['peak', 120, 120, undefined],
      ['step', 179, 180, true],
      ['peak', 220, 220, true],
    ]);
    expect(places(false)).toEqual([
      ['step', 59, 60, undefined],
      ['peak', 120, 120, undefined],
    ]);
  });

  it('have a period where their peaks are regular, also from the first sample to the last', () => {
    const { patterns } = analyseSeries(values);
    const peaks = (...places: readonly number[]) =>
      places.map((at) => ({ ...patterns[1]!, from: at, to: at, at }));
    expect(findPeakPeriod(peaks(0, 9, 18, 27, 36, 45), 46)).toMatchObject({ period: 9, phase: 0 });
    expect(findPeakPeriod(peaks(1, 10, 19, 28, 37, 46), 48)).toMatchObject({ period: 9, phase: 1 });
    expect(findPeakPeriod(peaks(0, 9), 46)).toBeUndefined();
    const better = peaks(0, 9, 18, 27, 36, 45).map((peak) => ({ ...peak, improvement: true }) as const);
    expect(findPeakPeriod(better, 46)).toBeUndefined();
  });
});
