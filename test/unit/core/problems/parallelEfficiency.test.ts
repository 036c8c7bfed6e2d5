import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import type { Property } from '../../../../src/core/properties/property';
import { runOf, type Call } from './runs';

const barrier = { name: 'MPI_Barrier', paradigm: 'mpi', role: 'barrier' };

function found(root: Call): readonly Property[] {
  return findProperties({ profile: runOf(root, 2) }).filter(({ kind }) => kind === 'parallel-efficiency');
}

describe('low parallel efficiency', () => {
  it('of the run: the whole finding', () => {
    const root: Call = {
      region: { name: 'main' },
      seconds: [5, 3],
      calls: [{ region: barrier, seconds: [3, 5] }],
    };
    expect(found(root)).toEqual([
      {
        id: 'parallel-efficiency:run',
        kind: 'parallel-efficiency',
        title: 'Parallel efficiency is 50.0 %: load balance 80.0 % × communication efficiency 62.5 %',
        severity: 0.5,
        confidence: 1,
        evidence: {
          parallelEfficiency: 0.5,
          loadBalance: 0.8,
          communicationEfficiency: 5 / 8,
          processes: 2,
          locations: 2,
          runSeconds: 8,
          thresholdEfficiency: 0.8,
        },
        base: { run: 'profile', clock: 'wall', seconds: 8, leftOut: [] },
        origin: { run: 'profile', analysis: 'profile' },
      },
    ]);
  });

  it('is below 80 %, and nothing where it cannot be told', () => {
    const run = (inMpi: number): Call => ({
      region: { name: 'main' },
      seconds: [8, 8],
      calls: [{ region: barrier, seconds: [inMpi, inMpi] }],
    });
    expect(found(run(1.9))).toEqual([]);
    expect(found(run(2.1))).toHaveLength(1);
    expect(found({ region: { name: 'main' }, seconds: [8, 1] })).toEqual([]);
  });

  it('of the phase is of its own time, and refines that of the run', () => {
    const iteration: Call = {
      region: { name: 'instance=1', role: 'dynamic', paradigm: 'user' },
      seconds: [1, 1],
      calls: [{ region: barrier, seconds: [3, 3] }],
    };
    const calls = [{ region: { name: 'step', firstLine: 5 }, seconds: [0, 0], calls: [iteration] }];
    const properties = found({ region: { name: 'main' }, seconds: [1, 1], calls });
    expect(
      properties.map(({ id, title, severity, refines, region }) => [
        id,
        title,
        severity,
        refines,
        region?.name,
      ]),
    ).toEqual([
      [
        'parallel-efficiency:phase',
        'Parallel efficiency of the phase step is 25.0 %: load balance 100 % × communication efficiency 25.0 %',
        0.75,
        'parallel-efficiency:run',
        'step',
      ],
      [
        'parallel-efficiency:run',
        'Parallel efficiency is 40.0 %: load balance 100 % × communication efficiency 40.0 %',
        0.6,
        undefined,
        undefined,
      ],
    ]);
  });
});
