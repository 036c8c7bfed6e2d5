import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { foldIterations } from '../../../../src/core/profile/foldIterations';
import type { Property } from '../../../../src/core/properties/property';
import { rankSet } from '../../../../src/core/properties/rankSet';
import { exclusive, inclusive } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { sharedData } from '../../../shared';
import { arbitraryProfile } from '../profile/profiles';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const solve = { name: 'solve', firstLine: 10 };
const mpi = (name: string, role = 'function'): Call['region'] => ({
  name,
  paradigm: 'mpi',
  role,
  file: 'MPI',
});

function found(root: Call, ranks: number, threads = 1): readonly Property[] {
  return findProperties({ profile: runOf(root, ranks, threads) });
}

function byId(properties: readonly Property[], id: string): Property | undefined {
  return properties.find((one) => one.id === id);
}

describe('imbalance', () => {
  it('names the late ranks and what the others lose, at the function and in the whole', () => {
    const properties = found(
      {
        region: main,
        seconds: [0.1, 0.1, 0.1, 0.1],
        calls: [
          { region: solve, seconds: [1, 1, 1, 2] },
          { region: mpi('MPI_Barrier', 'barrier'), seconds: [1, 1, 1, 0] },
        ],
      },
      4,
    );
    const own = byId(properties, 'imbalance:ranks:solve@/src/a.c:10');
    // Maximum 2, mean 1.25; the longest location takes 2.1 s.
    expect(own).toMatchObject({
      severity: expect.closeTo(0.75 / 2.1, 9) as number,
      ranks: '3',
      region: { file: '/src/a.c', line: 10 },
      refines: 'imbalance:ranks',
      title:
        'solve is unbalanced over ranks: rank 3 needs 60.0 % more than the average; ranks 0-2 wait for it, most of all in MPI_Barrier (costs 35.7 % of the run time of the slowest rank)',
      waitingRanks: '0-2',
    });
    expect(own?.evidence).toMatchObject({ maximumSeconds: 2, meanSeconds: 1.25, imbalanceRatio: 0.375 });
    expect(byId(properties, 'imbalance:ranks')?.ranks).toBe('3');
  });

  it('says nothing of even work, of one rank, and of what only waits', () => {
    const even = found({ region: solve, seconds: [1, 1.02, 0.99, 1.01] }, 4);
    const alone = found({ region: solve, seconds: [1] }, 1);
    const waiting = found(
      {
        region: solve,
        seconds: [1, 1],
        calls: [{ region: mpi('MPI_Recv', 'point2point'), seconds: [0, 1] }],
      },
      2,
    );
    for (const properties of [even, alone, waiting])
      expect(properties.filter(({ kind }) => kind === 'imbalance')).toEqual([]);
  });

  it('tells work that one rank does alone from work that takes it longer', () => {
    const properties = found(
      {
        region: main,
        seconds: [1, 1, 1],
        calls: [
          { region: solve, seconds: [1, 0, 0] },
          { region: mpi('MPI_Barrier', 'barrier'), seconds: [0, 0, 0] },
        ],
      },
      3,
    );
    expect(byId(properties, 'imbalance:ranks:solve@/src/a.c:10')?.title).toMatch(
      /^solve is done nearly alone by rank 0 \(of 3 ranks\) \(costs 33\.3 % of the run time of the slowest rank\)$/,
    );
  });

  it('compares the threads of a rank in what several of them execute, and counts what one does alone', () => {
    const parallel = { name: '!$omp parallel @a.c:20', paradigm: 'openmp', role: 'parallel', firstLine: 20 };
    const properties = found(
      { region: main, seconds: [1, 0], calls: [{ region: parallel, seconds: [1, 3] }] },
      1,
      2,
    );
    expect(byId(properties, 'imbalance:threads')).toMatchObject({
      ranks: '0',
      title:
        'Work of the whole run is unbalanced over threads: thread 1 computes 50.0 % longer than the average (costs 33.3 % of the run time of the slowest thread)',
    });
    expect(byId(properties, 'imbalance:one-thread')?.evidence).toMatchObject({
      oneThreadSeconds: 1,
      threads: 2,
    });
    expect(byId(properties, 'imbalance:ranks')).toBeUndefined();
  });
});

describe('threads that are no team', () => {
  it('are compared without the one that started them', () => {
    // Pthreads: the workers have a root of their own, and the first thread works before.
    const profile = runOf(
      {
        region: main,
        seconds: [4, 0, 0],
        calls: [{ region: { name: 'worker', firstLine: 30 }, seconds: [0, 1, 3] }],
      },
      1,
      3,
    );
    const properties = findProperties({ profile });
    expect(byId(properties, 'imbalance:threads:worker@/src/a.c:30')?.evidence).toMatchObject({
      threads: 2,
      meanSeconds: 2,
      lostSeconds: 1,
    });
    // The first may have worked while the others did, or waited for them: nothing is known of it.
    expect(byId(properties, 'imbalance:one-thread')).toBeUndefined();
  });
});

describe('activities', () => {
  it('tell what MPI takes, by kind of operation, and lead to its callers', () => {
    const properties = found(
      {
        region: main,
        seconds: [1, 1],
        calls: [
          {
            region: solve,
            seconds: [6, 6],
            calls: [
              { region: mpi('MPI_Allreduce', 'all2all'), seconds: [1, 1] },
              { region: mpi('MPI_Waitall'), seconds: [2, 2] },
            ],
          },
        ],
      },
      2,
    );
    const run = byId(properties, 'communication:run');
    expect(run?.title).toBe(
      'Communication takes 30.0 % of the run time (20.0 % waiting for messages, 10.0 % collective, 4 calls)',
    );
    const waitall = properties.find(({ region }) => region?.name === 'MPI_Waitall');
    expect(waitall).toMatchObject({
      refines: 'communication:run',
      kind: 'communication',
      region: { file: '/src/a.c', line: 10 },
      callPath: ['main', 'solve', 'MPI_Waitall'],
    });
    expect(properties.some(({ kind, region }) => kind === 'hot-spot' && region?.name.startsWith('MPI'))).toBe(
      false,
    );
  });

  it('leave the start of MPI out of the whole where it would hide the rest', () => {
    const properties = found(
      {
        region: main,
        seconds: [0, 0],
        calls: [
          { region: mpi('MPI_Init'), seconds: [9, 9] },
          { region: solve, seconds: [1, 1] },
        ],
      },
      2,
    );
    expect(byId(properties, 'start-up:run')?.severity).toBeCloseTo(0.9, 9);
    const hot = byId(properties, 'hot-spot:solve@/src/a.c:10');
    expect(hot?.severity).toBeCloseTo(1, 9);
    expect(hot?.title).toMatch(/^solve itself takes 100 % of the time without MPI’s start and end$/);
  });

  it('name the function that an OpenMP construct stands in', () => {
    const barrier = {
      name: '!$omp implicit barrier @a.c:30',
      paradigm: 'openmp',
      role: 'implicit barrier',
      firstLine: 30,
    };
    const properties = found(
      { region: solve, seconds: [1, 0], calls: [{ region: barrier, seconds: [1, 2] }] },
      1,
      2,
    );
    expect(properties.find(({ region }) => region?.name === barrier.name)).toMatchObject({
      title: '!$omp implicit barrier @a.c:30 in solve takes 75.0 % of the run time',
      region: { file: '/src/a.c', line: 30 },
      refines: 'synchronisation:run',
    });
  });

  it('tell time outside all functions and in functions without a source', () => {
    const properties = found(
      {
        region: { name: 'a.out', paradigm: 'measurement', role: 'artificial', file: '' },
        seconds: [1],
        calls: [{ region: { name: 'libsolve_', file: '' }, seconds: [3] }],
      },
      1,
    );
    expect(byId(properties, 'unknown-time:unrecorded')?.severity).toBeCloseTo(0.25, 9);
    expect(byId(properties, 'unknown-time:no-source')?.title).toMatch(/libsolve_.*compile with -g$/);
    expect(properties.some(({ region }) => region?.name === 'a.out')).toBe(false);
  });
});

describe('foldIterations', () => {
  it('makes the passes of a dynamic region one', () => {
    const step = (number: number): Call => ({
      region: { name: `instance=${number}`, paradigm: 'user', role: 'unknown', file: '' },
      seconds: [0.5],
      calls: [{ region: solve, seconds: [number] }],
    });
    const loop = { name: 'timestep', paradigm: 'user', role: 'dynamic', firstLine: 5 };
    const profile = runOf(
      { region: main, seconds: [1], calls: [{ region: loop, seconds: [0], calls: [1, 2, 3].map(step) }] },
      1,
    );
    const folded = foldIterations(profile);
    expect([...folded.callPaths.region].map((region) => folded.regions[region]?.name)).toEqual([
      'main',
      'timestep',
      'solve',
    ]);
    expect([...exclusive(folded, 'visits')]).toEqual([1, 3, 3]);
    expect([...exclusive(folded, 'time')]).toEqual([1, 1.5, 6]);
    expect([...inclusive(folded, 'time')]).toEqual([8.5, 7.5, 6]);
  });

  it('leaves a profile without iterations alone', () => {
    const profile = runOf({ region: main, seconds: [1] }, 1);
    expect(foldIterations(profile)).toBe(profile);
  });
});

describe('rankSet', () => {
  it('is read back as the same set', () => {
    expect(rankSet([7, 0, 1, 3, 2])).toBe('0-3,7');
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500)), (ranks) => {
        const read = rankSet(ranks)
          .split(',')
          .filter((part) => part !== '')
          .flatMap((part) => {
            const [first = 0, last = first] = part.split('-').map(Number);
            return Array.from({ length: last - first + 1 }, (_, at) => first + at);
          });
        expect(read).toEqual([...ranks].sort((a, b) => a - b));
      }),
    );
  });
});

describe('properties of any profile', () => {
  it('are shares, have unique ids and refine what is there', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const properties = findProperties({ profile });
        const ids = new Set(properties.map(({ id }) => id));
        for (const { kind, severity, confidence, refines, evidence } of properties) {
          // That there are groups is no share of a time.
          expect(severity === undefined).toBe(kind === 'process-groups');
          if (severity === undefined) continue;
          expect(severity).toBeGreaterThanOrEqual(0);
          expect(severity).toBeLessThanOrEqual(1);
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(refines === undefined || ids.has(refines)).toBe(true);
          expect(Object.values(evidence).every(Number.isFinite)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  const read = (file: string | undefined): readonly Property[] =>
    file === undefined ? [] : findProperties({ profile: readCube(readFileSync(file), file) });
  const files = {
    mpi: sharedData('scorep/lulesh-mpi/lulesh.p8.s5/profile.cubex'),
    openmp: sharedData('scorep/lulesh-omp/lulesh.p1.t3.s6/profile.cubex'),
    blast: sharedData('scorep/foreign/blast.p64.r1/profile.cubex'),
    dynamic: sharedData('scorep/lulesh-dynamic/lulesh.s10.i250.dynamic/profile.cubex'),
    tiny: sharedData('scorep/tiny/tiny.256.unfiltered/profile.cubex'),
  };

  it.skipIf(files.mpi === undefined)(
    'LULESH on 8 ranks: communication, and a start that is most of the run',
    () => {
      const properties = read(files.mpi);
      expect(byId(properties, 'communication:run')?.severity).toBeGreaterThan(0.9);
      expect(byId(properties, 'start-up:run')?.severity).toBeCloseTo(0.757, 2);
      expect(
        properties.find(({ title }) => title.includes('when called from CommSend in CalcQForElems'))?.region,
      ).toMatchObject({ name: 'MPI_Waitall', line: 357 });
    },
  );

  it.skipIf(files.openmp === undefined)('LULESH on 3 threads: barriers, and what one thread does', () => {
    const properties = read(files.openmp);
    expect(byId(properties, 'synchronisation:run')?.severity).toBeCloseTo(0.614, 2);
    expect(byId(properties, 'imbalance:one-thread')?.evidence.threads).toBe(3);
  });

  it.skipIf(files.blast === undefined)(
    'a foreign profile of 64 ranks: the late ones of an unbalanced function',
    () => {
      const imbalance = read(files.blast).find(({ kind }) => kind === 'imbalance');
      expect(imbalance).toMatchObject({ ranks: '0-1,8-9', region: { name: 'ComputeCornerForces' } });
    },
  );

  it.skipIf(files.dynamic === undefined)(
    '231 iterations are one call path, with one hot spot per kernel',
    () => {
      const hot = read(files.dynamic).filter(({ kind }) => kind === 'hot-spot');
      expect(hot[0]?.region?.name).toContain('CalcHourglassControlForElems');
      expect(hot.filter(({ region }) => region?.name.includes('CalcHourglassControlForElems'))).toHaveLength(
        1,
      );
      expect(hot.some(({ region }) => region?.name.startsWith('instance='))).toBe(false);
    },
  );

  it.skipIf(files.tiny === undefined)(
    'a program of tiny functions: the profile shows the measurement',
    () => {
      const properties = read(files.tiny);
      expect(properties[0]).toMatchObject({ id: 'excessive-overhead:run', severity: 1 });
      expect(properties[0]?.title).toMatch(
        /^Recording costs nearly all of the run time \(10\.6 M visits × 70 ns\)/,
      );
      expect(byId(properties, 'hot-spot:_ZN6Finder5relaxEiii3Pos')?.title).toMatch(
        /most of it the cost of recording$/,
      );
    },
  );
});
