import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../../../src/core/compare/differences';
import { profileOfIterations } from '../../../../src/core/compare/iterations';
import { comparedRun } from '../../../../src/core/compare/run';
import { compareSides, type Side } from '../../../../src/core/compare/sides';
import { differenceSentence } from '../../../../src/core/compare/words';
import { makeContext } from '../../../../src/core/problems/context/makeContext';
import { metricNamed } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import { runOf, type Call } from '../problems/runs';

const call = (name: string, seconds: number, visits = 1, calls: readonly Call[] = []): Call => ({
  region: { name, file: `/src/${name}.c`, firstLine: 10 },
  seconds: [seconds],
  visits: [visits],
  calls,
});
const main = (...calls: readonly Call[]): Call => call('main', 0.1, 1, calls);

function side(name: string, root: Call, more: Partial<Side> = {}, runs = 3): Side {
  const context = makeContext({ profile: runOf(root, 1), run: name });
  return { name, runs: Array.from({ length: runs }, () => comparedRun(context)), ...more };
}

function kindsOf(first: Side, second: Side): readonly string[] {
  const sides = compareSides(first, second);
  const { differences, shift } = compareRuns(sides);
  return differences.map((one) => {
    const sentence = differenceSentence(one, sides, shift);
    return `${one.kind}${one.isConsequence ? ' (consequence)' : ''}: ${sentence}`;
  });
}

describe('calls', () => {
  const before = side('a', main(call('solve', 1, 10, [call('dot', 0.5, 100)])));
  test('that are new, with what they call, and gone the other way round', () => {
    const after = side(
      'b',
      main(call('solve', 1, 10, [call('dot', 0.5, 100)]), call('check', 0.2, 3, [call('norm', 0.1, 3)])),
    );
    expect(kindsOf(before, after)).toEqual([
      'added-work: main calls check in addition, 3 visits, 300 ms with what it calls.',
      'added-work (consequence): check calls norm in addition, 3 visits, 100 ms with what it calls.',
    ]);
    expect(kindsOf(after, before)).toEqual([
      'removed-work: main calls check no longer: before, 3 visits, 300 ms with what it called.',
      'removed-work (consequence): check calls norm no longer: before, 3 visits, 100 ms with what it called.',
    ]);
  });
  test('that take no time are named all the same where their number is the same in all runs', () => {
    const after = side('b', main(call('solve', 1, 10, [call('dot', 0.5, 100), call('log', 1e-9, 2)])));
    expect(kindsOf(before, after)).toEqual([
      'added-work: solve calls log in addition, 2 visits, 1 ns with what it calls.',
    ]);
  });
  test('that are more frequent explain the time of what is called', () => {
    const after = side('b', main(call('solve', 1, 10, [call('dot', 1, 200)])));
    expect(kindsOf(before, after)).toEqual([
      'changed-count: dot is called 2 times as often by solve (100 → 200 visits).',
      'slower (consequence): dot takes 2 times as long itself (500 ms → 1 s), because it is called 2 times as often.',
    ]);
  });
  test('that are more frequent have the time of so many visits at stake', () => {
    const stakes = (first: Side, second: Side): readonly string[] =>
      compareRuns(compareSides(first, second))
        .differences.filter(({ kind }) => kind === 'changed-count')
        .map(({ stake }) => stake.toFixed(3));
    const after = side('b', main(call('solve', 1, 10, [call('dot', 1.65, 110)])));
    // 10 of 210 visits, of 2.15 s together.
    expect(stakes(before, after)).toEqual(['0.102']);
    expect(stakes(after, before)).toEqual(['0.102']);
  });
  test('explain a time that is nearly as much longer, or differs from that by noise', () => {
    const last = (first: Side, second: Side): string =>
      kindsOf(first, second)
        .find((one) => !one.startsWith('changed-count'))
        ?.split(':')[0] ?? '';
    const times = (dot: readonly number[], visits: number): Side => ({
      name: 'x',
      runs: dot.flatMap(
        (seconds) => side('x', main(call('solve', 1, 10, [call('dot', seconds, visits)])), {}, 1).runs,
      ),
    });
    const same = [0.5, 0.5, 0.5];
    expect(last(times(same, 100), times([2.7, 2.7, 2.7], 600))).toBe('slower (consequence)');
    expect(last(times([2.7, 2.7, 2.7], 600), times(same, 100))).toBe('faster (consequence)');
    expect(last(times(same, 100), times([4.5, 4.5, 4.5], 600))).toBe('slower');
    // A quarter more per visit is noise here, and not where the runs agree.
    expect(last(times([0.4, 0.5, 0.6], 100), times([3, 3.7, 4.4], 600))).toBe('slower (consequence)');
    expect(last(times(same, 100), times([3.75, 3.75, 3.75], 600))).toBe('slower');
    // What is called more often, and takes less time, is no consequence.
    expect(last(times(same, 100), times([0.3, 0.3, 0.3], 110))).toBe('faster');
  });
  test('of OpenMP constructs in a function that one side did not record are the same', () => {
    const openmp = { region: { name: '!$omp parallel @a.c:7', paradigm: 'openmp', role: 'parallel' } };
    const construct: Call = { ...call('', 0.2, 5), region: openmp.region };
    const fine = side('a', main(call('solve', 1, 10, [call('dot', 0.5, 100, [construct])])), {
      isRecorded: () => true,
    });
    const isRecorded: Side['isRecorded'] = ({ name }) => name !== 'dot';
    const coarse = side('b', main(call('solve', 1.5, 10, [construct])), { isRecorded });
    expect(kindsOf(fine, coarse)).toEqual([]);
    expect(kindsOf(coarse, fine)).toEqual([]);
  });
  test('below other recorded callers are no differences of one build that makes as many of them', () => {
    const measured = (buildId: string): Partial<Side> => ({
      measured: [{ ...{ buildId, host: 'h', command: ['a'] }, startedAt: '', wallSeconds: 1, cpuSeconds: 1 }],
    });
    const sampled = side(
      'a',
      main(call('dot', 0.4, 90), call('solve', 1, 10, [call('dot', 0.1, 10)])),
      measured('1'),
    );
    const whole = main(call('solve', 1, 10, [call('dot', 0.5, 100)]));
    expect(kindsOf(sampled, side('b', whole, measured('1')))).toEqual([]);
    // Another build may really call it elsewhere.
    expect(kindsOf(sampled, side('b', whole, measured('2')))).toHaveLength(2);
    const more = main(call('solve', 1, 10, [call('dot', 0.5, 200)]));
    expect(kindsOf(sampled, side('b', more, measured('1'))).length).toBeGreaterThan(0);
  });
  test('of functions that one side did not record are neither new nor gone, and their time is that of their callers', () => {
    const isRecorded: Side['isRecorded'] = ({ name }) => name !== 'dot';
    const coarse = side('b', main(call('solve', 1.5, 10)), { isRecorded });
    const fine = { ...before, isRecorded: () => true };
    const sides = compareSides(coarse, fine);
    expect(compareRuns(sides).differences).toEqual([]);
    expect(sides.recordedOnce).toEqual([[], ['dot']]);
    // Without knowing that, dot is new, and solve faster.
    expect(
      kindsOf(side('b', main(call('solve', 1.5, 10))), before).map((text) => text.split(':')[0]),
    ).toEqual(['faster', 'added-work']);
  });
  test('of MPI are recorded without a patch point', () => {
    const mpi: Call = { ...call('MPI_Barrier', 0.2), region: { name: 'MPI_Barrier', paradigm: 'mpi' } };
    const isRecorded: Side['isRecorded'] = ({ name }) => name !== 'MPI_Barrier';
    const after = side('b', main(call('solve', 1, 10, [call('dot', 0.5, 100)]), mpi), { isRecorded });
    expect(kindsOf({ ...before, isRecorded }, after)).toHaveLength(1);
  });
});

test('a function of another name is compared with what it was', () => {
  const before = side('a', main(call('waxpby', 1, 10, [call('dot', 0.5, 100)])));
  const after = side(
    'b',
    main({
      ...call('waxpby_scaled', 1.2, 10, [call('dot', 0.5, 100)]),
      region: { name: 'waxpby_scaled', file: '/src/waxpby.c', firstLine: 10 },
    }),
  );
  expect(kindsOf(before, after)).toEqual([
    'slower: waxpby_scaled (before: waxpby) takes 20.0 % longer itself (1 s → 1.2 s).',
    'renamed: waxpby_scaled is waxpby under another name: both are compared as one function.',
  ]);
});

describe('OpenMP constructs', () => {
  const construct = (kind: string, line: number, seconds: number, calls: readonly Call[] = []): Call => {
    const name = `!$omp ${kind} @a.f90:${line}`;
    return {
      region: { name, file: '/src/a.f90', firstLine: line, paradigm: 'openmp' },
      seconds: [seconds],
      visits: [10],
      calls,
    };
  };
  const region = (line: number): Call =>
    construct('parallel', line, 0.2, [construct('implicit barrier', line, 0.1)]);
  test('whose lines moved are the same, and not renamed', () => {
    const moved = side('b', main(region(13), region(26)));
    expect(kindsOf(side('a', main(region(10), region(13))), moved)).toEqual([]);
  });
  test('that are new and gone leave the others', () => {
    const [two, three] = [
      side('a', main(region(10), region(20))),
      side('b', main(region(10), region(14), region(24))),
    ];
    expect(kindsOf(two, three).map((text) => text.split(',')[0])).toEqual([
      'added-work: main calls !$omp parallel @a.f90:14 in addition',
      'added-work (consequence): !$omp parallel @a.f90:14 calls !$omp implicit barrier @a.f90:14 in addition',
    ]);
    expect(kindsOf(three, two).map((text) => text.split(':')[0])).toEqual([
      'removed-work',
      'removed-work (consequence)',
    ]);
  });
});

test('a function that is called from a new place changed where both sides call it', () => {
  const before = side('a', main(call('solve', 1, 10, [call('dot', 0.5, 100)])));
  const after = side(
    'b',
    main(call('solve', 1, 10, [call('dot', 0.52, 100)]), call('check', 0.1, 1, [call('dot', 0.4, 80)])),
  );
  const sides = compareSides(before, after);
  const { differences, matched, changed } = compareRuns(sides);
  const slower = differences.find(({ kind }) => kind === 'slower');
  expect(sides.paths[slower?.path ?? -1]?.parent).toBe(1);
  expect([matched, changed]).toEqual([3, 1]);
});

describe('sides of other numbers of processes', () => {
  const many = (ranks: number, seconds: number): Side => {
    const root: Call = {
      region: { name: 'main' },
      seconds: Array.from({ length: ranks }, () => seconds),
      visits: Array.from({ length: ranks }, () => 1),
    };
    const context = makeContext({ profile: runOf(root, ranks), run: `${ranks}` });
    return { name: `${ranks}`, runs: [comparedRun(context), comparedRun(context)] };
  };
  test('are compared per process', () => {
    const sides = compareSides(many(2, 1), many(4, 1));
    expect(sides.per).toBe('process');
    expect(compareRuns(sides).differences).toEqual([]);
    expect(compareRuns(sides).totals).toEqual([1, 1]);
  });
  test('or all together', () => {
    const { differences, totals } = compareRuns(compareSides(many(2, 1), many(4, 1), 'all'));
    expect(totals).toEqual([2, 4]);
    expect(differences.map(({ kind }) => kind)).toEqual(['changed-count', 'slower']);
  });
});

describe('a metric', () => {
  const counted = (instructions: number): Profile => {
    const profile = runOf(main(call('solve', 1, 10)), 1);
    const metric = {
      ...{ name: 'PAPI_TOT_INS', displayName: 'Instructions', unit: '#', dtype: 'UINT64', description: '' },
      ...({ stored: 'exclusive', combine: 'sum' } as const),
    };
    return {
      ...profile,
      metrics: [...profile.metrics, metric],
      stored: new Map([...profile.stored, [metric.name, Float64Array.of(10, instructions)]]),
    };
  };
  const of = (name: string, instructions: number, metric: string): Side => ({
    name,
    runs: [0, 1].map(() => comparedRun(makeContext({ profile: counted(instructions), run: name }), metric)),
  });
  test('is compared as times are', () => {
    const sides = compareSides(of('a', 1000, 'instructions'), of('b', 1500, 'PAPI_TOT_INS'));
    const { differences, shift } = compareRuns(sides);
    expect(differences.map((one) => differenceSentence(one, sides, shift))).toEqual([
      'solve has 50.0 % more Instructions itself (1000 # → 1500 #).',
    ]);
    expect(differences[0]).toMatchObject({ kind: 'increased', stake: 500 });
    expect(differences[0]?.sides[1]).toMatchObject({ seconds: 1, value: 1500, instructions: 1500 });
  });
  test('that does not add up, or is not there, is refused with those there are', () => {
    expect(() => of('a', 1, 'PAPI_L2_DCM')).toThrow(/no metric “PAPI_L2_DCM”.*PAPI_TOT_INS/s);
    const profile = counted(1);
    const smallest = {
      ...metricNamed(profile, 'PAPI_TOT_INS'),
      name: 'min_time',
      combine: 'minimum',
    } as const;
    const context = makeContext({ profile: { ...profile, metrics: [...profile.metrics, smallest] } });
    expect(() => comparedRun(context, 'min_time')).toThrow(/does not add up/);
  });
});

describe('iterations of a profile', () => {
  const dynamic = (name: string, role: string): Call['region'] => ({ name, paradigm: 'user', role });
  const iteration = (number: number, seconds: number): Call => ({
    region: dynamic(`instance=${number}`, 'dynamic'),
    seconds: [0],
    visits: [1],
    calls: [call('solve', seconds, 2)],
  });
  const profile = runOf(
    main({
      region: dynamic('step', 'dynamic'),
      seconds: [0],
      visits: [3],
      calls: [iteration(1, 1), iteration(2, 2), iteration(3, 4)],
    }),
    1,
  );
  const secondsOf = (range: readonly [number, number]): readonly (readonly [string, number, number])[] => {
    const part = profileOfIterations(profile, range)?.profile;
    if (part === undefined) throw new Error('There are iterations.');
    const run = comparedRun(makeContext({ profile: part }));
    return run.names.flatMap((name, region) => {
      const path = run.callPaths.region.indexOf(region);
      return path < 0 ? [] : [[name, run.seconds[path] ?? 0, run.visits[path] ?? 0] as const];
    });
  };
  test('are chosen by their numbers, and nothing else is in them', () => {
    expect(secondsOf([2, 3])).toContainEqual(['solve', 6, 4]);
    expect(secondsOf([1, 1])).toContainEqual(['solve', 1, 2]);
    expect(secondsOf([1, 1])).toContainEqual(['main', 0, 0]);
    expect(profileOfIterations(profile, [1, 3])?.iterations).toBe(3);
  });
  test('there are none in others', () => {
    expect(profileOfIterations(runOf(main(), 1), [1, 1])).toBeUndefined();
  });
});
