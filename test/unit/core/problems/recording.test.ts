import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import type { PairCost } from '../../../../src/core/cost/pairCost';
import type { Profile } from '../../../../src/core/profile/profile';
import type { Property } from '../../../../src/core/properties/property';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const kernel = { name: 'kernel', firstLine: 20 };
const origin = { run: 'profile', analysis: 'profile' };

const costsIn = (profile: Profile, pair?: PairCost): readonly Property[] =>
  findProperties({
    profile,
    ...(pair === undefined ? {} : { calibration: { probe: pair, entry: pair } }),
  }).filter(({ kind }) => kind === 'excessive-overhead');
const program = (seconds: number, visits: number): Profile =>
  runOf({ region: main, seconds: [1], calls: [{ region: kernel, seconds: [seconds], visits: [visits] }] }, 1);

describe('what recording costs', () => {
  it('is assumed for Score-P: 70 ns for a visit, in times that contain it', () => {
    const base = { run: 'profile', clock: 'wall', seconds: 2, leftOut: [] };
    const number = (value: number): number => expect.closeTo(value, 6) as number;
    // 10⁷ visits of 70 ns are 0.7 s of 2 s; 0.3 s of the second are left to kernel.
    expect(costsIn(program(1, 1e7))).toEqual([
      {
        id: 'excessive-overhead:run',
        kind: 'excessive-overhead',
        title:
          'Recording costs 35.0 % of the run time in all (10 M visits × 70 ns): the profile is disturbed',
        severity: number(0.35),
        confidence: 0.5,
        evidence: {
          overheadSeconds: number(0.7),
          visits: 10_000_001,
          pairSeconds: number(70e-9),
          runSeconds: 2,
          overheadShare: number(0.35),
          slowdown: number(1 / 0.65),
          thresholdShare: 0.05,
        },
        base,
        origin,
      },
      {
        id: 'excessive-overhead:kernel@/src/a.c:20',
        kind: 'excessive-overhead',
        title: 'Recording kernel costs 35.0 % of the run time (10 M visits × 70 ns)',
        severity: number(0.35),
        confidence: 0.5,
        region: { name: 'kernel', file: '/src/a.c', line: 20 },
        evidence: {
          overheadSeconds: number(0.7),
          visits: 1e7,
          pairSeconds: 70e-9,
          pureSeconds: number(0.3),
          overheadRatio: number(0.7 / 0.3),
          thresholdRatio: 0.05,
        },
        base,
        refines: 'excessive-overhead:run',
        origin,
      },
    ]);
  });

  it('is within the time of a caller, too, where nothing was calibrated', () => {
    const tiny = { region: { name: 'tiny', firstLine: 30 }, seconds: [1], visits: [1e7] };
    const caller = { region: kernel, seconds: [0.1], visits: [5e5], calls: [tiny] };
    const found = costsIn(runOf({ region: main, seconds: [1], calls: [caller] }, 1));
    // Of kernel's 1.1 s, 10.5 million visits of 70 ns are the measurement: its own half million cost 35 ms of the other 0.365 s.
    const kernels = found.find(({ region }) => region?.name === 'kernel');
    expect(kernels?.evidence.overheadSeconds).toBeCloseTo(0.035, 6);
    expect(kernels?.evidence.pureSeconds).toBeCloseTo(0.365, 6);
  });

  it('may be all that a function takes, and nearly all of a run', () => {
    // Of equal severity: in the order of their ids.
    const [own, whole] = costsIn(program(20, 3e8));
    expect(whole).toMatchObject({
      severity: 1,
      title:
        'Recording costs nearly all of the run time (300 M visits × 70 ns): the profile shows the measurement, not the program',
    });
    expect(whole?.evidence).not.toHaveProperty('slowdown');
    // 21 s of 20 s.
    expect(own?.evidence).toMatchObject({ pureSeconds: 0, overheadRatio: Number.MAX_VALUE });
    const most = costsIn(program(20, 2.6e8))[0];
    expect(most?.title).toMatch(/^Recording costs 86\.7 % of the run time in all \(260 M visits × 70 ns\)/);
    expect(most?.evidence.slowdown).toBeCloseTo(21 / (21 - 2.6e8 * 70e-9), 6);
  });

  it('is known from a calibration, and then no part of the times', () => {
    const pair: PairCost = { pairSeconds: 1e-6, insideSeconds: 0, outsideSeconds: 1e-6 };
    const [whole, own] = costsIn(program(1, 1e5), pair);
    // 0.1 s of 1.9 s; kernel has its whole second, and costs a tenth of that.
    expect(whole).toMatchObject({ confidence: 1, evidence: { visits: 100_001 } });
    expect(whole?.severity).toBeCloseTo(0.1 / 1.9, 5);
    expect(own).toMatchObject({ confidence: 1, evidence: { pureSeconds: 1, visits: 1e5 } });
    expect(own?.evidence.overheadRatio).toBeCloseTo(0.1, 9);
  });

  it('has no ratio that is not a number where nothing is left of the time of the function', () => {
    // 70 ns of each visit are exactly the 21 s.
    const own = costsIn(program(21, 3e8)).find(({ region }) => region?.name === 'kernel');
    expect(own?.evidence).toMatchObject({ pureSeconds: 0, overheadRatio: Number.MAX_VALUE });
  });

  it('of calls of libraries counts in the whole, though no filter leaves them out', () => {
    const send = { name: 'MPI_Send', paradigm: 'mpi', role: 'point2point', file: 'MPI' };
    const calls: Call[] = [{ region: send, seconds: [1], visits: [1e7] }];
    expect(costsIn(runOf({ region: main, seconds: [1], calls }, 1)).map(({ id }) => id)).toEqual([
      'excessive-overhead:run',
    ]);
  });

  it('is unknown of a profile of another tool', () => {
    expect(costsIn({ ...program(1, 1e7), attributes: new Map() })).toEqual([]);
  });
});

describe('time that no source explains', () => {
  const artificial = (name: string): Call['region'] => ({
    name,
    paradigm: 'measurement',
    role: 'artificial',
    file: '',
  });
  const unknown = (root: Call): readonly (readonly [string, string, number | undefined])[] =>
    findProperties({ profile: runOf(root, 1) })
      .filter(({ kind }) => kind === 'unknown-time')
      .map(({ id, title, severity }) => [id.replace('unknown-time:', ''), title, severity]);

  it('is in the root, in calls that are too deep and in functions without a source', () => {
    const nameless = (name: string, seconds: number): Call => ({
      region: { name, file: '' },
      seconds: [seconds],
    });
    const root: Call = {
      region: artificial('a.out'),
      seconds: [4],
      calls: [
        { region: main, seconds: [3], calls: [{ region: artificial('COLLAPSE'), seconds: [5] }] },
        nameless('one', 1),
        nameless('four', 4),
        nameless('nothing', 0),
        nameless('three', 3),
      ],
    };
    expect(unknown(root)).toEqual([
      [
        'no-source',
        '40.0 % of the run time is in functions whose source is not known (four, three, one): compile with -g',
        0.4,
      ],
      [
        'collapsed',
        '25.0 % of the run time is in calls deeper than Score-P records: raise SCOREP_PROFILING_MAX_CALLPATH_DEPTH',
        0.25,
      ],
      ['unrecorded', '20.0 % of the run time is spent outside all recorded functions', 0.2],
    ]);
    const more = { ...root, calls: [...(root.calls ?? []), nameless('two', 2), nameless('half', 0.5)] };
    expect(unknown(more)[0]?.[1]).toMatch(/\(four, three, two and 2 more\): compile with -g$/);
  });

  it.each(['THREADS', 'TASKS', 'PARALLEL', 'KERNELS'])('is not where threads are idle: %s', (name) => {
    expect(
      unknown({ region: artificial(name), seconds: [1], calls: [{ region: main, seconds: [1] }] }),
    ).toEqual([]);
  });

  it('is not in artificial regions below the root', () => {
    expect(
      unknown({ region: main, seconds: [1], calls: [{ region: artificial('x'), seconds: [1] }] }),
    ).toEqual([]);
  });
});
