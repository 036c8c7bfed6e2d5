import {
  refusedCountersAttribute,
  refusedCountersText,
} from '../../../../../src/core/profile/hardwareCounters';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesOf } from '../../../../../src/core/diagnosis/findings/searchedPlaces';
import { moduleNames } from '../../../../../src/core/diagnosis/resources/codeNames';
import type { RecordedValues } from '../../../../../src/core/diagnosis/recorded/recordedValues';
import type { Focus } from '../../../../../src/core/diagnosis/resources/focus';
import { efficiencies } from '../../../../../src/core/efficiency/efficiencies';
import type { Profile } from '../../../../../src/core/profile/profile';
import { exclusivePerLocation } from '../../../../../src/core/profile/values';
import { readCube } from '../../../../../src/formats/cube4/read';
import { sharedData } from '../../../../shared';
import { runOf, type Call } from '../../problems/runs';
import { at, runsOf, searched, valuesOf, withMetric } from './searched';

const fixture = path.resolve(import.meta.dirname, '../../../../fixtures/cube4/lulesh-mpi.cubex');
const mpi = (name: string, role: string): Call['region'] => ({ name, paradigm: 'mpi', role, file: 'MPI' });
const value = (values: RecordedValues, metric: string, focus: Partial<Focus> = {}): number => {
  const answer = values.answer(metric, at(focus));
  if ('missing' in answer) throw new Error(answer.missing);
  return answer.value;
};
const missing = (values: RecordedValues, metric: string, focus: Partial<Focus> = {}): string | undefined => {
  const answer = values.answer(metric, at(focus));
  return 'missing' in answer ? answer.missing : undefined;
};

/** Two processes of 10 s each: rank 0 computes 2 + 5 s and waits 3 s, rank 1 computes 1 + 1 s and waits 8 s. */
const uneven = runOf(
  {
    region: { name: 'main', firstLine: 1 },
    seconds: [2, 1],
    calls: [
      {
        region: { name: 'solve', firstLine: 10, file: '/src/b.c' },
        seconds: [5, 1],
        calls: [{ region: mpi('MPI_Recv', 'point2point'), seconds: [1, 5] }],
      },
      { region: mpi('MPI_Barrier', 'barrier'), seconds: [2, 3] },
    ],
  },
  2,
);
const rank = (number: number): Partial<Focus> => ({ Machine: ['machine', `rank ${number}`] });
const solve = ['b.c', 'solve'];

describe('values of a finished measurement', () => {
  const values = valuesOf(uneven);

  test('are inclusive shares of the time of the processes of the focus', () => {
    expect(value(values, 'computing')).toBeCloseTo(9 / 20, 12);
    expect(value(values, 'computing', { Code: solve })).toBeCloseTo(6 / 20, 12);
    expect(value(values, 'computing', { Code: solve, ...rank(0) })).toBeCloseTo(5 / 10, 12);
    expect(value(values, 'computing', { Code: ['a.c'] })).toBeCloseTo(9 / 20, 12);
    expect(value(values, 'synchronisation')).toBeCloseTo(11 / 20, 12);
    expect(value(values, 'synchronisation', { Code: solve, ...rank(1) })).toBeCloseTo(5 / 10, 12);
  });

  test('of synchronisation objects are of the calls of that type or function', () => {
    expect(value(values, 'synchronisation', { SyncObject: ['Message'] })).toBeCloseTo(6 / 20, 12);
    expect(
      value(values, 'synchronisation', { SyncObject: ['Collective', 'MPI_Barrier'], ...rank(1) }),
    ).toBeCloseTo(3 / 10, 12);
    expect(
      value(values, 'synchronisation', { SyncObject: ['Message', 'MPI_Recv'], Code: solve }),
    ).toBeCloseTo(6 / 20, 12);
    expect(missing(values, 'computing', { SyncObject: ['Message'] })).toBe(
      'Only waiting for others belongs to synchronisation objects.',
    );
  });

  test('of an imbalance are what the slowest has more than the mean, of the run time', () => {
    // 7 and 2 s: mean 4.5 s.
    expect(value(values, 'processImbalance')).toBeCloseTo(2.5 / 10, 12);
    expect(value(values, 'processImbalance', { Code: solve })).toBeCloseTo(2 / 10, 12);
    expect(values.lateRanks('processImbalance', at({}))).toEqual([0]);
    expect(missing(values, 'processImbalance', rank(0))).toBe('There is one process only.');
  });

  test('of waiting in MPI are of its metrics', () => {
    const waiting = withMetric(withMetric(uneven, 'mpi_latesender', { MPI_Recv: [0.5, 4] }), 'mpi_wait_nxn', {
      MPI_Barrier: [1, 2],
    });
    const waits = valuesOf(waiting);
    expect(value(waits, 'lateSender', { Code: solve, ...rank(1) })).toBeCloseTo(0.4, 12);
    expect(value(waits, 'collectiveWaiting')).toBeCloseTo(3 / 20, 12);
    expect(value(waits, 'mpiWaiting')).toBeCloseTo(7.5 / 20, 12);
    expect(value(waits, 'mpiWaiting', { SyncObject: ['Message'] })).toBeCloseTo(4.5 / 20, 12);
    expect(missing(waits, 'lateReceiver')).toBe('The profile has waiting in MPI, but none of this kind.');
  });

  test('what the profile does not show is said, with what to record', () => {
    expect(missing(values, 'lateSender')).toBe(
      'The profile has no metrics of waiting in MPI (such as mpi_latesender): measure with Kymo’s own back-end, or analyse a trace with Scalasca.',
    );
    expect(missing(values, 'barrierWaiting')).toBe('No process has several threads.');
    expect(missing(values, 'inputOutput')).toMatch(/"io": true in kymo\.json.*--io=posix/);
    expect(missing(values, 'cacheMisses')).toMatch(
      /"counters": true in kymo\.json.*SCOREP_METRIC_PAPI=PAPI_TOT_INS,PAPI_L3_TCM/,
    );
    const attributes = new Map([[refusedCountersAttribute, refusedCountersText({ error: 13, paranoid: 3 })]]);
    for (const metric of ['cacheMisses', 'memoryTraffic'] as const)
      expect(missing(valuesOf({ ...uneven, attributes }), metric)).toMatch(
        /kernel\.perf_event_paranoid is 3\./,
      );
    expect(missing(valuesOf({ ...uneven, attributes }), 'inputOutput')).toMatch(/"io": true/);
    expect(missing(values, 'computng')).toBe('There is no metric "computng"; did you mean "computing"?');
    expect(missing(values, 'computing', { Code: ['a.c', 'nobody'] })).toBe(
      'The profile has no /Code/a.c/nobody.',
    );
    const alone = valuesOf(runOf({ region: { name: 'main' }, seconds: [1] }, 1));
    expect(missing(alone, 'synchronisation')).toMatch(/^The run has one process with one thread/);
    const hidden = valuesOf(runOf({ region: { name: 'main' }, seconds: [1, 2] }, 2));
    expect(missing(hidden, 'processImbalance')).toContain('record MPI calls');
    expect(hidden.notes).toEqual(['Waiting in MPI counts as computing: the profile has no MPI functions.']);
  });

  test('that a busy machine prolonged waiting is said', () => {
    const busy = (preempted: string): readonly string[] => {
      const attributes = new Map([
        ['kymo::preemptedSeconds', preempted],
        ['kymo::recordedCpuSeconds', '9'],
      ]);
      return valuesOf({ ...uneven, attributes }).notes;
    };
    expect(busy('3')).toEqual([
      expect.stringMatching(
        /^Threads were pre-empted for 25\.0 % of the time in which they could have run\./,
      ),
    ]);
    expect(busy('0.1')).toEqual([]);
  });

  test('of input and output are bytes of an operation, and cache misses of instructions', () => {
    const io = runOf(
      {
        region: { name: 'main' },
        seconds: [6],
        calls: [
          { region: { name: 'read', paradigm: 'io', role: 'file io' }, seconds: [3], visits: [8] },
          { region: { name: 'open', paradigm: 'io', role: 'file io metadata' }, seconds: [1], visits: [100] },
        ],
      },
      1,
    );
    const counted = valuesOf(
      withMetric(
        withMetric(withMetric(io, 'io_bytes_read', { read: [4096] }), 'PAPI_TOT_INS', {
          main: [1e6],
          read: [5e5],
        }),
        'PAPI_L3_TCM',
        { main: [2e4], read: [1e4] },
      ),
    );
    expect(value(counted, 'inputOutput')).toBeCloseTo(0.4, 12);
    expect(value(counted, 'bytesPerOperation')).toBe(512);
    expect(value(counted, 'cacheMisses')).toBeCloseTo(20, 12);
    expect(value(counted, 'memoryTraffic')).toBeCloseTo((2e4 * 64) / 6, 6);
    const own = withMetric(withMetric(io, 'instructions', { main: [1e6] }), 'cache_misses', { main: [2e4] });
    expect(value(valuesOf(own), 'cacheMisses')).toBeCloseTo(20, 12);
    expect(value(valuesOf(own), 'memoryTraffic')).toBeCloseTo((2e4 * 64) / 6, 6);
  });
});

describe('threads', () => {
  // 2 threads: 4 s serial, then a parallel region of 6 and 3 s with a barrier of 0 and 3 s.
  const threads = runOf(
    {
      region: { name: 'main' },
      seconds: [4, 0],
      calls: [
        {
          region: { name: '!$omp parallel @a.c:5', paradigm: 'openmp', role: 'parallel' },
          seconds: [6, 3],
          calls: [
            {
              region: { name: '!$omp implicit barrier @a.c:9', paradigm: 'openmp', role: 'implicit barrier' },
              seconds: [0, 3],
            },
          ],
        },
      ],
    },
    1,
    2,
  );
  const values = valuesOf(threads);

  test('the time of a thread is that of its process', () => {
    expect(value(values, 'computing')).toBeCloseTo(13 / 20, 12);
    expect(value(values, 'barrierWaiting')).toBeCloseTo(3 / 20, 12);
    expect(value(values, 'barrierWaiting', { Machine: ['machine', 'rank 0', 'thread 1'] })).toBeCloseTo(
      3 / 10,
      12,
    );
    expect(value(values, 'lockWaiting')).toBe(0);
  });

  test('the serial part is of the time of the process, and no imbalance of threads', () => {
    expect(value(values, 'serial')).toBeCloseTo(4 / 10, 12);
    expect(value(values, 'threadImbalance')).toBeCloseTo(1.5 / 10, 12);
  });

  test('the waiting of the others that the first thread counts, too (omp_idle), is the time of their barriers', () => {
    const idle = valuesOf(withMetric(threads, 'omp_idle', { '!$omp parallel @a.c:5': [3, 0] }));
    for (const metric of ['barrierWaiting', 'synchronisation'])
      expect(value(idle, metric)).toBe(value(values, metric));
  });

  test('wait by the clock of the wall, also while another one is pre-empted: parts that exclude each other are not more than the whole', () => {
    const waits = valuesOf(
      runOf(
        {
          region: { name: 'main' },
          seconds: [10, 0],
          calls: [
            {
              region: { name: '!$omp parallel @a.c:5', paradigm: 'openmp', role: 'parallel' },
              seconds: [0, 3],
              calls: [
                {
                  region: { name: '!$omp barrier @a.c:9', paradigm: 'openmp', role: 'barrier' },
                  seconds: [0, 12],
                },
              ],
            },
          ],
        },
        1,
        2,
      ),
    );
    for (const thread of ['thread 0', 'thread 1']) {
      const at = { Machine: ['machine', 'rank 0', thread] };
      const parts = ['computing', 'synchronisation'].map((metric) => value(waits, metric, at));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(1 + 1e-12);
    }
  });
});

test('threads that rest until the next parallel region are not blocked, and not what the run time is of', () => {
  // The first thread was pre-empted for 4 s, which its time does not have, and slept for 1 s; the other one rested for 8 s.
  const resting = withMetric(
    runOf(
      {
        region: { name: 'program' },
        seconds: [0, 8],
        calls: [
          {
            region: { name: 'main' },
            seconds: [4, 0],
            calls: [
              {
                region: { name: '!$omp parallel @a.c:5', paradigm: 'openmp', role: 'parallel' },
                seconds: [2, 2],
              },
            ],
          },
        ],
      },
      1,
      2,
    ),
    'waiting_time',
    { program: [0, 8], main: [1, 0] },
  );
  const values = valuesOf(resting);
  expect(value(values, 'blocked')).toBeCloseTo(1 / 12, 12);
  expect(value(values, 'serial')).toBeCloseTo(3 / 6, 12);
  expect(value(values, 'computing', { Machine: ['machine', 'rank 0', 'thread 1'] })).toBeCloseTo(2 / 6, 12);
});

describe('independent computation', () => {
  /** Directly from the cells: time of MPI functions below the outermost calls of a function, of one rank, by the time of all roots without MPI's start and end. */
  function naive(
    profile: Profile,
    name: string | undefined,
    wanted: (own: string) => boolean,
    location?: number,
  ): number {
    const cells = exclusivePerLocation(profile, 'time');
    const width = profile.locations.length;
    const nameOf = (p: number): string => profile.regions[profile.callPaths.region[p] ?? 0]?.name ?? '';
    let [part, whole] = [0, 0];
    for (let p = 0; p < profile.callPaths.count; p++) {
      let isBelow = name === undefined;
      for (let above = p; above >= 0; above = profile.callPaths.parent[above] ?? -1)
        if (nameOf(above) === name) isBelow = true;
      for (let l = 0; l < width; l++) {
        if (location !== undefined && l !== location) continue;
        const seconds = cells[p * width + l] ?? 0;
        if (/^MPI_(Init|Finalize)/.test(nameOf(p))) continue;
        whole += seconds;
        if (isBelow && wanted(nameOf(p))) part += seconds;
      }
    }
    return part / whole;
  }

  const files: readonly (readonly [string, string | undefined])[] = [
    ['fixture', fixture],
    ['lulesh-mpi', sharedData('scorep/lulesh-mpi/lulesh.p8.s5/profile.cubex')],
    ['lulesh-mpi unfiltered', sharedData('scorep/lulesh-mpi/lulesh.p8.s5.unfiltered/profile.cubex')],
  ];
  for (const [title, file] of files)
    test.skipIf(file === undefined)(
      `shares of ${title} are those of its cells, for each function and rank`,
      () => {
        const profile = readCube(readFileSync(file ?? ''), 'profile.cubex');
        const values = valuesOf(profile);
        const isMpi = (own: string): boolean => own.startsWith('MPI_');
        expect(value(values, 'synchronisation')).toBeCloseTo(naive(profile, undefined, isMpi), 9);
        values.resources.code.paths.forEach((code, region) => {
          if (code === undefined) return;
          const { name } = profile.regions[region] ?? { name: '' };
          for (const location of [undefined, 0, 5]) {
            const [host = ''] = values.resources.machine.children.get('') ?? [];
            const focus = { Code: code, Machine: location === undefined ? [] : [host, `rank ${location}`] };
            expect(value(values, 'synchronisation', focus)).toBeCloseTo(
              naive(profile, name, isMpi, location),
              9,
            );
            expect(value(values, 'computing', focus)).toBeCloseTo(
              naive(profile, name, (own) => !isMpi(own), location),
              9,
            );
          }
        });
      },
    );

  test('what the processes lose by imbalance is what their load balance costs of the efficiency', () => {
    const profile = readCube(readFileSync(fixture), fixture);
    const values = valuesOf(profile);
    const found = efficiencies(values.context);
    if ('missing' in found) throw new Error(found.missing);
    const { communication, parallel } = found.run;
    expect(value(values, 'processImbalance')).toBeCloseTo(communication - parallel, 9);
    expect(value(values, 'computing')).toBeLessThanOrEqual(1);
  });

  test('the values of the hosts, processes and threads of a focus add up to its value', () => {
    const seconds = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(seconds, seconds, (own, waiting) => {
        const profile = runOf(
          {
            region: { name: 'main' },
            seconds: own,
            calls: [{ region: mpi('MPI_Recv', 'point2point'), seconds: waiting }],
          },
          6,
        );
        const runs = runsOf(profile);
        const values = runs.first;
        const places = placesOf(searched(runs));
        const sum = [0, 1, 2, 3, 4, 5].reduce(
          (all, number) =>
            all + value(values, 'computing', rank(number)) * places.partOf('computing', at(rank(number))),
          0,
        );
        expect(sum).toBeCloseTo(value(values, 'computing'), 9);
      }),
    );
  });
});

test('modules have the shortest names that tell their files apart', () => {
  const names = moduleNames(['/a/x/util.c', '/a/y/util.c', '/a/main.c', 'util.c']);
  expect([...names]).toEqual(
    expect.arrayContaining([
      ['/a/x/util.c', 'x/util.c'],
      ['/a/y/util.c', 'y/util.c'],
      ['/a/main.c', 'main.c'],
      ['util.c', 'util.c'],
    ]),
  );
});
