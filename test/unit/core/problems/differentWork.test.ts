import { describe, expect, it, test } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { runOf, type Call } from './runs';

const region = (name: string, firstLine = 1): Call['region'] => ({ name, firstLine });

function found(
  calls: readonly Call[],
  ranks: number,
  threads = 1,
): readonly (readonly [string, string | undefined])[] {
  const seconds = new Array<number>(ranks * threads).fill(1);
  return findProperties({ profile: runOf({ region: region('main'), seconds, calls }, ranks, threads) })
    .filter(({ kind }) => kind === 'different-work')
    .map(({ title, region: place }) => [
      title,
      place?.line === undefined ? undefined : `${place.file ?? ''}:${place.line}`,
    ]);
}

describe('work that only some ranks do', () => {
  it('is named by its first function, with the ranks, its share with callees, and its line', () => {
    const write: Call = {
      region: region('write', 7),
      seconds: [1, 0, 0],
      calls: [{ region: region('format', 9), seconds: [3, 0, 0] }],
    };
    const solve: Call = { region: region('solve', 20), seconds: [0, 5, 4] };
    expect(found([write, solve], 3)).toEqual([
      ['All ranks but 0 call solve, which takes 56.3 % of the run time', '/src/a.c:20'],
      ['Only rank 0 calls write, which takes 25.0 % of the run time', '/src/a.c:7'],
    ]);
  });

  it('is a function with other callers, too, of which all ranks call one', () => {
    const helper: Call = { region: region('helper', 30), seconds: [0, 2] };
    const first: Call = { region: region('first', 5), seconds: [1, 1], calls: [helper] };
    expect(found([first], 2)).toEqual([
      ['Only rank 1 calls helper, which takes 33.3 % of the run time', '/src/a.c:30'],
    ]);
  });

  it('is not what all ranks do on some of their threads, what takes less than 1 %, or what a single process does', () => {
    const loop: Call = { region: region('loop'), seconds: [1, 0, 0, 1] };
    const rare: Call = { region: region('rare'), seconds: [0, 0.01, 0, 0] };
    expect(found([loop, rare], 2, 2)).toEqual([]);
    expect(found([{ region: region('one'), seconds: [1, 0] }], 1, 2)).toEqual([]);
  });

  it('stands at the caller where the function is of a library', () => {
    const receive: Call = { region: { name: 'MPI_Recv', paradigm: 'mpi', file: '' }, seconds: [2, 0] };
    expect(found([receive], 2)).toEqual([
      ['Only rank 0 calls MPI_Recv in main, which takes 50.0 % of the run time', '/src/a.c:1'],
    ]);
  });
});

describe('ranks that compute longer than the others', () => {
  const barrier: Call = {
    region: { name: 'MPI_Barrier', paradigm: 'mpi', role: 'barrier', file: 'MPI' },
    seconds: [0, 0, 0, 0],
    visits: [1, 1, 1, 1],
  };
  const titles = (calls: readonly Call[]): readonly string[] =>
    findProperties({
      profile: runOf({ region: region('main'), seconds: [2, 2, 2, 2], calls: [barrier, ...calls] }, 4),
    })
      .filter(({ kind }) => kind === 'late-group')
      .map(({ title, severity }) => `${title} ${severity?.toFixed(3) ?? ''}`);

  it('do so because of a function that only they call, if it takes at least half of the difference', () => {
    const repair: Call = { region: region('repair'), seconds: [0, 3, 0, 5] };
    // 5, 7 and twice 2 seconds: a mean of 6, of all of 4, and the longest takes 7.
    expect(titles([repair])).toEqual([
      'Ranks 1,3 compute 4 s longer than the others on average, because only they call repair (costs 28.6 % of the run time of the slowest rank) 0.286',
    ]);
    const uneven: Call = { region: region('uneven'), seconds: [1, 9, 1, 9] };
    expect(titles([repair, uneven])).toEqual([]);
  });

  it('are not those of which other ranks compute longer still', () => {
    const mine: Call = { region: region('mine'), seconds: [4, 4, 0, 0] };
    const yours: Call = { region: region('yours'), seconds: [0, 0, 9, 0] };
    expect(titles([mine, yours])).toEqual([
      'Rank 2 computes 6.33 s longer than the others, because only it calls yours (costs 43.2 % of the run time of the slowest rank) 0.432',
    ]);
  });

  it('are not those whose function makes up for other work of the others', () => {
    expect(
      titles([
        { region: region('mine'), seconds: [3, 0, 0, 0] },
        { region: region('yours'), seconds: [0, 3, 3, 3] },
      ]),
    ).toEqual([]);
  });
});

test('the groups of ranks are a finding where there are several', () => {
  const groups = (seconds: readonly number[]): readonly string[] =>
    findProperties({
      profile: runOf(
        { region: region('main'), seconds: [1, 1, 1], calls: [{ region: region('write'), seconds }] },
        3,
      ),
    })
      .filter(({ kind }) => kind === 'process-groups')
      .map(({ title }) => title);
  expect(groups([0, 2, 0])).toEqual(['3 ranks in 2 groups by the functions that they call: 0, 2; 1']);
  expect(groups([1, 2, 3])).toEqual([]);
});

test('more ranks than a function can have arguments are compared', () => {
  const count = 200_000;
  const seconds = Float64Array.from({ length: count }, () => 1);
  const some = seconds.map((_, rank) => (rank < 2 ? count : 0));
  const titles = findProperties({
    profile: runOf(
      {
        region: region('main'),
        seconds: [...seconds],
        calls: [{ region: region('write'), seconds: [...some] }],
      },
      count,
    ),
  }).map(({ title }) => title);
  expect(titles).toContain('Only ranks 0-1 call write, which takes 66.7 % of the run time');
});
