import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadOf } from '../../../../src/core/views/ranks/spread';
import {
  shareIn,
  type ModeRows,
  type References,
  type ValueMode,
} from '../../../../src/core/views/valueModes';

describe('how values spread', () => {
  it('known numbers', () => {
    expect(spreadOf(new Float64Array())).toBeUndefined();
    expect(spreadOf(Float64Array.of(4, 1, 3, 2))).toEqual({
      count: 4,
      sum: 10,
      mean: 2.5,
      minimum: 1,
      lowerQuartile: 1.75,
      median: 2.5,
      upperQuartile: 3.25,
      maximum: 4,
      standardDeviation: Math.sqrt(1.25),
      leastAt: 1,
      mostAt: 0,
    });
  });

  it('order statistics are in order, whatever the values', () => {
    const values = fc.float64Array({
      minLength: 1,
      noNaN: true,
      noDefaultInfinity: true,
      min: -1e9,
      max: 1e9,
    });
    fc.assert(
      fc.property(values, (given) => {
        const before = given.slice();
        const spread = spreadOf(given);
        expect(given).toEqual(before);
        if (spread === undefined) throw new Error('there are values');
        const { minimum, lowerQuartile, median, upperQuartile, maximum, mean, leastAt, mostAt } = spread;
        const order = [minimum, lowerQuartile, median, upperQuartile, maximum];
        for (let i = 1; i < order.length; i++)
          expect(order[i]).toBeGreaterThanOrEqual((order[i - 1] ?? NaN) - 1e-6);
        expect(mean).toBeGreaterThanOrEqual(minimum - 1e-6);
        expect(mean).toBeLessThanOrEqual(maximum + 1e-6);
        expect([given[leastAt], given[mostAt]]).toEqual([minimum, maximum]);
      }),
    );
  });
});

describe('values as parts', () => {
  const rows: ModeRows = {
    parent: Int32Array.of(-1, 0, 0),
    inclusive: Float64Array.of(10, 6, 3),
    // The root is open: it stands for itself.
    shown: (row) => [1, 6, 3][row] ?? 0,
    peers: (row) => (row === 0 ? { least: 1, most: 1 } : { least: 3, most: 6 }),
  };
  const of: References = { metricRoot: 20, metricSelection: 10, callRoot: 5, callSelection: 0 };

  it.each<[ValueMode, (number | undefined)[]]>([
    ['absolute', [0.1, 0.6, 0.3]],
    ['ownRoot', [0.1, 0.6, 0.3]],
    ['metricRoot', [0.05, 0.3, 0.15]],
    ['metricSelection', [0.1, 0.6, 0.3]],
    ['callRoot', [0.2, 1.2, 0.6]],
    ['callSelection', [undefined, undefined, undefined]],
    ['peer', [1, 1, 0.5]],
    ['peerDistribution', [undefined, 1, 0]],
  ])('%s', (mode, expected) => {
    const found = [0, 1, 2].map((row) => shareIn(mode, row, rows, of));
    found.forEach((share, row) => {
      if (expected[row] === undefined) expect(share).toBeUndefined();
      else expect(share).toBeCloseTo(expected[row], 12);
    });
  });
});
