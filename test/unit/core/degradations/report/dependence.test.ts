import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../../src/core/signal/analyseSeries';
import {
  align,
  dependentDegradations,
  type Shape,
} from '../../../../../src/core/degradations/report/dependence';
import { sampled } from '../../../../fixtures/dynamics/signals';

/** A rise and a peak, `lag` iterations later. */
function riseAndPeak(lag: number, seed: number, deviation = 0.02): Shape & { values: Float64Array } {
  const values = sampled(
    256,
    (n) => {
      const i = n - lag;
      return 1 + Math.min(1, Math.max(0, (i - 60) / 60)) + Math.exp(-0.5 * ((i - 180) / 6) ** 2);
    },
    deviation,
    seed,
  );
  return { ...analyseSeries(values), values };
}

const shapeOf = (values: Float64Array): Shape => ({ ...analyseSeries(values), values });

describe('degradations that depend on each other', () => {
  it('dependence: two series with lag 5 have lag 5', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const [found, ...others] = dependentDegradations([riseAndPeak(0, seed), riseAndPeak(5, seed + 100)]);
      expect(others).toEqual([]);
      expect(found).toMatchObject({ first: 0, second: 1, lag: 5 });
      expect(found!.similarity).toBeGreaterThan(0.7);
      expect(found!.shared).toBeGreaterThanOrEqual(3);
    }
  });

  it('dependence: the lag without noise follows from the patterns alone', () => {
    const a = analyseSeries(riseAndPeak(0, 1, 0).values);
    const b = analyseSeries(riseAndPeak(5, 1, 0).values);
    expect(align(a, b)).toMatchObject({ lag: 5, shared: 5 });
    expect(align(b, a)).toMatchObject({ lag: -5 });
    expect(align(a, a)).toEqual({ similarity: 1, lag: 0, shared: 5 });
  });

  it('dependence: the series that is earlier comes first', () => {
    const [found] = dependentDegradations([riseAndPeak(9, 1), riseAndPeak(0, 2)]);
    expect(found).toMatchObject({ first: 1, second: 0, lag: 9 });
  });

  it('dependence: other shapes, and series without degradations, do not depend', () => {
    const flat = shapeOf(sampled(256, () => 1, 0.02, 3));
    const step = shapeOf(sampled(256, (i) => (i < 128 ? 1 : 2), 0.02, 4));
    const falling = shapeOf(sampled(256, (i) => 3 - i / 128, 0.02, 5));
    expect(dependentDegradations([riseAndPeak(0, 1), flat, step, falling])).toEqual([]);
    expect(align(flat, step)).toBeUndefined();
  });
});
