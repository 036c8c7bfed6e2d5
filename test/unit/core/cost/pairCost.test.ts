import { describe, expect, it, test } from 'vitest';
import {
  costRatio,
  lowCosts,
  lowerQuartile,
  scaledCosts,
  scorepPairCosts,
  typicalPairCosts,
  typicalSampledCosts,
  visitCost,
  type PairCost,
} from '../../../../src/core/cost/pairCost';
import { predictedScale } from '../../../../src/core/cost/costScale';

const pair: PairCost = { pairSeconds: 10, insideSeconds: 6, outsideSeconds: 4 };
const sampled = { countedSeconds: 2, pairSeconds: 26, insideSeconds: 8 };

describe('costs that stand in until a calibration is known', () => {
  test.each([
    ['own', typicalPairCosts, 17e-9],
    ['own, sampled', typicalSampledCosts, 17e-9],
    ['Score-P', scorepPairCosts, 70e-9],
  ] as const)('%s: both parts make the pair, for both kinds of patch points', (_, costs, pairSeconds) => {
    for (const cost of [costs.probe, costs.entry]) {
      expect(cost.pairSeconds).toBe(pairSeconds);
      expect(cost.insideSeconds + cost.outsideSeconds).toBeCloseTo(pairSeconds, 15);
    }
  });
  it('a visit that is timed now and then costs twice one in a row, a counted one less than either', () => {
    const { pairSeconds, sampled: rare } = typicalSampledCosts.entry;
    expect(rare).toEqual({ countedSeconds: 3e-9, pairSeconds: 2 * pairSeconds, insideSeconds: 9e-9 });
  });
});

describe('the cost of a visit', () => {
  it('is that of a pair where each visit is timed, or where nothing is known of others', () => {
    expect(visitCost({ ...pair, sampled }, undefined)).toBe(10);
    expect(visitCost(pair, 100)).toBe(10);
  });
  it('is that of counting, and of timing for one in so many', () => {
    expect(visitCost({ ...pair, sampled }, 1)).toBe(26);
    expect(visitCost({ ...pair, sampled }, 4)).toBe((26 + 3 * 2) / 4);
  });
});

describe('calibrated costs', () => {
  it('by a factor are that many times as large in each part', () => {
    const scaled = scaledCosts({ probe: pair, entry: { ...pair, sampled } }, 3);
    expect(scaled.probe).toStrictEqual({ pairSeconds: 30, insideSeconds: 18, outsideSeconds: 12 });
    // The part inside with which times were estimated does not change afterwards.
    expect(scaled.entry.sampled).toEqual({
      countedSeconds: 6,
      pairSeconds: 78,
      insideSeconds: 24,
      estimatedInsideSeconds: 8,
    });
    expect(scaledCosts(scaled, 2).entry.sampled).toMatchObject({
      insideSeconds: 48,
      estimatedInsideSeconds: 8,
    });
  });

  it('relate as their pairs do', () => {
    const costs = { probe: pair, entry: pair };
    expect(costRatio(scaledCosts(costs, 3), costs)).toBe(3);
  });

  it('of several calibrations are those of one, the lower quartile, for each kind', () => {
    const calibration = (probe: number, entry: number) => ({
      probe: { ...pair, pairSeconds: probe, insideSeconds: 100 + probe },
      entry: {
        ...pair,
        pairSeconds: entry,
        insideSeconds: 100 + entry,
        sampled: { ...sampled, countedSeconds: 1000 - entry, insideSeconds: entry },
      },
    });
    const low = lowCosts(
      [
        [9, 1],
        [1, 9],
        [5, 5],
        [3, 7],
        [7, 3],
      ].map(([p = 0, e = 0]) => calibration(p, e)),
    );
    expect(low.probe).toStrictEqual({ pairSeconds: 3, insideSeconds: 103, outsideSeconds: 4 });
    expect(low.entry).toMatchObject({ pairSeconds: 3, insideSeconds: 103 });
    expect(low.entry.sampled).toMatchObject({ countedSeconds: 993, insideSeconds: 7 });
    expect(lowCosts([])).toStrictEqual(typicalPairCosts);
  });

  test.each([
    [[], undefined],
    [[4], 4],
    [[4, 3], 3],
    [[4, 3, 2, 1], 1],
    [[5, 4, 3, 2, 1], 2],
    [[9, 8, 7, 6, 5, 4, 3, 2, 1], 3],
  ])('lower quartile of %j: %s', (values, expected) => {
    expect(lowerQuartile(values, (value) => value)).toBe(expected);
    // What it is asked of stays in its order.
    expect(values).toEqual([...values].sort((a, b) => b - a));
  });
});

describe('the factor of predictions', () => {
  const run = { predictedPercent: 2, measuredPercent: 12, doubtPercent: 4 };
  const scale = (history: readonly (typeof run)[], aim = 5): number => predictedScale({ history }, aim);

  it('is 1 without runs', () => {
    expect(predictedScale({}, 5)).toBe(1);
    expect(scale([])).toBe(1);
  });
  it('is what most probably was missed, half of the doubt allowed for', () => {
    expect(scale([run])).toBe(5);
    expect(scale([{ ...run, doubtPercent: 0 }])).toBe(6);
  });
  it('is left alone by runs within the aim and by runs that recorded nothing', () => {
    expect(scale([run], 10)).toBe(1);
    expect(scale([run], 9.99)).toBe(5);
    expect(scale([{ ...run, predictedPercent: 0 }])).toBe(1);
  });
  it('is the largest of the runs, at most 16, and never below 1', () => {
    expect(scale([{ ...run, predictedPercent: 4 }, run, { ...run, predictedPercent: 5 }])).toBe(5);
    expect(scale([{ ...run, predictedPercent: 0.1 }])).toBe(16);
    expect(scale([{ ...run, predictedPercent: 100 }])).toBe(1);
  });
  it('is not below what the last run shows', () => {
    expect(predictedScale({ history: [run], costFactor: 2 }, 5)).toBe(5);
    expect(predictedScale({ history: [run], costFactor: 7 }, 5)).toBe(7);
    expect(predictedScale({ costFactor: 0.6 }, 5)).toBe(1);
  });
});
