import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import type { SeriesRegion } from '../../../../src/core/series/series';
import { analysed, series, step } from '../degradations/bursts';
import { runOf } from './runs';

/** Exclusive seconds of some functions and of one call of MPI on one rank. */
const runs = fc.record({
  functions: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 }),
  mpi: fc.integer({ min: 0, max: 1000 }),
});

const mpi = { name: 'MPI_Send', paradigm: 'mpi', role: 'point2point' };

describe('a run without iterations is one burst', () => {
  it('a profile and a series of one iteration get the same problems with the same severities', () => {
    fc.assert(
      fc.property(runs, ({ functions, mpi: communication }) => {
        const whole = functions.reduce((sum, seconds) => sum + seconds, communication);
        const profile = runOf(
          {
            region: { name: 'main' },
            seconds: [0],
            calls: [
              ...functions.map((seconds, index) => ({ region: { name: `f${index}` }, seconds: [seconds] })),
              { region: mpi, seconds: [communication] },
            ],
          },
          1,
        );
        const ofProfile = findProperties({ profile })
          .filter(({ region, kind }) => region !== undefined && ['hot-spot', 'communication'].includes(kind))
          .map(({ region, kind, severity }) => [region?.name, kind, severity?.toFixed(9)]);
        const names: readonly SeriesRegion[] = functions.map((_, index) => ({
          name: `f${index}`,
          kind: 'function',
        }));
        const ofSeries = analysed(
          [
            series(step, 0, [whole]),
            ...names.map((region, index) => series(region, 0, [functions[index] ?? 0])),
            series({ name: 'MPI_Send', kind: 'mpi' }, 0, [communication]),
          ],
          { reportThreshold: 0.05 },
        ).rows.map(({ region, kind, severity }) => [region.name, kind, severity?.toFixed(9)]);
        expect(ofSeries.sort()).toEqual(ofProfile.sort());
      }),
      { numRuns: 50 },
    );
  });
});
