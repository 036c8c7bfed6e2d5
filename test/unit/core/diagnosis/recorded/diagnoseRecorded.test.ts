import { describe, expect, test } from 'vitest';
import { publishedHypotheses } from '../../../../../src/core/diagnosis/hypotheses/published';
import { findings } from '../../../../../src/core/diagnosis/findings/findings';
import { placesOf } from '../../../../../src/core/diagnosis/findings/searchedPlaces';
import type { Property } from '../../../../../src/core/properties/property';
import type { Profile } from '../../../../../src/core/profile/profile';
import type { RecordedRuns } from '../../../../../src/core/diagnosis/recorded/recordedRuns';
import { runOf, type Call } from '../../problems/runs';
import { nodeAt, runsOf, searched, withMetric } from './searched';

const recv: Call['region'] = { name: 'MPI_Recv', paradigm: 'mpi', role: 'point2point', file: 'MPI' };
const found = (runs: RecordedRuns): readonly Property[] => {
  const record = searched(runs);
  return findings(record, placesOf(record)).map(({ property }) => property);
};
const brief = (runs: RecordedRuns): readonly string[] => found(runs).map(({ title }) => title);

/** Four processes of 10 s: in `exchange`, ranks 2 and 3 wait 8 s for late senders, ranks 0 and 1 compute. */
const lateSender = withMetric(
  runOf(
    {
      region: { name: 'main', firstLine: 1 },
      seconds: [1, 1, 1, 1],
      calls: [
        { region: { name: 'heavy', firstLine: 20 }, seconds: [9, 9, 0, 0] },
        {
          region: { name: 'exchange', firstLine: 41, file: '/src/halo.c' },
          seconds: [0, 0, 0, 0],
          calls: [{ region: recv, seconds: [0, 0, 9, 9] }],
        },
      ],
    },
    4,
  ),
  'mpi_latesender',
  { MPI_Recv: [0, 0, 8, 8] },
);

describe('the search in a finished measurement', () => {
  test('names why, where in the source, and on which ranks', () => {
    const property = found(runsOf(lateSender)).find(({ id }) => id.startsWith('diagnosis:LateSender'));
    expect(property).toMatchObject({
      id: 'diagnosis:LateSender:exchange@/src/halo.c:41:Message/MPI_Recv',
      kind: 'diagnosis',
      title: 'Waiting for late senders in exchange (MPI_Recv) takes 80.0 % of the time of ranks 2-3',
      region: { name: 'exchange', file: '/src/halo.c', line: 41 },
      ranks: '2-3',
      refines: 'diagnosis:ExcessiveSyncWaitingTime',
      base: { run: 'run', clock: 'wall', seconds: 40 },
      origin: { run: 'run', analysis: 'diagnosis' },
    });
    expect(property?.severity).toBeCloseTo(16 / 40, 12);
    expect(property?.evidence).toEqual({
      focusShare: expect.closeTo(0.8, 12) as number,
      thresholdShare: 0.05,
      seconds: expect.closeTo(16, 9) as number,
      processes: 2,
    });
  });

  test('of several runs, has the least and the most of them beside the mean', () => {
    const waiting = (seconds: number): Profile =>
      runOf(
        {
          region: { name: 'main', firstLine: 1 },
          seconds: [10 - seconds, 10 - seconds],
          calls: [{ region: recv, seconds: [seconds, seconds] }],
        },
        2,
      );
    const property = found(runsOf(waiting(3), waiting(5), waiting(4))).find(
      ({ id }) => id === 'diagnosis:ExcessiveSyncWaitingTime',
    );
    expect(property?.evidence).toMatchObject({
      runs: 3,
      focusShare: expect.closeTo(0.4, 12) as number,
      leastFocusShare: expect.closeTo(0.3, 12) as number,
      mostFocusShare: expect.closeTo(0.5, 12) as number,
    });
    // Of two ranks, the mean of each run: the smallest of one rank and the largest of the other one say nothing.
    const ranks = (first: number, second: number): Profile =>
      runOf(
        {
          region: { name: 'main', firstLine: 1 },
          seconds: [10 - first, 10 - second, 10, 10, 10, 10],
          calls: [{ region: recv, seconds: [first, second, 0, 0, 0, 0] }],
        },
        6,
      );
    const both = found(runsOf(ranks(3, 5), ranks(5, 3))).find(({ ranks: own }) => own === '0-1');
    expect(both?.evidence).toMatchObject({ runs: 2 });
    for (const name of ['leastFocusShare', 'mostFocusShare'])
      expect(both?.evidence[name]).toBeCloseTo(0.4, 12);
  });

  test('an OpenMP construct without a line is in its function, and its name has no address', () => {
    const construct = (name: string, role: string): Call['region'] => ({
      name,
      paradigm: 'openmp',
      role,
      file: '',
    });
    const parallel = (waited: number): Call => ({
      region: construct('!$omp parallel', 'parallel'),
      seconds: [0, 5],
      calls: [{ region: construct('!$omp implicit barrier', 'implicit barrier'), seconds: [waited, 0] }],
    });
    const inOne = runOf(
      {
        region: { name: 'main', firstLine: 1 },
        seconds: [1, 0],
        calls: [{ region: { name: 'solve', firstLine: 20 }, seconds: [0, 0], calls: [parallel(9)] }],
      },
      1,
      2,
    );
    const waiting = found(runsOf(inOne)).find(({ id }) => id.startsWith('diagnosis:WaitingAtBarriers:'));
    expect(waiting).toMatchObject({
      title:
        'Waiting at barriers of threads in !$omp parallel in solve (!$omp implicit barrier) takes 90.0 % of the time of thread 0',
      region: { name: 'solve', file: '/src/a.c', line: 20 },
    });
    // One of two functions: it is not known in which.
    const inTwo = runOf(
      {
        region: { name: 'main', firstLine: 1 },
        seconds: [1, 0],
        calls: [
          { region: { name: 'solve', firstLine: 20 }, seconds: [0, 0], calls: [parallel(4)] },
          { region: { name: 'update', firstLine: 30 }, seconds: [0, 0], calls: [parallel(5)] },
        ],
      },
      1,
      2,
    );
    expect(brief(runsOf(inTwo))).toContainEqual(expect.stringContaining('in !$omp parallel (!$omp'));
  });

  test('says what is true of the whole program, and that what is found is more precise', () => {
    const all = found(runsOf(lateSender));
    const whole = all.find(({ id }) => id === 'diagnosis:ExcessiveSyncWaitingTime');
    expect(whole).toMatchObject({ title: 'Communication and waiting takes 45.0 % of the time' });
    expect(whole?.refines).toBeUndefined();
    const ids = new Set(all.map(({ id }) => id));
    expect(ids.size).toBe(all.length);
    for (const { refines } of all) if (refines !== undefined) expect(ids).toContain(refines);
  });

  test('an imbalance names the ranks that compute longest', () => {
    const property = found(runsOf(lateSender)).find(({ id }) =>
      id.startsWith('diagnosis:ImbalanceOfProcesses:'),
    );
    expect(property).toMatchObject({
      title:
        'Unequal computing of the processes in heavy costs 45.0 % of the run time, most computing on ranks 0-1',
      ranks: '0-1',
      region: { line: 20 },
    });
    expect(property?.severity).toBeCloseTo(0.45, 12);
  });

  test('takes no time, ends, and says what it did not search, with what to record', () => {
    const record = searched(runsOf(lateSender));
    expect(record).toMatchObject({
      strategy: 'recorded',
      clock: 'recorded',
      state: 'ended',
      end: 0,
      run: 'run',
    });
    expect(nodeAt(record, 'SerialPart')?.problem).toBe('No process has several threads.');
    expect(nodeAt(record, 'CacheMisses')).toBeUndefined();
    expect(record.notices.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^CacheMisses was not searched\. .*SCOREP_METRIC_PAPI/),
    );
    expect(record.hypotheses.map(({ id }) => id)).toContain('CacheMisses');
  });

  test('a value at the threshold does not hold: what was measured needs no hysteresis', () => {
    const at30 = runOf(
      { region: { name: 'main' }, seconds: [3, 3], calls: [{ region: recv, seconds: [7, 7] }] },
      2,
    );
    expect(nodeAt(searched(runsOf(at30)), 'CPUBound')).toMatchObject({ truth: 'false', threshold: 0.3 });
    const at31 = runOf(
      { region: { name: 'main' }, seconds: [3.1, 3.1], calls: [{ region: recv, seconds: [6.9, 6.9] }] },
      2,
    );
    expect(nodeAt(searched(runsOf(at31)), 'CPUBound')?.truth).toBe('true');
  });

  test('a balanced program that computes has no bottleneck but that it computes', () => {
    const balanced = runOf(
      {
        region: { name: 'main' },
        seconds: [1, 1],
        calls: [
          { region: { name: 'solve' }, seconds: [8.5, 8.6] },
          { region: recv, seconds: [0.5, 0.4] },
        ],
      },
      2,
    );
    expect(found(runsOf(balanced)).map(({ kind }) => kind)).toEqual([
      'diagnosis-computing',
      'diagnosis-computing',
    ]);
    expect(brief(runsOf(balanced))).toEqual([
      'Computing takes 95.5 % of the time',
      'Computing in solve takes 85.5 % of the time',
    ]);
  });

  test('one process among many is found, although the mean of all shows nothing', () => {
    const ranks = [0, 1, 2, 3, 4, 5, 6, 7];
    const single = runOf(
      {
        region: { name: 'main' },
        seconds: ranks.map((rank) => (rank === 5 ? 5 : 10)),
        calls: [
          {
            region: { name: 'write_all', firstLine: 7 },
            seconds: ranks.map(() => 0),
            calls: [
              {
                region: { name: 'write', paradigm: 'io', role: 'file io' },
                seconds: ranks.map((rank) => (rank === 5 ? 5 : 0)),
              },
            ],
          },
          { region: recv, seconds: ranks.map(() => 0.1) },
        ],
      },
      8,
    );
    const record = searched(runsOf(single));
    expect(nodeAt(record, 'ExcessiveIOBlockingTime')?.truth).toBe('false');
    expect(brief(runsOf(single))).toContain(
      'Input and output in write_all takes 49.5 % of the time of rank 5',
    );
  });

  test('P9: a function is found that is called from so many places that no caller shows it', () => {
    const callers = ['a', 'b', 'c', 'd'].map((name): Call => ({
      region: { name },
      seconds: [1.4],
      calls: [{ region: { name: 'util', firstLine: 9 }, seconds: [1.1] }],
    }));
    const hidden = runsOf(runOf({ region: { name: 'main' }, seconds: [0], calls: callers }, 1));
    const record = searched(hidden);
    for (const name of ['a', 'b', 'c', 'd'])
      expect(nodeAt(record, 'CPUBound', { Code: ['a.c', name] })?.truth).toBe('false');
    expect(nodeAt(record, 'CPUBound', { Code: ['a.c', 'util'] })).toMatchObject({
      truth: 'true',
      parents: [{ by: 'deep starter' }],
    });
    expect(brief(hidden)).toContain('Computing in util takes 44.0 % of the time');
  });

  test('P3: small operations are tried only where input and output has no part to refine', () => {
    const io = (visits: number): ReturnType<typeof runsOf> =>
      runsOf(
        withMetric(
          runOf(
            {
              region: { name: 'main' },
              seconds: [1],
              calls: [
                {
                  region: { name: 'save', firstLine: 3 },
                  seconds: [1],
                  calls: [
                    {
                      region: { name: 'write', paradigm: 'io', role: 'file io' },
                      seconds: [8],
                      visits: [visits],
                    },
                  ],
                },
              ],
            },
            1,
          ),
          'io_bytes_written',
          { write: [1 << 20] },
        ),
      );
    const record = searched(io(1 << 14));
    expect(nodeAt(record, 'TooManySmallIOOps')).toBeUndefined();
    const tried = record.nodes.filter(({ hypothesis }) => hypothesis === 'TooManySmallIOOps');
    expect(tried.length).toBeGreaterThan(0);
    for (const { focus } of tried) expect(focus.Machine).toEqual(['machine', 'rank 0']);
    const property = found(io(1 << 14)).find(({ id }) => id.startsWith('diagnosis:TooManySmallIOOps'));
    expect(property).toMatchObject({
      title: 'Reading and writing in save: 64 B an operation',
      evidence: { bytesPerOperation: 64, thresholdBytesPerOperation: 4096 },
    });
    // What it makes more precise takes 8 of 10 s.
    expect(property?.severity).toBeCloseTo(0.8, 12);
    expect(brief(io(4))).toContain('Input and output in save takes 80.0 % of the time');
  });

  test('published hypotheses are searched alike, and do not look at single processes for waiting', () => {
    const record = searched(runsOf(lateSender), publishedHypotheses);
    const waiting = record.nodes.filter(({ hypothesis }) => hypothesis === 'ExcessiveSyncWaitingTime');
    expect(waiting.filter(({ focus }) => focus.Machine.length > 0)).toEqual([]);
    expect(nodeAt(record, 'ExcessiveSyncWaitingTime', { Code: ['halo.c', 'exchange'] })?.truth).toBe('true');
  });
});

describe('what is found of threads', () => {
  /** Processes with two threads, by the seconds that each thread computes of 10 s: the others it waits at a barrier. */
  const teams = (...computing: readonly number[]): ReturnType<typeof runsOf> =>
    runsOf(
      runOf(
        {
          region: { name: 'main' },
          seconds: computing.map(() => 0),
          calls: [
            {
              region: { name: '!$omp parallel @a.c:5', paradigm: 'openmp', role: 'parallel' },
              seconds: computing.map(() => 0),
              calls: [
                { region: { name: 'sweep' }, seconds: computing },
                {
                  region: {
                    name: '!$omp implicit barrier @a.c:9',
                    paradigm: 'openmp',
                    role: 'implicit barrier',
                  },
                  seconds: computing.map((seconds) => 10 - seconds),
                },
                { region: recv, seconds: computing.map(() => 0), visits: computing.map(() => 1) },
              ],
            },
          ],
        },
        computing.length / 2,
        2,
      ),
    );
  const titles = (runs: RecordedRuns): string =>
    brief(runs)
      .filter((title) => title.includes('barrier'))
      .join('\n');

  test('names the threads that wait, and their processes unless they are all', () => {
    expect(titles(teams(2, 10, 2, 10))).toMatch(/takes 80\.0 % of the time of thread 0 of each process$/);
    expect(titles(teams(10, 10, 2, 10))).toMatch(/takes 80\.0 % of the time of thread 0 of rank 1$/);
    expect(titles(teams(10, 2, 2, 10))).toMatch(/takes 80\.0 % of the time of some threads of each process$/);
    expect(titles(teams(2, 10))).toMatch(/takes 80\.0 % of the time of thread 0$/);
  });

  test('an imbalance of threads in several processes is the mean of theirs, not their sum', () => {
    const all = found(teams(4, 10, 2, 10)).filter(({ id }) => id.startsWith('diagnosis:ImbalanceOfThreads'));
    expect(all.map(({ title }) => title)).toEqual([
      'Unequal computing of the threads in sweep costs 35.0 % of the run time',
    ]);
    expect(all[0]?.severity).toBeCloseTo(0.35, 12);
  });
});

describe('a series of runs', () => {
  const of = (seconds: number): ReturnType<typeof runOf> =>
    runOf(
      {
        region: { name: 'main' },
        seconds: [seconds, seconds],
        calls: [{ region: recv, seconds: [10 - seconds, 10 - seconds] }],
      },
      2,
    );

  test('is judged by the mean of those that show something', () => {
    const record = searched(runsOf(of(2), of(3), of(5)));
    expect(nodeAt(record, 'CPUBound')).toMatchObject({ truth: 'true' });
    expect(nodeAt(record, 'CPUBound')?.value).toBeCloseTo(1 / 3, 12);
  });

  test('answers each experiment from the run that recorded it', () => {
    const refined = runOf(
      {
        region: { name: 'main' },
        seconds: [2, 2],
        calls: [
          { region: { name: 'kernel' }, seconds: [6, 6] },
          { region: recv, seconds: [2, 2] },
        ],
      },
      2,
    );
    const waits = withMetric(of(5), 'mpi_latesender', { MPI_Recv: [4, 4] });
    const record = searched(runsOf(waits, refined));
    expect(nodeAt(record, 'CPUBound', { Code: ['a.c', 'kernel'] })?.value).toBeCloseTo(0.6, 12);
    expect(nodeAt(record, 'LateSender')?.value).toBeCloseTo(0.4, 12);
  });
});
