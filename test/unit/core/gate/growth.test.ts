import { describe, expect, it } from 'vitest';
import type { ComparedRun } from '../../../../src/core/compare/run';
import { timeMetric } from '../../../../src/core/compare/run';
import { functionGrowth, growthOf, type RunGrowth } from '../../../../src/core/gate/growth';
import { measuredSides } from './runs';

/** `main` calls `solve` and `MPI_Wait`; seconds of each. */
function part(...times: readonly [main: number, solve: number, wait: number]): ComparedRun {
  const seconds = Float64Array.from(times);
  return {
    callPaths: { count: 3, parent: Int32Array.of(-1, 0, 0), region: Uint32Array.of(0, 1, 2) },
    regions: [
      { name: 'main', paradigm: 'compiler', role: 'function' },
      { name: 'solve', paradigm: 'compiler', role: 'function' },
      { name: 'MPI_Wait', paradigm: 'mpi', role: 'point2point' },
    ],
    ...{ keys: ['main', 'solve', 'MPI_Wait'], names: ['main', 'solve', 'MPI_Wait'] },
    ...{ seconds, values: seconds, visits: new Float64Array(3).fill(1), doubts: new Float64Array(3) },
    ...{ metric: timeMetric, processes: 1, locations: 1 },
    base: { run: 'i0.r1', clock: 'cpu', seconds: 1, leftOut: [] },
  };
}

describe('growth of a run', () => {
  it('is the time of the second half of the iterations as a multiple of the first, without what waits', () => {
    const growth = growthOf(part(1, 4, 9), part(1, 6, 1));
    expect(growth?.whole).toBeCloseTo(7 / 5, 12);
    expect(growth?.functions.get('main')).toBeCloseTo(1, 12);
    expect(growth?.functions.get('solve')).toBeCloseTo(1.5, 12);
    expect(growth?.functions.has('MPI_Wait')).toBe(false);
  });

  it('is not known of a function that a half does not have, nor of a run that computes nothing in one', () => {
    expect([...(growthOf(part(1, 0, 0), part(1, 2, 0))?.functions.keys() ?? [])]).toEqual(['main']);
    expect([...(growthOf(part(1, 2, 0), part(1, 0, 0))?.functions.keys() ?? [])]).toEqual(['main']);
    expect(growthOf(part(0, 0, 5), part(1, 0, 5))).toBeUndefined();
    expect(growthOf(part(1, 0, 5), part(0, 0, 5))).toBeUndefined();
  });
});

describe('growth of functions of two sides', () => {
  const sides = measuredSides(1, { repetitions: 2, functions: 3 });
  const runs = (...values: readonly (readonly [string, number])[]): readonly RunGrowth[] =>
    [1, 2].map(() => ({ whole: 1, functions: new Map(values) }));

  it('has the runs of the baseline first, and finds a function by its key on each side', () => {
    const renamed = sides.functions.map((one, own) => (own === 1 ? { ...one, formerKey: 'old' } : one));
    const found = functionGrowth(
      { ...sides, functions: renamed },
      runs(['f0', 1.1], ['old', 1.2], ['f1', 9]),
      runs(['f0', 1.3], ['f1', 1.4], ['f2', 1.5]),
    );
    expect(found.map((one) => [one.function, [...one.values]])).toEqual([
      [0, [1.1, 1.1, 1.3, 1.3]],
      [1, [1.2, 1.2, 1.4, 1.4]],
    ]);
  });

  it('is judged of nothing where one side has no iterations, or recorded other functions', () => {
    expect(functionGrowth(sides, undefined, runs(['f0', 1]))).toEqual([]);
    const once = { ...sides, recordedOnce: [['f7'], []] as const };
    expect(functionGrowth(once, runs(['f0', 1]), runs(['f0', 2]))).toEqual([]);
  });
});
