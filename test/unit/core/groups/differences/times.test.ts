import { describe, expect, it, test } from 'vitest';
import { profileContext } from '../../../../../src/core/groups/attributes/profileContext';
import { anchorPoints } from '../../../../../src/core/groups/differences/anchors';
import { type Block, differingBlocks } from '../../../../../src/core/groups/differences/blocks';
import {
  medianProcess,
  type ProcessTimes,
  profileTimes,
} from '../../../../../src/core/groups/differences/processTimes';
import { groupReadings } from '../../../../../src/core/groups/differences/readings';
import { rankedSpreads, spreadScore } from '../../../../../src/core/groups/differences/spreads';
import { comparableAfter } from '../../../../../src/core/groups/graph/fallbacks';
import { pairText } from '../../../../../src/core/groups/words';
import type { Profile } from '../../../../../src/core/profile/profile';
import { ProfileBuilder } from '../../../../profileBuilder';
import { contextOf, ranks, w8 } from '../contexts';

interface Calls {
  readonly name: string;
  /** By rank. */
  readonly seconds: readonly number[];
  readonly visits: readonly number[];
  readonly calls?: readonly Calls[];
}

function profileOf(root: Calls, withVisits = true): Profile {
  const builder = new ProfileBuilder();
  for (const [name, unit] of [
    ['time', 'sec'],
    ['visits', 'occ'],
  ] as const)
    builder.metric({
      name,
      displayName: name,
      unit,
      dtype: 'DOUBLE',
      stored: 'exclusive',
      combine: 'sum',
      description: '',
    });
  const locations = root.seconds.map((_, rank) => {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank });
    return builder.location({ name: `rank ${rank}`, rank, thread: 0, process, kind: 'thread' });
  });
  const regions = new Map<string, number>();
  const add = ({ name, seconds, visits, calls = [] }: Calls, parent?: number): void => {
    if (!regions.has(name))
      regions.set(name, builder.region({ name, paradigm: 'compiler', role: 'function' }));
    const path = builder.callPath(parent, regions.get(name)!);
    for (const location of locations) {
      builder.set('time', path, location, seconds[location]!);
      if (withVisits) builder.set('visits', path, location, visits[location]!);
    }
    for (const call of calls) add(call, path);
  };
  add(root);
  return builder.build();
}

const program: Calls = {
  name: 'main',
  seconds: [1, 1, 1],
  visits: [1, 1, 1],
  calls: [
    {
      name: 'solve',
      seconds: [10, 20, 40],
      visits: [5, 5, 7],
      calls: [
        { name: 'solve', seconds: [1, 2, 4], visits: [5, 5, 5] },
        { name: 'MPI_Allreduce', seconds: [6, 4, 2], visits: [5, 5, 5] },
      ],
    },
    { name: 'reduce', seconds: [9, 9, 9], visits: [3, 3, 3] },
    { name: 'MPI_Barrier', seconds: [1, 1, 1], visits: [2, 2, 2] },
    {
      name: 'PARALLEL',
      seconds: [0, 0, 0],
      visits: [1, 1, 1],
      calls: [{ name: 'MPI_Bcast', seconds: [3, 3, 3], visits: [2, 2, 2] }],
    },
    {
      name: 'print_results',
      seconds: [2, 0, 0],
      visits: [1, 0, 0],
      calls: [{ name: 'fopen', seconds: [0.5, 0, 0], visits: [1, 0, 0] }],
    },
  ],
};
const profile = profileOf(program);
const context = profileContext(profile);
const times = profileTimes(profile, context);
const named = (name: string): number => context.attributes.findIndex((pair) => pairText(pair) === name);

describe('times of attributes', () => {
  it('are those of their call paths', () => {
    expect([...times.totals]).toEqual([33.5, 40, 60]);
    expect([...times.exclusiveOf(named('main → solve'))]).toEqual([10, 20, 40]);
    expect([...times.visitsOf(named('solve → solve'))]).toEqual([5, 5, 5]);
    expect([...times.inclusiveOf([named('main → solve')])]).toEqual([17, 26, 46]);
    expect(
      ['main', 'main → solve', 'solve → MPI_Allreduce'].map((name) => times.depthOf(named(name))),
    ).toEqual([0, 1, 2]);
  });

  it('of nested calls are counted once', () => {
    const nested = ['main → solve', 'solve → solve', 'solve → MPI_Allreduce'].map(named);
    expect([...times.inclusiveOf(nested)]).toEqual([17, 26, 46]);
    expect([...times.inclusiveOf(nested.slice(1))]).toEqual([7, 6, 6]);
    expect([...times.inclusiveOf([])]).toEqual([0, 0, 0]);
    expect([0, 1, 2].map((process) => times.inclusiveAt(nested, process))).toEqual([17, 26, 46]);
    // Between main and fopen, both of which are asked for, is a call that is not.
    expect([...times.inclusiveOf([named('main'), named('print_results → fopen')])]).toEqual([33.5, 40, 60]);
  });

  it('are there for functions too', () => {
    const functions = comparableAfter(context, 'functions').context;
    const ofFunctions = profileTimes(profile, functions);
    const solve = functions.attributes.findIndex(({ callee }) => callee === 'solve');
    expect([...ofFunctions.inclusiveOf([solve])]).toEqual([17, 26, 46]);
    expect([...ofFunctions.exclusiveOf(solve)]).toEqual([11, 22, 44]);
  });

  it('are found for the artificial functions of the context', () => {
    const whole = profileContext(profile, { artificial: [] });
    const bcast = whole.attributes.findIndex(({ callee }) => callee === 'MPI_Bcast');
    expect([...profileTimes(profile, whole, []).exclusiveOf(bcast)]).toEqual([3, 3, 3]);
    expect([...profileTimes(profile, whole).exclusiveOf(bcast)]).toEqual([0, 0, 0]);
  });
});

describe('the median process', () => {
  const of = (totals: readonly number[], members: readonly number[] = [...totals.keys()]): number =>
    medianProcess({ totals: Float64Array.from(totals) }, members);
  it('has the median of the times, by nearest rank', () => {
    expect([of([3, 1, 2]), of([4, 3, 2, 1]), of([5]), of([9, 1, 8, 2, 7], [0, 2, 4])]).toEqual([2, 2, 0, 2]);
  });
  it('is the first of several', () => {
    expect([of([7, 7, 7]), of([9, 5, 1, 5, 5])]).toEqual([0, 1]);
  });
});

describe('ranking of differences', () => {
  test('D6: blocks of W8 by share', () => {
    const percent = ({ group, without, share }: Block): string =>
      `${group} not ${without}: ${(100 * share).toFixed(1)}`;
    // Rank 0, threads, other ranks.
    const blocks = differingBlocks(w8);
    expect(blocks(0, 1).map(percent)).toEqual(['0 not 1: 47.7', '0 not 1: 21.0', '1 not 0: 7.3']);
    expect(blocks(0, 2)).toMatchObject([{ share: 95 / 453, group: 0 }]);
    expect(blocks(2, 0)).toMatchObject([{ share: 95 / 453, group: 0 }]);
    expect(blocks(0, 1).every((block) => !('seconds' in block))).toBe(true);
  });

  test('D6: blocks by inclusive time in the median process', () => {
    const given = contextOf(ranks(['x', 'a', 'b1', 'b2'], ['x'], ['x', 'a'], ['x', 'a']), 'functions');
    const seconds = [0, 5, 1, 2];
    const fake: ProcessTimes = {
      ...times,
      totals: Float64Array.of(1, 1, 4, 3),
      computing: Float64Array.of(1, 1, 4, 3),
      inclusiveAt: (attributes, process) =>
        attributes.reduce((sum, attribute) => sum + (process + 1) * seconds[attribute]!, 0),
    };
    const named = (blocks: readonly Block[]) => blocks.map((block) => [block.attributes, block.seconds]);
    const blocks = differingBlocks(given, fake);
    expect(named(blocks(0, 1))).toEqual([
      [[1], 5],
      [[3, 2], 3],
    ]);
    expect(named(blocks(0, 1, 'share'))).toEqual([
      [[3, 2], 3],
      [[1], 5],
    ]);
    // Of ranks 2 and 3, rank 3 is the median.
    expect(named(blocks(2, 1))).toEqual([[[1], 20]]);
  });

  test('D7: W16', () => {
    expect(spreadScore([10, 20, 30, 40]).score).toBe(120);
    expect(spreadScore([100, 100, 100, 100]).score).toBe(0);
    expect(spreadScore([]).score).toBe(0);
    const w16 = profileOf({
      name: 'main',
      seconds: [0, 0, 0, 0],
      visits: [1, 1, 1, 1],
      calls: [
        { name: 'even', seconds: [100, 100, 100, 100], visits: [1, 1, 1, 1] },
        { name: 'uneven', seconds: [10, 20, 30, 40], visits: [1, 1, 1, 1] },
      ],
    });
    const itsContext = profileContext(w16);
    const [ranked = []] = rankedSpreads(itsContext, profileTimes(w16, itsContext), [0]);
    // What all spend alike is no difference.
    expect(
      ranked.map(({ attribute, score, seconds }) => [
        itsContext.attributes[attribute]?.callee,
        score,
        seconds,
      ]),
    ).toEqual([['uneven', 120, 100]]);
    expect(ranked[0]?.percentiles).toEqual({ p2: 10, lower: 10, median: 20, upper: 30, p98: 40 });
  });

  test('D7: only the members of the group count', () => {
    // Ranks 1 and 2 are the group without print_results.
    const [alone, ranked = []] = rankedSpreads(context, times, [0, 1]);
    expect(alone).toEqual([]);
    expect(
      ranked.slice(0, 2).map(({ attribute, score }) => [pairText(context.attributes[attribute]!), score]),
    ).toEqual([
      ['main → solve', 40],
      ['solve → solve', 4],
    ]);
    expect(ranked.some(({ attribute }) => attribute === named('main → print_results'))).toBe(false);
  });
});

describe('anchor points', () => {
  const found = anchorPoints(context, times);
  const names = found.map(({ attribute }) => pairText(context.attributes[attribute]!));

  test('D8: calls with equal visits of all processes; collective ones first, then less deep ones, then longer ones', () => {
    expect(names).toEqual([
      'main → MPI_Bcast',
      'main → MPI_Barrier',
      'solve → MPI_Allreduce',
      'main',
      'main → reduce',
      'solve → solve',
    ]);
    expect(found[names.indexOf('solve → MPI_Allreduce')]).toMatchObject({
      visits: 5,
      isCollective: true,
      depth: 2,
      seconds: 12,
    });
    // A function of the program is no operation of MPI, whatever its name.
    expect(found[names.indexOf('main → reduce')]).toMatchObject({ isCollective: false, seconds: 27 });
  });

  test('D8: a differing count, or none on one process, is no anchor', () => {
    expect(names).not.toContain('main → solve');
    expect(names).not.toContain('main → print_results');
    const some = anchorPoints(context, times, [1]).map(({ attribute }) =>
      pairText(context.attributes[attribute]!),
    );
    expect(some).not.toContain('main → solve');
    const alone = anchorPoints(context, times, [0]).map(({ attribute }) =>
      pairText(context.attributes[attribute]!),
    );
    expect(alone).toContain('main → print_results');
    expect(alone).toContain('main → solve');
  });

  test('D8: barriers of OpenMP and operations of Fortran programs are collective', () => {
    const collective = [
      ...['mpi_allreduce_', 'MPI_Ibarrier', 'MPI_Bcast', 'MPI_Gather', 'MPI_Scan', 'PMPI_Alltoall'],
      ...['!$omp implicit barrier @a.c:3', '!$omp barrier @a.c:4', 'GOMP_barrier', 'shmem_barrier_all'],
    ];
    const single = ['MPI_Send', 'barrier', 'reduce', 'GOMP_barrier_wait_end', '!$omp parallel @a.c:3'];
    const all = contextOf(ranks([...single, ...collective]), 'functions');
    const one: ProcessTimes = {
      ...times,
      visitsOf: () => Float64Array.of(1),
      inclusiveOf: () => Float64Array.of(1),
      depthOf: () => 1,
    };
    const anchors = anchorPoints(all, one);
    expect(anchors.map(({ attribute }) => all.attributes[attribute]?.callee)).toEqual([
      ...collective,
      ...single,
    ]);
    expect(anchors.filter((anchor) => anchor.isCollective)).toHaveLength(collective.length);
  });

  test('D8: none without visits or processes', () => {
    const unvisited = profileOf(program, false);
    const its = profileContext(unvisited);
    const itsTimes = profileTimes(unvisited, its);
    expect([...itsTimes.visitsOf(0)]).toEqual([0, 0, 0]);
    expect(anchorPoints(its, itsTimes)).toEqual([]);
    expect(anchorPoints(context, times, [])).toEqual([]);
  });
});

describe('readings with times', () => {
  test('D12: times are those of the median process of the group', () => {
    const printing = profileOf({
      name: 'main',
      seconds: [1, 9, 3, 6],
      visits: [1, 1, 1, 1],
      calls: [{ name: 'print', seconds: [0, 7, 2, 5], visits: [0, 1, 1, 1] }],
    });
    const its = profileContext(printing);
    expect(groupReadings(its, { times: profileTimes(printing, its) }).sentences.at(-1)).toBe(
      'Ranks 1–3 do everything that rank 0 does, and additionally call print (5 s).',
    );
  });

  test('D12: what takes long is named first, with its time', () => {
    expect(groupReadings(context, { times }).sentences.at(-1)).toBe(
      'Rank 0 does everything that ranks 1–2 do, and additionally calls print_results and fopen (2.5 s).',
    );
  });
});
