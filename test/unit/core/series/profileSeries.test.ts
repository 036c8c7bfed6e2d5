import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { iterationsIn, phasesIn } from '../../../../src/core/series/profileIterations';
import { profileSeries, type ProfileSeriesOptions } from '../../../../src/core/series/profileSeries';
import { placeToLookAt, type Series } from '../../../../src/core/series/series';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { ProfileBuilder } from '../../../profileBuilder';
import type { Metric, Profile, Region } from '../../../../src/core/profile/profile';
import { limitsFor } from '../../../../src/formats/cube4/archive/limits';
import { memoryCube } from '../../../../src/formats/cube4/memoryCube';
import { openExpanded } from '../../../../src/formats/cube4/read';
import { bytesSource } from '../../../../src/formats/byteSource';
import { sharedData } from '../../../shared';
import { collect } from '../../formats/series/collect';

const usual: ProfileSeriesOptions = { callPaths: false, inclusive: false, metrics: ['time'] };

async function seriesOf(
  profile: Profile,
  options: Partial<ProfileSeriesOptions> = {},
): Promise<readonly Series[]> {
  const source = profileSeries(memoryCube(profile, limitsFor(1 << 20)), { ...usual, ...options });
  return source === undefined ? [] : collect(source, 3);
}

/** `name rank/thread` (or the call path) and the values of what is not the phase. */
function table(series: readonly Series[]): Record<string, number[]> {
  return Object.fromEntries(
    series.map(({ context: { region, callPath, rank, thread }, values }) => [
      `${region.kind === 'phase' ? '<phase>' : (callPath ?? [region]).map(({ name }) => name).join('/')} ${rank}/${thread}`,
      Array.from(values),
    ]),
  );
}

type Tree = readonly [name: string, time: readonly number[], children?: readonly Tree[]];

/** A profile with that call tree; times are per location, stored as they are. */
function profileOf(tree: Tree, stored: Metric['stored'], locations = [[0, 0]]): Profile {
  const builder = new ProfileBuilder();
  builder.metric({
    name: 'time',
    displayName: 'Time',
    unit: 'sec',
    dtype: 'DOUBLE',
    stored,
    combine: 'sum',
    description: '',
  });
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (const [rank = 0, thread = 0] of locations)
    builder.location({ name: '', rank, thread, process, kind: 'thread' });
  const regions = new Map<string, number>();
  const add = ([name, times, children = []]: Tree, parent?: number): void => {
    const region: Region = { name, paradigm: 'compiler', role: 'function', file: 'a.c', firstLine: 3 };
    const position = regions.get(name) ?? builder.region(region);
    regions.set(name, position);
    const path = builder.callPath(parent, position);
    times.forEach((time, location) => builder.set('time', path, location, time));
    for (const child of children) add(child, path);
  };
  add(tree);
  return builder.build();
}

// Times are what each call path takes alone; f calls itself, g is called from two places.
const exclusiveTree: Tree = [
  'main',
  [100],
  [
    [
      'step',
      [50],
      [
        [
          'instance=2',
          [1],
          [
            ['f', [10], [['f', [20], [['g', [2]]]]]],
            ['g', [3]],
          ],
        ],
        ['instance=1', [7], [['h', [5]]]],
        ['instance=7', [0], [['g', [4], [['inner', [1], [['instance=1', [2], [['g', [6]]]]]]]]]],
      ],
    ],
  ],
];

function withChildren([name, times, children = []]: Tree): Tree {
  const own = children.map(withChildren);
  return [name, times.map((time, l) => own.reduce((sum, [, below]) => sum + (below[l] ?? 0), time)), own];
}

/** The series of that tree are the same however its values are stored. */
async function expectSeries(
  expected: Readonly<Record<string, number[]>>,
  options: Partial<ProfileSeriesOptions> = {},
): Promise<void> {
  for (const profile of [
    profileOf(exclusiveTree, 'exclusive'),
    profileOf(withChildren(exclusiveTree), 'inclusive'),
  ])
    expect(table(await seriesOf(profile, options))).toEqual(expected);
}

describe('where a region is looked at that has no source', () => {
  /** `g` and `MPI_Wait` are below `f` and `h`, which have one; each takes so long. */
  const called = async (belowF: number, belowH: number): Promise<readonly unknown[]> => {
    const builder = new ProfileBuilder().metric(standardMetrics.time);
    const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
    const thread = builder.location({ name: '', rank: 0, thread: 0, process, kind: 'thread' });
    const region = (name: string, file: string, firstLine: number): number =>
      builder.region({
        name,
        paradigm: 'compiler',
        role: 'function',
        file,
        firstLine,
        lastLine: firstLine + 5,
      });
    const wait = builder.region({ name: 'MPI_Wait', paradigm: 'mpi', role: 'function', file: 'MPI' });
    const main = builder.callPath(undefined, region('main', 'a.c', 1));
    const step = builder.callPath(main, region('instance=1', 'a.c', 1));
    const library = region('g', '', 0);
    [belowF, belowH].forEach((seconds, at) => {
      const caller = builder.callPath(step, region('fh'.charAt(at), 'b.c', 10 * (at + 1)));
      const between = builder.callPath(caller, library);
      builder.set('time', builder.callPath(between, wait), thread, seconds);
    });
    const regions = (await seriesOf(builder.build())).map(({ context }) => context.region);
    return regions.filter(({ name }) => name === 'MPI_Wait').map(placeToLookAt);
  };

  it('is the function that most of its time is spent below', async () => {
    expect(await called(2, 1)).toEqual([{ file: 'b.c', line: 10, endLine: 15 }]);
    expect(await called(1, 2)).toEqual([{ file: 'b.c', line: 20, endLine: 25 }]);
  });
});

describe('series of a profile with iterations', () => {
  it('flat: the value of a region is the sum of its call paths, in the order of the iterations’ numbers', () =>
    expectSeries({
      '<phase> 0/0': [12, 36, 13],
      'step 0/0': [7, 1, 0],
      'f 0/0': [0, 30, 0],
      'g 0/0': [0, 5, 10],
      'h 0/0': [5, 0, 0],
      'inner 0/0': [0, 0, 3],
    }));

  it('call paths: the same region on two paths is kept apart', () =>
    expectSeries(
      {
        '<phase> 0/0': [12, 36, 13],
        'step 0/0': [7, 1, 0],
        'f 0/0': [0, 10, 0],
        'f/f 0/0': [0, 20, 0],
        'f/f/g 0/0': [0, 2, 0],
        'g 0/0': [0, 3, 4],
        'h 0/0': [5, 0, 0],
        'g/inner 0/0': [0, 0, 3],
        'g/inner/g 0/0': [0, 0, 6],
      },
      { callPaths: true },
    ));

  it('with what is called below, a recursion counts once', () =>
    expectSeries(
      {
        '<phase> 0/0': [12, 36, 13],
        'f 0/0': [0, 32, 0],
        'g 0/0': [0, 5, 13],
        'h 0/0': [5, 0, 0],
        'inner 0/0': [0, 0, 9],
      },
      { inclusive: true },
    ));

  it('keep ranks and threads apart; the phase is that of the process', async () => {
    const tree: Tree = [
      'step',
      [0, 0, 0],
      [
        ['instance=1', [4, 0, 6], [['f', [1, 3, 2]]]],
        ['instance=2', [5, 0, 7], [['f', [0, 0, 2]]]],
      ],
    ];
    const locations = [
      [0, 0],
      [0, 1],
      [3, 0],
    ];
    expect(table(await seriesOf(profileOf(tree, 'exclusive', locations)))).toEqual({
      '<phase> 0/0': [5, 5],
      '<phase> 3/0': [8, 9],
      'step 0/0': [4, 5],
      'step 3/0': [6, 7],
      'f 0/0': [1, 0],
      'f 0/1': [3, 0],
      'f 3/0': [2, 2],
    });
  });

  it('`wait` is the sum of the metrics of waiting in MPI, of which none counts twice', async () => {
    const builder = new ProfileBuilder();
    const metric = (name: string, stored: Metric['stored'], parent?: number): unknown =>
      builder.metric({
        ...standardMetrics.time,
        name,
        stored,
        ...(parent === undefined ? {} : { parent }),
      });
    metric('time', 'exclusive');
    metric('mpi_latesender', 'exclusive');
    metric('mpi_latebroadcast', 'inclusive');
    metric('mpi_barrier_completion', 'exclusive');
    metric('mpi_barrier_wait', 'exclusive');
    metric('mpi_wait_nxn', 'exclusive', 4); // a part of the metric above
    const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
    const thread = builder.location({ name: '', rank: 0, thread: 0, process, kind: 'thread' });
    const region = (name: string): number => builder.region({ name, paradigm: 'user', role: 'function' });
    const [exchange, receive, broadcast] = [region('exchange'), region('MPI_Recv'), region('MPI_Bcast')];
    const step = builder.callPath(undefined, region('step'));
    for (const [i, late] of [1, 4].entries()) {
      const iteration = builder.callPath(step, region(`instance=${i + 1}`));
      const caller = builder.callPath(iteration, exchange);
      const call = builder.callPath(caller, receive);
      builder.set('time', call, thread, 100);
      builder.set('mpi_latesender', call, thread, late);
      builder.set('mpi_barrier_completion', call, thread, 50);
      builder.set('mpi_barrier_wait', call, thread, 2);
      builder.set('mpi_wait_nxn', call, thread, 2);
      for (const path of [iteration, caller]) builder.set('mpi_latebroadcast', path, thread, 8);
      builder.set('mpi_latebroadcast', builder.callPath(caller, broadcast), thread, 8);
    }
    const profile = builder.build();
    const waits = async (options: Partial<ProfileSeriesOptions>): Promise<unknown> =>
      table((await seriesOf(profile, options)).filter(({ context }) => context.metric === 'wait'));
    expect(await waits({ metrics: ['time', 'wait'] })).toEqual({
      'step 0/0': [0, 0],
      'exchange 0/0': [0, 0],
      'MPI_Recv 0/0': [3, 6],
      'MPI_Bcast 0/0': [8, 8],
    });
    expect(await waits({ metrics: ['time', 'wait'], inclusive: true })).toEqual({
      'exchange 0/0': [11, 14],
      'MPI_Recv 0/0': [3, 6],
      'MPI_Bcast 0/0': [8, 8],
    });
    expect(await waits({})).toEqual({});
  });

  it('need iterations; parameters of a loop are some where it is named', () => {
    const plain = profileOf(
      [
        'main',
        [1],
        [
          ['n=1', [1]],
          ['n=2', [1]],
        ],
      ],
      'exclusive',
    );
    expect(iterationsIn(plain)).toBeUndefined();
    expect(iterationsIn(plain, 'main')?.iterations).toBe(2);
    expect(iterationsIn(plain, 'n')?.iterations).toBe(2);
    expect(phasesIn(plain)).toEqual(['n']);
    expect(iterationsIn(profileOf(['instance=1', [1]], 'exclusive'))).toBeUndefined();
  });

  const dynamic = 'scorep/lulesh-dynamic/lulesh.s10.i250.dynamic';
  it.skipIf(sharedData(`${dynamic}/profile.cubex`) === undefined).each([dynamic, `${dynamic}-clustered64`])(
    'of Score-P agree with the Cube library: %s',
    async (folder) => {
      const file = sharedData(`${folder}/profile.cubex`) ?? '';
      const cube = openExpanded(bytesSource(readFileSync(file)), file);
      const { callPaths, regions } = cube.definitions;
      const source = profileSeries(cube, usual);
      expect(source).toMatchObject({ unit: 's', phase: 'timestep', iterations: 231 });
      const series = source === undefined ? [] : await collect(source, 64);
      const golden = goldenTimes(sharedData(`${folder}/profile.values.csv.gz`) ?? '');
      const iterations = iterationsIn(cube.definitions)?.iterationAt ?? new Int32Array();
      const expectedSums = new Map<string, number>();
      const within = new Int8Array(callPaths.count);
      callPaths.region.forEach((region, at) => {
        const isIteration = (iterations[at] ?? -1) >= 0;
        within[at] = isIteration || within[callPaths.parent[at] ?? -1] === 1 ? 1 : 0;
        if (within[at] === 0) return;
        const name = isIteration ? 'timestep' : (regions[region]?.name ?? '');
        expectedSums.set(name, (expectedSums.get(name) ?? 0) + (golden.get(at)?.exclusive ?? 0));
      });
      const own = series.filter(({ context }) => context.region.kind !== 'phase');
      expect(own.length).toBeGreaterThan(20);
      for (const { context, values } of own)
        expect(
          values.reduce((a, b) => a + b),
          context.region.name,
        ).toBeCloseTo(expectedSums.get(context.region.name) ?? Number.NaN, 9);
      const phase = series.find(({ context }) => context.region.kind === 'phase')?.values;
      iterations.forEach((iteration, at) => {
        if (iteration >= 0)
          expect(phase?.[iteration]).toBeCloseTo(golden.get(at)?.inclusive ?? Number.NaN, 9);
      });
      expect(series.find(({ context }) => context.region.name === 'timestep')?.context.region).toMatchObject({
        file: '/home/hpcuser/bench1/build/lulesh/dyn/lulesh.cc',
        line: 2749,
      });
    },
  );
});

/** Times by position of the call path, of the one location. */
function goldenTimes(file: string): ReadonlyMap<number, { exclusive: number; inclusive: number }> {
  const times = new Map<number, { exclusive: number; inclusive: number }>();
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
    const [metric, callPath, location, exclusive, inclusive] = line.split(',');
    if (metric === 'time' && location === '0')
      times.set(Number(callPath), { exclusive: Number(exclusive), inclusive: Number(inclusive) });
  }
  return times;
}
