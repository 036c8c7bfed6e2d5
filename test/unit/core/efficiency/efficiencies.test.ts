import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { efficiencies, spentIn, type Efficiencies } from '../../../../src/core/efficiency/efficiencies';
import { countsAs } from '../../../../src/core/efficiency/countsAs';
import { efficiencyOf, type Efficiency } from '../../../../src/core/efficiency/efficiency';
import { isParallelRuntime, type Activity } from '../../../../src/core/functions/activities';
import { makeContext } from '../../../../src/core/problems/context/makeContext';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import { outermostOfRegion } from '../../../../src/core/profile/regions';
import { subtreeEnds } from '../../../../src/core/profile/tree';
import { workGroups } from '../../../../src/core/profile/workGroups';
import { addTo } from '../../../../src/core/sums';
import { readCube } from '../../../../src/formats/cube4/read';
import { sharedData } from '../../../shared';
import { runOf, type Call } from '../problems/runs';

const main = { name: 'main', firstLine: 1 };
const solve = { name: 'solve', firstLine: 10 };
const mpi = (name: string, role = 'function'): Call['region'] => ({
  name,
  paradigm: 'mpi',
  role,
  file: 'MPI',
});
const barrier = { name: '!$omp implicit barrier', paradigm: 'openmp', role: 'implicit barrier' };

function found(profile: Profile): Efficiencies {
  const result = efficiencies(makeContext({ profile }));
  if ('missing' in result) throw new Error(result.missing);
  return result;
}

function missing(root: Call, ranks: number, threads = 1): string | undefined {
  const result = efficiencies(makeContext({ profile: runOf(root, ranks, threads) }));
  return 'missing' in result ? result.missing : undefined;
}

function ofFunction(all: Efficiencies, profile: Profile, name: string): Efficiency | undefined {
  return all.functions.get(makeContext({ profile }).profile.regions.findIndex((one) => one.name === name));
}

/** Adds a metric of waiting in MPI: seconds by region and location. */
function withWaiting(
  profile: Profile,
  metrics: readonly Partial<Metric>[],
  seconds: readonly number[],
): Profile {
  const width = profile.locations.length;
  const stored = new Map(profile.stored);
  for (const { name = '' } of metrics) {
    const values = new Float64Array(profile.callPaths.count * width);
    profile.callPaths.region.forEach((region, path) => {
      if (profile.regions[region]?.name === 'MPI_Recv') values.set(seconds, path * width);
    });
    stored.set(name, values);
  }
  const waiting = metrics.map((metric): Metric => ({
    name: '',
    displayName: 'Late Sender',
    unit: 'sec',
    dtype: 'DOUBLE',
    stored: 'exclusive',
    combine: 'sum',
    description: '',
    ...metric,
  }));
  return { ...profile, stored, metrics: [...profile.metrics, ...waiting] };
}

describe('POP metrics of processes', () => {
  // Computation 5, 3, 3, 1 (mean 3); run time 6.
  const root: Call = {
    region: main,
    seconds: [1, 1, 1, 1],
    calls: [
      { region: mpi('MPI_Init'), seconds: [9, 9, 9, 9] },
      {
        region: solve,
        seconds: [4, 2, 2, 0],
        calls: [{ region: mpi('MPI_Recv', 'point2point'), seconds: [1, 2, 3, 5] }],
      },
    ],
  };

  it('of the run: mean and largest computation, and the run time without MPI’s start', () => {
    const { run, base, notes } = found(runOf(root, 4));
    expect(run).toEqual({
      parallel: 3 / 6,
      loadBalance: 3 / 5,
      communication: 5 / 6,
      processes: 4,
      locations: 4,
      runSeconds: 6,
      meanSeconds: 3,
      maximumSeconds: 5,
      slowestRanks: '0',
    });
    expect(base).toEqual({ run: 'profile', clock: 'wall', seconds: 6, leftOut: [] });
    expect(notes[0]).toBe('36 s of MPI’s start and end, of all processes together, are left out.');
    expect(notes[1]).toMatch(/^Serialisation and transfer cannot be separated/);
    expect(notes).toHaveLength(2);
  });

  it('of a function with its callees: a process that does nothing of it counts', () => {
    const profile = runOf(root, 4);
    const all = found(profile);
    // Computation 4, 2, 2, 0; the longest takes 5 s.
    expect(ofFunction(all, profile, 'solve')).toMatchObject({
      parallel: 2 / 5,
      loadBalance: 2 / 4,
      communication: 4 / 5,
      runSeconds: 5,
      slowestRanks: '0',
    });
    expect(ofFunction(all, profile, 'MPI_Recv')).toBeUndefined();
    expect([...all.functions]).toHaveLength(2);
  });

  it('the outermost of recursive calls counts, once', () => {
    const recursive: Call = {
      region: solve,
      seconds: [2, 1],
      calls: [
        {
          region: solve,
          seconds: [1, 1],
          calls: [{ region: mpi('MPI_Barrier', 'barrier'), seconds: [0, 1] }],
        },
      ],
    };
    const profile = runOf(recursive, 2);
    expect(ofFunction(found(profile), profile, 'solve')).toMatchObject({ meanSeconds: 2.5, runSeconds: 3 });
  });

  it('serialisation and transfer: what was waited in MPI, and the rest of the time there', () => {
    // Computation and waiting: 5.5, 5, 5, 5.5 of 6.
    const { run, notes } = found(withWaiting(runOf(root, 4), [{ name: 'mpi_latesender' }], [0.5, 2, 2, 4.5]));
    expect(run.serialisation).toBeCloseTo(5 / 5.5, 12);
    expect(run.transfer).toBeCloseTo(5.5 / 6, 12);
    expect((run.serialisation ?? 0) * (run.transfer ?? 0)).toBeCloseTo(run.communication, 12);
    expect(notes).toHaveLength(1);
  });

  it('a metric of waiting that is a part of another one does not count twice, and completion is no waiting', () => {
    const whole = found(withWaiting(runOf(root, 4), [{ name: 'mpi_latesender' }], [0.5, 2, 2, 4.5])).run;
    const metrics = [
      { name: 'mpi_latesender' },
      { name: 'mpi_late_sender_part', parent: 2 },
      { name: 'mpi_rma_early_wait', parent: 3 },
      { name: 'mpi_barrier_completion' },
    ];
    expect(found(withWaiting(runOf(root, 4), metrics, [0.5, 2, 2, 4.5])).run).toEqual(whole);
  });
});

describe('POP metrics of threads', () => {
  it('of one process: threads that wait at a barrier, or are not there, compute nothing', () => {
    const root: Call = {
      region: main,
      seconds: [2, 0],
      calls: [{ region: solve, seconds: [4, 2], calls: [{ region: barrier, seconds: [0, 2] }] }],
    };
    const profile = runOf(root, 1, 2);
    const all = found(profile);
    expect(all.run).toMatchObject({ parallel: 4 / 6, loadBalance: 4 / 6, communication: 1, locations: 2 });
    expect(all.run.mpi).toBeUndefined();
    expect(ofFunction(all, profile, 'solve')).toMatchObject({ parallel: 3 / 4, runSeconds: 4 });
  });

  it('of several processes: MPI × threads, and their factors', () => {
    // Threads compute 4, 2 and 2, 2; main threads are 1 and 3 s in MPI.
    const root: Call = {
      region: solve,
      seconds: [4, 2, 2, 2],
      calls: [
        { region: barrier, seconds: [0, 2, 1, 1] },
        { region: mpi('MPI_Recv', 'point2point'), seconds: [1, 0, 2, 0] },
      ],
    };
    const { run } = found(runOf(root, 2, 2));
    // Outside MPI: 4 and 3 of 5 s.
    expect(run.mpi).toEqual({ parallel: 3.5 / 5, loadBalance: 3.5 / 4, communication: 4 / 5 });
    expect(run.threads).toEqual({ parallel: 5 / 7, loadBalance: 5 / 6, communication: 6 / 7 });
    expect(run).toMatchObject({
      parallel: 2.5 / 5,
      loadBalance: 2.5 / 4,
      communication: 4 / 5,
      slowestRanks: '0',
    });
    const waiting = found(withWaiting(runOf(root, 2, 2), [{ name: 'mpi_latesender' }], [0, 0, 1.5, 0])).run;
    expect(waiting).toMatchObject({ serialisation: 4 / 4.5, transfer: 4.5 / 5 });
  });

  it('the main thread of a run is the first one, though others seem to be there longer by MPI’s start', () => {
    // As above, and the other threads wait for work while the first ones start and end MPI.
    const root: Call = {
      region: solve,
      seconds: [4, 2, 2, 2],
      calls: [
        { region: barrier, seconds: [0, 8, 1, 7] },
        { region: mpi('MPI_Init'), seconds: [6, 0, 6, 0] },
        { region: mpi('MPI_Recv', 'point2point'), seconds: [1, 0, 2, 0] },
      ],
    };
    const { run } = found(runOf(root, 2, 2));
    expect(run.runSeconds).toBe(5);
    expect(run.mpi).toEqual({ parallel: 3.5 / 5, loadBalance: 3.5 / 4, communication: 4 / 5 });
  });

  it('factors hold where a thread computes longer than the main one is there, whose clock stood still', () => {
    const root: Call = {
      region: solve,
      seconds: [1, 3, 2, 2],
      calls: [{ region: mpi('MPI_Recv', 'point2point'), seconds: [2.5, 0, 0.5, 0] }],
    };
    const { run } = found(withWaiting(runOf(root, 2, 2), [{ name: 'mpi_latesender' }], [2.5, 0, 0, 0]));
    // Outside MPI: 3 and 2 of 3.5 s.
    expect(run.threads).toEqual({ parallel: 4 / 5, loadBalance: 4 / 5, communication: 1 });
    expect(run.mpi).toEqual({ parallel: 2.5 / 3.5, loadBalance: 2.5 / 3, communication: 3 / 3.5 });
    expect(run).toMatchObject({ serialisation: 3 / 3.5, transfer: 1 });
  });
});

describe('a main thread that was pre-empted, whose time is then shorter than that of a worker that waits', () => {
  it('is the one whose time in MPI counts', () => {
    const root: Call = {
      region: solve,
      seconds: [3, 2, 3, 2],
      calls: [
        { region: barrier, seconds: [0, 4, 0, 4] },
        { region: mpi('MPI_Recv', 'point2point'), seconds: [2, 0, 2, 0] },
      ],
    };
    expect(found(runOf(root, 2, 2)).run.mpi).toEqual({
      parallel: 3 / 5,
      loadBalance: 1,
      communication: 3 / 5,
    });
  });
});

describe('what a profile does not show', () => {
  it('is a reason, and no number', () => {
    expect(missing({ region: main, seconds: [1] }, 1)).toMatch(/nothing is parallel/);
    expect(missing({ region: main, seconds: [1, 2] }, 2)).toMatch(/no MPI function/);
    expect(missing({ region: main, seconds: [1, 2] }, 1, 2)).toMatch(/neither barriers nor blocked time/);
    const onlyMpi = { region: mpi('MPI_Barrier', 'barrier'), seconds: [1, 2] };
    expect(missing(onlyMpi, 2)).toBe('Nothing computes in this profile.');
  });

  it('is a note where processes can be told and threads cannot', () => {
    const root: Call = {
      region: main,
      seconds: [1, 1, 2, 2],
      calls: [{ region: mpi('MPI_Barrier', 'barrier'), seconds: [1, 0, 0, 0] }],
    };
    expect(found(runOf(root, 2, 2)).notes).toContain(
      'Threads that wait for each other count as computing: the profile shows neither barriers nor blocked time.',
    );
  });
});

/** Seconds of processes with threads each: computing, at the barrier, and in MPI. */
const anyRun = fc
  .record({ ranks: fc.integer({ min: 2, max: 4 }), threads: fc.integer({ min: 1, max: 3 }) })
  .chain(({ ranks, threads }) => {
    const column = (most: number): fc.Arbitrary<number[]> =>
      fc.array(fc.double({ min: 0, max: most, noNaN: true }), {
        minLength: ranks * threads,
        maxLength: ranks * threads,
      });
    return fc.record({
      ranks: fc.constant(ranks),
      threads: fc.constant(threads),
      work: column(10).map((values) => values.map((value) => value + 0.1)),
      idle: column(3),
      inMpi: column(5).map((values) => values.map((value, i) => (i % threads === 0 ? value : 0))),
    });
  });

describe('for any run', () => {
  it('metrics are between 0 and 1, and products are what they are products of', () => {
    fc.assert(
      fc.property(anyRun, ({ ranks, threads, work, idle, inMpi }) => {
        const calls: Call[] = [
          { region: mpi('MPI_Recv', 'point2point'), seconds: inMpi, visits: inMpi.map(() => 1) },
          { region: barrier, seconds: idle },
        ];
        const { run } = found(runOf({ region: solve, seconds: work, calls }, ranks, threads));
        for (const { parallel, loadBalance, communication } of [run, run.mpi ?? run, run.threads ?? run]) {
          expect(parallel).toBeCloseTo(loadBalance * communication, 9);
          for (const value of [parallel, loadBalance, communication]) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
        }
        expect(run.mpi !== undefined).toBe(threads > 1);
        if (run.mpi !== undefined && run.threads !== undefined)
          expect(run.mpi.parallel * run.threads.parallel).toBeCloseTo(run.parallel, 9);
      }),
    );
  });
});

/** Call trees of few functions, which call themselves and each other; seconds of up to six locations, the last ones waiting in MPI. */
const anyTree = fc.record({
  paths: fc.array(
    fc.record({
      above: fc.nat(),
      region: fc.nat(5),
      seconds: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 5, noNaN: true })), {
        minLength: 6,
        maxLength: 6,
      }),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  ranks: fc.integer({ min: 2, max: 3 }),
  threads: fc.integer({ min: 1, max: 2 }),
  waits: fc.boolean(),
});
const regionsOfTrees = [
  ...['f', 'g', 'h'].map((name) => ({ name })),
  mpi('MPI_Recv', 'point2point'),
  mpi('MPI_Init'),
  barrier,
];

function treeOf(
  paths: readonly { above: number; region: number; seconds: readonly number[] }[],
  width: number,
) {
  const calls = paths.map(({ region, seconds }) => ({
    region: regionsOfTrees[region] ?? barrier,
    seconds: seconds.slice(0, width),
    calls: [] as Call[],
  }));
  calls.forEach((call, i) => {
    if (i > 0) calls[(paths[i]?.above ?? 0) % i]?.calls.push(call);
  });
  return { region: main, seconds: new Array<number>(width).fill(1), calls: calls.slice(0, 1) };
}

describe('of each function of any call tree', () => {
  it('are those of what is below its outermost call paths', () => {
    fc.assert(
      fc.property(anyTree, ({ paths, ranks, threads, waits }) => {
        const plain = runOf(treeOf(paths, ranks * threads), ranks, threads);
        const seconds = Array.from({ length: ranks * threads }, (_, location) => 0.01 * location);
        const context = makeContext({
          profile: waits ? withWaiting(plain, [{ name: 'mpi_latesender' }], seconds) : plain,
        });
        const all = efficiencies(context);
        if ('missing' in all) return;
        const some = Uint32Array.from({ length: ranks * threads - 1 }, (_, at) => at + 1);
        expect(efficiencies(context, some, spentIn(context))).toEqual(efficiencies(context, some));
        const { profile, activities, cells, elapsed } = context;
        const width = profile.locations.length;
        const { region } = profile.callPaths;
        const ends = subtreeEnds(profile.callPaths);
        const outermost = outermostOfRegion(profile);
        profile.regions.forEach((_, own) => {
          if (isParallelRuntime(activities[own]) || !region.includes(own)) return;
          const sum = (values: Float64Array, counts: (activity: Activity) => boolean): Float64Array => {
            const sums = new Float64Array(width);
            region.forEach((at, path) => {
              if (at !== own || outermost[path] === 0) return;
              for (let below = path; below < (ends[path] ?? 0); below++)
                if (counts(activities[region[below] ?? 0] ?? 'artificial'))
                  addTo(sums, values.subarray(below * width, (below + 1) * width));
            });
            return sums;
          };
          const waiting = profile.stored.get('mpi_latesender');
          const times = {
            computing: sum(cells, countsAs.computing),
            elapsed: sum(elapsed.cells, countsAs.elapsed),
            mpi: sum(elapsed.cells, countsAs.mpi),
            ...(waiting === undefined ? {} : { mpiWaiting: sum(waiting, countsAs.mpi) }),
          };
          const expected = efficiencyOf(workGroups(profile.locations), times, false);
          expect(rounded(all.functions.get(own))).toEqual(rounded(expected));
        });
      }),
    );
  });
});

/** Sums in another order are off by roundings. */
function rounded(efficiency: Efficiency | undefined): unknown {
  return JSON.parse(
    JSON.stringify(efficiency ?? 'none', (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  );
}

/** Calculated by a script of its own from `profile.values.csv.gz`: sums of exclusive times of regions by name, per location. */
const golden = [
  ['lulesh-mpi/lulesh.p8.s5', undefined, 0.02734339994, 0.92344712568, 0.02961014137, 0.12308631933],
  ['lulesh-mpi/lulesh.p8.s5', 'LagrangeLeapFrog', 0.02868673708, 0.91620911385, 0.03131025074, 0.11123299268],
  ['foreign/kripke.p8.d2.g32.r1', undefined, 0.93940613949, 0.99698376143, 0.94224818481, 18.52667515],
  ['foreign/kripke.p8.d2.g32.r1', 'Sweep', 0.61578414574, 0.93947741328, 0.65545391197, 3.81846909625],
  ['foreign/blast.p64.r1', undefined, 0.78546544487, 0.93853624704, 0.83690475178, 44.39673557188],
  ['foreign/blast.p64.r1', 'ComputeCornerForces', 0.8651045594, 0.87024958741, 0.99408787078, 20.24069425688],
  ['lulesh-omp/lulesh.p1.t3.s6', undefined, 0.22136170141, 0.34018359379, 0.65071245484, 0.53356553058],
] as const;

describe('real profiles', () => {
  it.each(golden)(
    '%s, %s: as calculated by hand',
    (folder, name, parallel, balance, communication, seconds) => {
      const file = sharedData(`scorep/${folder}/profile.cubex`);
      if (file === undefined) return;
      const context = makeContext({ profile: readCube(readFileSync(file), file) });
      const all = efficiencies(context);
      if ('missing' in all) throw new Error(all.missing);
      const { run, functions } = all;
      const own = name === undefined ? run : functions.get(context.names.indexOf(name));
      expect(own?.parallel).toBeCloseTo(parallel, 9);
      expect(own?.loadBalance).toBeCloseTo(balance, 9);
      expect(own?.communication).toBeCloseTo(communication, 9);
      expect(own?.runSeconds).toBeCloseTo(seconds, 9);
    },
  );

  it('a phase has metrics of its own', () => {
    const iteration = (n: number): Call => ({
      region: { name: `instance=${n}`, role: 'dynamic', paradigm: 'user' },
      seconds: [0, 0],
      calls: [
        { region: solve, seconds: [2, 1] },
        { region: mpi('MPI_Barrier', 'barrier'), seconds: [0, 1] },
      ],
    });
    const root: Call = {
      region: main,
      seconds: [1, 1],
      calls: [
        { region: { name: 'step', firstLine: 5 }, seconds: [0, 0], calls: [iteration(1), iteration(2)] },
      ],
    };
    const profile = runOf(root, 2);
    const { phase } = found(profile);
    expect(phase?.efficiency).toMatchObject({ parallel: 3 / 4, loadBalance: 3 / 4, runSeconds: 4 });
  });
});
