import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computationSpreads, type ComputationSpread } from '../../../../src/core/functions/computationSpread';
import { balancedValue, imbalanceOf } from '../../../../src/core/imbalance/metric';
import { exclusivePerLocation } from '../../../../src/core/profile/values';
import { imbalanceMetrics } from '../../../../src/core/selection/imbalanceOptions';
import { runOf, type Call } from '../problems/runs';

const solve = { name: 'solve' };
const mpi = (name: string): Call['region'] => ({ name, paradigm: 'mpi', role: 'point2point' });

function spreadOf(root: Call, name: string): ComputationSpread | undefined {
  const profile = runOf(root, root.seconds.length);
  const region = profile.regions.findIndex((own) => own.name === name);
  return computationSpreads(profile, exclusivePerLocation(profile, 'time')).get(region);
}

describe('the spread of a function over ranks', () => {
  it('is of the computation in it and its callees, of the ranks that do some', () => {
    const root: Call = {
      region: { name: 'main' },
      seconds: [1, 1, 1, 1],
      calls: [
        {
          region: solve,
          seconds: [1, 3, 0, 2],
          calls: [
            { region: { name: 'part' }, seconds: [1, 1, 0, 0] },
            {
              region: mpi('MPI_Recv'),
              seconds: [9, 0, 0, 0],
              calls: [{ region: { name: 'callback' }, seconds: [1, 0, 0, 0] }],
            },
            { region: solve, seconds: [1, 0, 0, 0] },
          ],
        },
      ],
    };
    // 1 + 1 + 1 + 1, 3 + 1, nothing, 2
    const spread = spreadOf(root, 'solve');
    expect(spread).toMatchObject({ locations: 3, maximumSeconds: 4 });
    expect(spread?.meanSeconds).toBeCloseTo(10 / 3, 12);
    expect(spread?.deviationSeconds).toBeCloseTo(Math.sqrt((2 * (2 / 3) ** 2 + (4 / 3) ** 2) / 3), 12);
    expect(spreadOf(root, 'MPI_Recv')).toMatchObject({ locations: 1, maximumSeconds: 1 });
  });
});

describe('the metrics of LIDe', () => {
  it('by hand', () => {
    // 2, 2, 2, 6: mean 3, deviation √3.
    const spread = { locations: 4, maximumSeconds: 6, meanSeconds: 3, deviationSeconds: Math.sqrt(3) };
    expect(imbalanceOf('imbalance-percentage', spread)).toBeCloseTo((0.5 * 4) / 3, 12);
    expect(imbalanceOf('efficiency', spread)).toBe(2);
    expect(imbalanceOf('variation', spread)).toBeCloseTo(Math.sqrt(3) / 3, 12);
  });

  it('are those of balance where one rank, or none, computes', () => {
    const alone = { locations: 1, maximumSeconds: 6, meanSeconds: 6, deviationSeconds: 0 };
    const none = { locations: 0, maximumSeconds: 0, meanSeconds: 0, deviationSeconds: 0 };
    for (const metric of imbalanceMetrics)
      for (const spread of [alone, none]) expect(imbalanceOf(metric, spread)).toBe(balancedValue(metric));
    expect(imbalanceMetrics.map(balancedValue)).toEqual([0, 1, 0]);
  });

  it('percentage: between 0 and 1, and the same for any unit of time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 2, maxLength: 9 }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (seconds, factor) => {
          const spread = spreadOf({ region: solve, seconds }, 'solve')!;
          const scaled = spreadOf(
            { region: solve, seconds: seconds.map((value) => value * factor) },
            'solve',
          )!;
          const value = imbalanceOf('imbalance-percentage', spread);
          expect(value).toBeGreaterThanOrEqual(-1e-12);
          expect(value).toBeLessThanOrEqual(1);
          for (const metric of imbalanceMetrics)
            expect(imbalanceOf(metric, scaled)).toBeCloseTo(imbalanceOf(metric, spread), 6);
          expect(imbalanceOf('efficiency', spread)).toBeCloseTo(
            1 / (1 - (value * (seconds.length - 1)) / seconds.length),
            6,
          );
        },
      ),
    );
  });
});
