import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import type { GroupsOptions, GroupsReport } from '../../../../src/workflows/groups';
import { compareProcesses } from '../../../../src/workflows/groups';
import { runOf, type Call } from '../../core/problems/runs';

const region = (name: string): Call['region'] => ({ name });

/** Ranks 1 and 2 solve, rank 2 also prints, and rank 0 does something else. */
const roles: Call = {
  region: region('main'),
  seconds: [1, 1, 1],
  calls: [
    {
      region: region('distribute'),
      seconds: [2, 0, 0],
      calls: [{ region: region('plan'), seconds: [4, 0, 0] }],
    },
    {
      region: region('solve'),
      seconds: [0, 8, 8],
      calls: [{ region: region('print'), seconds: [0, 0, 3] }],
    },
  ],
};

function compared(options: GroupsOptions = {}): GroupsReport {
  return compareProcesses([{ run: 'a', measured: { profile: runOf(roles, 3) } }], options);
}

describe('a function that takes a rank long', () => {
  /** Twenty functions of all ranks, and one of a single rank with this share of its time. */
  const run = (
    seconds: number,
    ranks = 6,
    isCaller = (rank: number): boolean => rank === 3,
  ): GroupsReport => {
    const all = (own: number): number[] => new Array<number>(ranks).fill(own);
    const calls: Call[] = Array.from({ length: 40 }, (_, i) => ({
      region: region(`f${i}`),
      seconds: all(1),
    }));
    // Waiting in MPI is no work beside which the difference would be small.
    calls.push({ region: { ...region('MPI_Barrier'), paradigm: 'mpi', role: 'barrier' }, seconds: all(900) });
    const repair = all(0).map((_, rank) => (isCaller(rank) ? seconds : 0));
    calls.push({ region: region('repair'), seconds: repair });
    return compareProcesses([
      { run: 'a', measured: { profile: runOf({ region: region('main'), seconds: all(1), calls }, ranks) } },
    ]);
  };
  test.each([6, 64])(
    'makes it a group of its own, however many functions the %d ranks have in common',
    (ranks) => {
      const { groups, sentences } = run(2, ranks);
      expect(groups.map(({ processes }) => processes)).toEqual([`0–2, 4–${ranks - 1}`, '3']);
      expect(sentences.at(-1)).toMatch(
        /^Rank 3 does everything that ranks .* do, and additionally calls repair/,
      );
    },
  );
  test('that a single rank lacks makes it a group of its own, too: its share is that of those that call it', () => {
    // 1.1 % of the computation of the five that call it, 0.9 % of that of all.
    const { groups } = run(0.456, 6, (rank) => rank !== 3);
    expect(groups.map(({ processes }) => processes)).toEqual(['0–2, 4–5', '3']);
  });
  test('which does not is left to chance, and the sentences do not say that they are equal', () => {
    const { groups, sentences } = run(0.1);
    expect(groups.map(({ processes }) => processes)).toEqual(['0–5']);
    expect(sentences).toEqual(['All 6 ranks make nearly the same calls.']);
  });
});

describe('processes of a run', () => {
  test('are grouped, compared and described, with the time of what differs', () => {
    const { groups, similarity, subsumption, differences, sentences, verdict } = compared();
    expect(
      groups.map(({ processes, members, representative }) => [processes, members, representative]),
    ).toEqual([
      ['0', [0], 0],
      ['1', [1], 1],
      ['2', [2], 2],
    ]);
    // main, and of rank 0 two more, of ranks 1 and 2 one and two more.
    expect(similarity).toEqual([
      [1, 1 / 4, 1 / 5],
      [1 / 4, 1, 2 / 3],
      [1 / 5, 2 / 3, 1],
    ]);
    expect(subsumption[2]).toEqual([expect.closeTo(1 / 6, 9), 1, 1]);
    expect(differences[0]).toMatchObject({ kind: 'more', groups: [2, 1], functions: ['print'], seconds: 3 });
    expect(sentences).toContain(
      'Rank 2 does everything that rank 1 does, and additionally calls print (3 s).',
    );
    expect(verdict).toBe('regular');
  });

  test('are merged by a threshold; equal ones only at 1', () => {
    const texts = (threshold: number): readonly string[] =>
      compared({ threshold }).groups.map(({ processes }) => processes);
    expect(texts(1)).toEqual(['0', '1', '2']);
    expect(texts(0.66)).toEqual(['0', '1–2']);
    expect(texts(0.1)).toEqual(['0–2']);
    expect(compared({ threshold: 0.66 }).sentences).toContain(
      'Ranks 1–2 are one group, although one of them is only 66.7 % like most of them.',
    );
  });

  test('are compared by functions, and with calls of calls', () => {
    expect(compared({ kind: 'functions' }).attributes).toContainEqual({ callee: 'plan' });
    const { attributes, groups } = compared({ closure: true });
    expect(attributes).toContainEqual({ caller: 'main', callee: 'print' });
    expect(groups).toHaveLength(3);
  });

  test('have the findings of processes that differ', () => {
    expect(compared().properties.map(({ kind, title }) => `${kind}: ${title}`)).toEqual(
      expect.arrayContaining([
        'different-work: Only rank 0 calls distribute, which takes 21.4 % of the run time',
        'process-groups: 3 ranks in 3 groups by the functions that they call: 0; 1; 2',
      ]),
    );
  });
});

describe('ranked differences', () => {
  test('D6: blocks by time or share, with the group that has them and the one that does not', () => {
    const blocks = (order?: 'time' | 'share') =>
      compared(order === undefined ? {} : { order })
        .differences.find(({ groups }) => groups.join() === '0,2')
        ?.blocks.map(({ group, without, seconds, share }) => [group, without, seconds, share]);
    // Rank 0: distribute and plan, 6 s; rank 2: solve with print, 11 s, of which print is in another block.
    expect(blocks()).toEqual([
      [2, 0, 11, 1 / 5],
      [0, 2, 6, 2 / 5],
      [2, 0, 3, 1 / 5],
    ]);
    expect(blocks('share')?.[0]).toEqual([0, 2, 6, 2 / 5]);
  });

  test('D7, B10: times that differ within a group, and how alike they are', () => {
    const { groups, attributes } = compared({ threshold: 0.6 });
    const [, workers] = groups;
    expect(workers?.members).toEqual([1, 2]);
    // print is called by one of two, which is not most of them.
    expect(workers?.spreads.map(({ attribute }) => attributes[attribute]?.callee)).toEqual([]);
    expect(workers?.timeSimilarity).toEqual({ least: 9 / 12, mean: (1 + 9 / 12) / 2 });
  });

  test('D8: calls that correspond in all processes', () => {
    const { anchors, attributes } = compared();
    expect(anchors.map(({ attribute, visits }) => [attributes[attribute]?.callee, visits])).toEqual([
      ['main', 1],
    ]);
  });
});

describe('groups by time', () => {
  test('E3: mix processes that do different work, and say so', () => {
    const mixing: Call = {
      region: region('main'),
      seconds: [1, 1, 1, 1],
      calls: [
        { region: region('send'), seconds: [0.1, 0, 0.1, 0] },
        { region: region('loop'), seconds: [1, 1.1, 9, 9.1] },
      ],
    };
    const measured = { profile: runOf(mixing, 4) };
    const grouped = (options: GroupsOptions) => compareProcesses([{ run: 'a', measured }], options);
    const members = ({ groups }: GroupsReport) => groups.map((group) => group.members);
    expect(members(grouped({}))).toEqual([
      [0, 2],
      [1, 3],
    ]);
    const byTime = grouped({ kMeans: 'structure' });
    expect(members(byTime)).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(byTime.kMeans).toBe('structure');
    expect(byTime.notes).toEqual([
      'k-means compares only the times in the ten functions with the most exclusive time, so that a group may mix processes that do different work: 2 of these 2 groups do.',
    ]);
    expect(grouped({ kMeans: 1 }).notes[0]).toMatch(/1 of these 1 group does\.$/);
    expect(grouped({ kMeans: 4 }).notes[0]).toMatch(/none of these groups does\.$/);
  });

  test('are those by structure without times', () => {
    const timed = runOf(roles, 3);
    const metrics = timed.metrics.filter(({ name }) => name === 'visits');
    const stored = new Map([...timed.stored].filter(([name]) => name === 'visits'));
    const measured = { profile: { ...timed, metrics, stored } };
    const report = compareProcesses([{ run: 'a', measured }], { kMeans: 2 });
    expect(report.groups).toHaveLength(3);
    expect(report.notes).toEqual(['There are no times to group by: the groups are those by structure.']);
    expect(report.anchors).toEqual([]);
    expect(report.groups.every((group) => !('timeSimilarity' in group))).toBe(true);
  });
});

describe('a coarser comparison', () => {
  test('C12: each step is taken when it is asked for, with a notice', () => {
    const coarser = (step: GroupsOptions['coarser']) => compared(step === undefined ? {} : { coarser: step });
    expect(coarser('functions')).toMatchObject({
      measure: 'functions',
      notes: ['Ranks and threads are compared by the functions that they call, whatever calls these.'],
    });
    expect(coarser('filter').notes[0]).toMatch(/^All attributes are compared/);
    expect(coarser('combine').groups).toHaveLength(1);
    const equal = coarser('equality');
    expect(equal).toMatchObject({ similarity: [], subsumption: [], differences: [] });
    expect(equal.groups).toHaveLength(3);
    expect(equal.sentences.join(' ')).not.toContain('different work');
  });
});

describe('processes of two runs', () => {
  test('H5, D10: are one comparison: the same rank of equal runs is in one group, named by its run', () => {
    const measured = { profile: runOf(roles, 3) };
    const { processes, groups } = compareProcesses([
      { run: 'a', measured },
      { run: 'b', measured },
    ]);
    expect(processes.map(({ run, rank }) => `${run ?? ''}${rank}`)).toEqual([
      'a0',
      'a1',
      'a2',
      'b0',
      'b1',
      'b2',
    ]);
    expect(groups.map(({ members }) => members)).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    expect(groups[0]?.processes).toBe('a: 0; b: 0');
  });
});

describe('what cannot be compared', () => {
  test('is one process, which is said', () => {
    const report = compareProcesses([
      { run: 'a', measured: { profile: runOf({ region: region('main'), seconds: [1] }, 1) } },
    ]);
    expect(report).toMatchObject({ groups: [{ members: [0] }], differences: [], properties: [] });
    expect(report.notes).toEqual(['There is one process only: nothing is compared.']);
  });

  test('is a profile without processes', () => {
    const profile = runOf({ region: region('main'), seconds: [] }, 0);
    expect(compareProcesses([{ run: 'a', measured: { profile } }])).toMatchObject({
      groups: [],
      notes: ['There are no processes.'],
    });
  });

  test('is a profile without times, as far as these matter', () => {
    const timed = runOf(roles, 3);
    const metrics = timed.metrics.filter(({ name }) => name === 'visits');
    const stored = new Map([...timed.stored].filter(([name]) => name === 'visits'));
    const report = compareProcesses([{ run: 'a', measured: { profile: { ...timed, metrics, stored } } }]);
    expect(report.groups).toHaveLength(3);
    expect(report.differences[0]).toMatchObject({ functions: ['print'], seconds: 0 });
    expect(report.properties).toEqual([]);
  });
});

/** A run of ranks that each call the functions that are chosen for them. */
function runCalling(
  ranks: number,
  functions: number,
  calls: (rank: number, f: number) => boolean,
): GroupsReport {
  const seconds = new Array<number>(ranks).fill(1);
  const called = Array.from({ length: functions }, (_, f): Call => ({
    region: region(`f${f}`),
    seconds: seconds.map((_, rank) => (calls(rank, f) ? 1 : 0)),
  }));
  const profile = runOf({ region: region('main'), seconds, calls: called }, ranks);
  return compareProcesses([{ run: 'a', measured: { profile } }]);
}

describe('processes with hundreds of different sets', () => {
  test('are compared as they are where each lacks others of a group’s functions', () => {
    const pairs = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: i }, (_, j) => [i, j] as const),
    ).flat();
    const report = runCalling(300, 40, (rank, f) => !(pairs[rank * 2] as readonly number[]).includes(f));
    expect(report).toMatchObject({ measure: 'pairs', verdict: 'regular', notes: [] });
    expect(report.groups).toHaveLength(1);
    expect(report.sentences).toEqual(['All 300 ranks make nearly the same calls.']);
  });

  test('are irregular where chance decides what each calls, which is said', () => {
    const random = randomNumbers(1);
    const report = runCalling(300, 40, () => random() < 0.5);
    expect(report.verdict).toBe('irregular');
    expect(report.notes.join(' ')).toMatch(/irregular/);
  });
});
