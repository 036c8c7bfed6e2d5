import { describe, expect, it, test } from 'vitest';
import { ProfileBuilder } from '../../../profileBuilder';
import { foldIterations, isIteration } from '../../../../src/core/profile/foldIterations';
import { hottestPath, total } from '../../../../src/core/profile/hotPath';
import {
  combineOfDtype,
  hasNumbers,
  samplingAttribute,
  standardMetrics,
  timedOneIn,
} from '../../../../src/core/profile/metrics';
import type { Metric, Profile, Region } from '../../../../src/core/profile/profile';
import { flatProfile } from '../../../../src/core/profile/regions';
import { isTaskTree, tasksWithinProgram } from '../../../../src/core/profile/taskTrees';
import { callPathNames, childLinks } from '../../../../src/core/profile/tree';
import { isUnsupported, tupleValue } from '../../../../src/core/profile/tupleValues';
import { inclusive } from '../../../../src/core/profile/values';

type Row = readonly [
  name: string,
  parent: number | undefined,
  values: Readonly<Record<string, readonly number[]>>,
  role?: string,
];

/** Call paths with values per location; call paths of one name are of one region. */
function profileOf(
  rows: readonly Row[],
  metrics: readonly Metric[] = Object.values(standardMetrics),
): Profile {
  const builder = new ProfileBuilder();
  for (const metric of metrics) builder.metric(metric);
  const regions = new Map<string, number>();
  const width = Math.max(...rows.flatMap(([, , values]) => Object.values(values).map((list) => list.length)));
  const node = builder.systemNode({ name: 'n', kind: 'node' });
  for (let rank = 0; rank < width; rank++) {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank, parent: node });
    builder.location({ name: 'main', rank, thread: 0, kind: 'thread', process });
  }
  rows.forEach(([name, parent, values, role = 'function']) => {
    const region = regions.get(name) ?? builder.region({ name, paradigm: 'compiler', role });
    regions.set(name, region);
    const path = builder.callPath(parent, region);
    for (const [metric, list] of Object.entries(values))
      list.forEach((value, location) => builder.set(metric, path, location, value));
  });
  return builder.build();
}

describe('values that are made of several parts', () => {
  const parts = [
    Float64Array.of(6, 3, 1),
    Float64Array.of(2, 0, 4),
    Float64Array.of(7, 7, 7),
    Float64Array.of(9, 8, 0),
  ];
  test.each([
    // A rate is its first part by its second one; nothing by nothing is nothing.
    ['RATE', [3, 0, 0.25]],
    ['COMPLEX', [Math.hypot(6, 2), 3, Math.hypot(1, 4)]],
    // Number, minimum, maximum, sum: the mean.
    ['TAU_ATOMIC', [1.5, 8 / 3, 0]],
    ['NDOUBLES(4)', [24, 18, 12]],
    [' ndoubles (4)', [24, 18, 12]],
  ] as const)('%s', (dtype, expected) => {
    const tuple = tupleValue(dtype);
    const given = (tuple?.parts ?? [...parts.keys()]).map((part) => parts[part] ?? new Float64Array());
    const values = tuple?.of(given) ?? [];
    expect(values).toHaveLength(3);
    expected.forEach((value, at) => {
      expect(values[at]).toBeCloseTo(value, 12);
    });
    expect(parts[0]).toEqual(Float64Array.of(6, 3, 1));
  });

  it('others are one number, or cannot be read as any', () => {
    for (const dtype of ['DOUBLE', 'UINT64', 'MINDOUBLE', 'HISTOGRAM(8)'])
      expect(tupleValue(dtype)).toBeUndefined();
    expect(['HISTOGRAM(8)', 'scale_func', 'HISTOGRAM'].every(isUnsupported)).toBe(true);
    expect(['DOUBLE', 'RATE', ''].some(isUnsupported)).toBe(false);
  });

  it('minima and maxima by type, all others add up', () => {
    expect(['MINDOUBLE', 'MAXDOUBLE', 'DOUBLE', 'UINT64'].map(combineOfDtype)).toEqual([
      'minimum',
      'maximum',
      'sum',
      'sum',
    ]);
    expect(hasNumbers(standardMetrics.time)).toBe(true);
    expect(hasNumbers({ ...standardMetrics.time, unsupported: true })).toBe(false);
    expect(hasNumbers({ ...standardMetrics.time, stored: 'derived' })).toBe(false);
  });
});

test('a region says of how many of its visits one was timed', () => {
  const region = (interval?: string): Region => ({
    name: 'f',
    paradigm: 'compiler',
    role: 'function',
    ...(interval === undefined ? {} : { attributes: new Map([[samplingAttribute, interval]]) }),
  });
  expect(timedOneIn(region('64'))).toBe(64);
  expect(timedOneIn(region('2'))).toBe(2);
  for (const all of [region(), region('1'), region('0'), region('x'), region('Infinity'), undefined])
    expect(timedOneIn(all)).toBeUndefined();
});

describe('F17: the hot path', () => {
  const parent = Int32Array.of(-1, 0, 1, 0, -1, 4);
  const links = childLinks(parent);
  const values = Float64Array.of(10, 5, 5, 4, 12, 3);

  it('goes down to the child with the largest value, as long as that has enough of its parent', () => {
    expect(hottestPath(links, values, 0.25)).toEqual([4, 5]);
    expect(hottestPath(links, values, 0.2500001)).toEqual([4]);
    expect(hottestPath(links, values, 0.5, 0)).toEqual([0, 1, 2]);
    expect(hottestPath(links, values, 0.51, 0)).toEqual([0]);
    expect(hottestPath(links, values, 1, 1)).toEqual([1, 2]);
    expect(hottestPath(links, values, 0, 2)).toEqual([2]);
  });
  it('of equal ones takes the first, and of nothing nothing', () => {
    expect(hottestPath(links, new Float64Array(6).fill(1), 0.5)).toEqual([0, 1, 2]);
    expect(hottestPath(links, new Float64Array(6), 0)).toEqual([]);
    expect(hottestPath(childLinks([]), new Float64Array(), 0)).toEqual([]);
  });
});

describe('tasks of OpenMP', () => {
  const profile = profileOf([
    ['main', undefined, { time: [10], visits: [1] }],
    ['work', 0, { time: [4], visits: [2] }],
    ['leaf', 1, { time: [1], visits: [2] }],
    ['other', 0, { time: [3], visits: [1] }],
    ['TASKS', undefined, { time: [4], visits: [0] }, 'artificial'],
    ['work', 4, { time: [4], visits: [2] }],
    ['other', 5, { time: [1], visits: [2] }],
  ]);

  it('have a tree of their own, whose time is in the program’s tree', () => {
    expect([...Array(7).keys()].filter((path) => isTaskTree(profile, path))).toEqual([4]);
    // `other` is called by a task and is none.
    expect(tasksWithinProgram(profile)).toEqual([1]);
    expect(total(profile)).toBe(10);
    expect(total(profile, 'visits')).toBe(10);
  });

  it('are told by the name and the role of the root', () => {
    expect(tasksWithinProgram(profileOf([['TASKS', undefined, { time: [1] }]]))).toEqual([]);
    expect(total(profileOf([['TASKS', undefined, { time: [1] }]]))).toBe(1);
    const inside = profileOf([
      ['main', undefined, { time: [3] }],
      ['TASKS', 0, { time: [1] }, 'artificial'],
    ]);
    expect(isTaskTree(inside, 1)).toBe(false);
  });
});

describe('iterations of a dynamic region', () => {
  const profile = profileOf([
    ['main', undefined, { time: [20, 30], visits: [1, 1], min_time: [20, 30], max_time: [20, 30] }],
    ['loop', 0, { time: [16, 20], visits: [0, 0], min_time: [0, 0], max_time: [0, 0] }, 'dynamic'],
    ['instance=1', 1, { time: [6, 8], visits: [1, 1], min_time: [6, 8], max_time: [6, 8] }],
    ['f', 2, { time: [2, 0], visits: [4, 0], min_time: [0.25, 0], max_time: [1, 0] }],
    ['instance=2', 1, { time: [10, 12], visits: [1, 1], min_time: [5, 9], max_time: [7, 12] }],
    ['f', 4, { time: [1, 3], visits: [2, 6], min_time: [0.5, 0.125], max_time: [0.75, 2] }],
    ['g', 4, { time: [5, 1], visits: [1, 1], min_time: [5, 1], max_time: [5, 1] }],
  ]);
  const folded = foldIterations(profile);

  it('are told by their names', () => {
    expect(['instance=1', 'iteration=0', 'instance=12'].every((name) => isIteration({ name }))).toBe(true);
    for (const name of ['instance=', 'instance=1x', 'my instance=1', 'iterations=3', 'f'])
      expect(isIteration({ name })).toBe(false);
  });

  it('become one: their call paths are those of the region, each once', () => {
    const names = [...Array(folded.callPaths.count).keys()].map((path) =>
      callPathNames(folded, path).join('/'),
    );
    expect(names).toEqual(['main', 'main/loop', 'main/loop/f', 'main/loop/g']);
  });

  it('add up, and their extremes are those of what was visited', () => {
    const stored = (metric: string) => [...(folded.stored.get(metric) ?? [])];
    expect(stored('time')).toEqual([20, 30, 16, 20, 3, 3, 5, 1]);
    expect(stored('visits')).toEqual([1, 1, 2, 2, 6, 6, 1, 1]);
    expect(stored('min_time')).toEqual([20, 30, 5, 8, 0.25, 0.125, 5, 1]);
    expect(stored('max_time')).toEqual([20, 30, 7, 12, 1, 2, 5, 1]);
  });

  it('change no time of a function, and leave a profile without them as it is', () => {
    const byName = (one: Profile) => {
      const { exclusive } = flatProfile(one);
      return (name: string) => exclusive[one.regions.findIndex((region) => region.name === name)];
    };
    for (const name of ['main', 'f', 'g']) expect(byName(folded)(name)).toBe(byName(profile)(name));
    expect(total(folded)).toBe(total(profile));
    const plain = profileOf([['main', undefined, { time: [1] }]]);
    expect(foldIterations(plain)).toBe(plain);
  });

  it('leave rates out, and inclusive extremes, which nobody could add', () => {
    const rate: Metric = { ...standardMetrics.time, name: 'rate', dtype: 'RATE' };
    const most: Metric = { ...standardMetrics.maximumTime, name: 'most', stored: 'inclusive' };
    const { metrics, stored } = foldIterations(
      profileOf(
        [
          ['loop', undefined, { rate: [1], most: [2], time: [3] }],
          ['instance=1', 0, { rate: [1], most: [2], time: [3] }],
        ],
        [standardMetrics.time, rate, most],
      ),
    );
    expect(metrics.map(({ name, ghost = false }) => [name, ghost])).toEqual([
      ['time', false],
      ['rate', true],
      ['most', true],
    ]);
    expect([...stored.keys()]).toEqual(['time']);
  });

  it('at a root stay what they are: there is nothing above to fold them into', () => {
    const one = foldIterations(
      profileOf([
        ['instance=1', undefined, { time: [2], visits: [1] }],
        ['f', 0, { time: [1], visits: [1] }],
      ]),
    );
    expect(one.callPaths.count).toBe(2);
    expect([...inclusive(one, 'time')]).toEqual([2, 1]);
  });
});
