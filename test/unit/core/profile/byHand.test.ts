import { describe, expect, it } from 'vitest';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { nearestFunction, placeOf, sourceFile } from '../../../../src/core/profile/place';
import type { Metric, Profile, Region } from '../../../../src/core/profile/profile';
import { flatProfile } from '../../../../src/core/profile/regions';
import { callPathNames, childLinks, preOrder } from '../../../../src/core/profile/tree';
import {
  exclusive,
  exclusivePerLocation,
  hasVisits,
  inclusive,
  inclusivePerLocation,
} from '../../../../src/core/profile/values';
import { ProfileBuilder } from '../../../profileBuilder';

type Rows = readonly (readonly number[])[];
const least: Metric = { ...standardMetrics.minimumTime, name: 'least' };
const most: Metric = { ...standardMetrics.maximumTime, name: 'most' };
const simple: Metric = { ...standardMetrics.time, name: 'simple', stored: 'simple' };

/** main: a: b; c, on two locations. */
function profileOf(metrics: readonly (readonly [Metric, Rows])[], names = ['main', 'a', 'b', 'c']): Profile {
  const builder = new ProfileBuilder();
  for (const [metric] of metrics) builder.metric(metric);
  const regions = new Map<string, number>();
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (const thread of [0, 1])
    builder.location({ name: `${thread}`, rank: 0, thread, process, kind: 'thread' });
  [undefined, 0, 1, 0].forEach((parent, path) => {
    const name = names[path] ?? '';
    const region = regions.get(name) ?? builder.region({ name, paradigm: 'compiler', role: 'function' });
    regions.set(name, region);
    builder.callPath(parent, region);
  });
  for (const [{ name }, rows] of metrics)
    rows.forEach((row, path) => row.forEach((value, location) => builder.set(name, path, location, value)));
  return builder.build();
}

const visits: readonly [Metric, Rows] = [
  standardMetrics.visits,
  [
    [1, 1],
    [3, 1],
    [5, 0],
    [1, 1],
  ],
];
const time: readonly [Metric, Rows] = [
  standardMetrics.time,
  [
    [20, 10],
    [9, 4],
    [5, 1],
    [2, 3],
  ],
];
const minima: readonly [Metric, Rows] = [
  least,
  [
    [20, 10],
    [3, 4],
    [1, 0],
    [2, 3],
  ],
];
const maxima: readonly [Metric, Rows] = [
  most,
  [
    [-5, -3],
    [-2, -9],
    [-4, 0],
    [-6, -8],
  ],
];
const whole = profileOf([
  visits,
  time,
  minima,
  maxima,
  [
    simple,
    [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ],
  ],
]);

function valuesOf(profile: Profile, metric: string): Readonly<Record<string, readonly number[]>> {
  return {
    inclusive: [...inclusive(profile, metric)],
    exclusive: [...exclusive(profile, metric)],
    inclusivePerLocation: [...inclusivePerLocation(profile, metric)],
    exclusivePerLocation: [...exclusivePerLocation(profile, metric)],
  };
}

describe('values of a small call tree', () => {
  it('of a time, which contains that of callees', () => {
    expect(valuesOf(whole, 'time')).toEqual({
      inclusive: [30, 13, 6, 5],
      exclusive: [12, 7, 6, 5],
      inclusivePerLocation: [20, 10, 9, 4, 5, 1, 2, 3],
      exclusivePerLocation: [9, 3, 4, 3, 5, 1, 2, 3],
    });
  });

  it('of a number, which does not', () => {
    expect(valuesOf(whole, 'visits')).toEqual({
      inclusive: [13, 9, 5, 2],
      exclusive: [2, 4, 5, 2],
      inclusivePerLocation: [10, 3, 8, 1, 5, 0, 1, 1],
      exclusivePerLocation: [1, 1, 3, 1, 5, 0, 1, 1],
    });
  });

  it('of extremes, over what was visited', () => {
    expect(valuesOf(whole, 'least')).toEqual({
      inclusive: [1, 1, 1, 2],
      exclusive: [10, 3, 1, 2],
      inclusivePerLocation: [1, 3, 1, 4, 1, 0, 2, 3],
      exclusivePerLocation: [20, 10, 3, 4, 1, 0, 2, 3],
    });
    expect(valuesOf(whole, 'most')).toEqual({
      inclusive: [-2, -2, -4, -6],
      exclusive: [-3, -2, -4, -6],
      inclusivePerLocation: [-2, -3, -2, -9, -4, 0, -6, -8],
      exclusivePerLocation: [-5, -3, -2, -9, -4, 0, -6, -8],
    });
  });

  it('of extremes as the Cube library has them, or where nothing was counted', () => {
    const all = [1, 0, 1, 0, 1, 0, 2, 3];
    const unvisited = [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    expect([...inclusivePerLocation(whole, 'least', 'as-stored')]).toEqual(all);
    expect([...inclusivePerLocation(whole, 'most', 'as-stored')]).toEqual([-2, 0, -2, 0, -4, 0, -6, -8]);
    for (const counting of [
      [],
      [[standardMetrics.visits, unvisited]],
      [[{ ...standardMetrics.visits, stored: 'simple' }, visits[1]]],
      [[{ ...standardMetrics.visits, stored: 'derived' }, visits[1]]],
      [[{ ...standardMetrics.visits, combine: 'maximum' }, visits[1]]],
    ] as (readonly [Metric, Rows])[][]) {
      const profile = profileOf([...counting, minima]);
      expect([...inclusivePerLocation(profile, 'least')]).toEqual(all);
      expect([...inclusive(profile, 'least')]).toEqual([0, 0, 0, 2]);
    }
    const never = profileOf([[standardMetrics.visits, unvisited], minima]);
    expect([...inclusivePerLocation(never, 'least', 'visited-only')]).toEqual(new Array(8).fill(0));
    expect([...exclusivePerLocation(never, 'least', 'visited-only')]).toEqual(new Array(8).fill(0));
    expect([whole, never, profileOf([minima])].map(hasVisits)).toEqual([true, false, false]);
    // Visits with those of callees are as good.
    const withCallees: readonly [Metric, Rows] = [
      { ...standardMetrics.visits, stored: 'inclusive' },
      [
        [10, 3],
        [8, 1],
        [5, 0],
        [1, 1],
      ],
    ];
    expect([...inclusive(profileOf([withCallees, minima]), 'least')]).toEqual([1, 1, 1, 2]);
  });

  it('of a metric that has no relation to the tree, and of one that cannot be shown', () => {
    expect(valuesOf(whole, 'simple')).toEqual({
      inclusive: [3, 7, 11, 15],
      exclusive: [3, 7, 11, 15],
      inclusivePerLocation: [1, 2, 3, 4, 5, 6, 7, 8],
      exclusivePerLocation: [1, 2, 3, 4, 5, 6, 7, 8],
    });
    const [four, eight] = [
      [0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0],
    ];
    const nothing = {
      inclusive: four,
      exclusive: four,
      inclusivePerLocation: eight,
      exclusivePerLocation: eight,
    };
    expect(valuesOf(profileOf([[{ ...simple, unsupported: true }, [[1], [2]]]]), 'simple')).toEqual(nothing);
    expect(valuesOf(profileOf([[standardMetrics.time, []]]), 'time')).toEqual(nothing);
    expect(() => inclusive(profileOf([[{ ...simple, stored: 'derived' }, []]]), 'simple')).toThrow(
      /stores no values/,
    );
    expect(() => inclusive(whole, 'nonsense')).toThrow(
      'The profile has no metric “nonsense”. It has: visits, time, least, most, simple.',
    );
  });

  it('that are only noise of rounding are 0', () => {
    const rounded = profileOf([[standardMetrics.time, [[0.3, 1], [0.1, 1 - 2 ** -52], [], [0.2]]]]);
    expect([...exclusivePerLocation(rounded, 'time')]).toEqual([
      0,
      2 ** -52,
      0.1,
      1 - 2 ** -52,
      0,
      0,
      0.2,
      0,
    ]);
  });

  it('are not those that the profile stores', () => {
    for (const values of [inclusivePerLocation, exclusivePerLocation])
      for (const { name } of whole.metrics) expect(values(whole, name)).not.toBe(whole.stored.get(name));
  });
});

describe('flat values', () => {
  it('add up, or are the extremes of what was visited; a recursion counts once', () => {
    const recursive = profileOf([visits, time, minima, maxima], ['main', 'a', 'a', 'c']);
    expect(flatProfile(recursive)).toEqual({
      inclusive: Float64Array.of(30, 13, 5),
      exclusive: Float64Array.of(12, 13, 5),
      visits: Float64Array.of(2, 9, 2),
    });
    expect(flatProfile(recursive, 'least')).toEqual({
      inclusive: Float64Array.of(1, 1, 2),
      exclusive: Float64Array.of(10, 1, 2),
      visits: Float64Array.of(2, 9, 2),
    });
    const twice = profileOf([visits, time, minima, maxima], ['main', 'a', 'b', 'a']);
    expect(flatProfile(twice, 'least').inclusive).toEqual(Float64Array.of(1, 1, 1));
    expect(flatProfile(twice, 'least').exclusive).toEqual(Float64Array.of(10, 2, 1));
    expect(flatProfile(twice, 'most').exclusive).toEqual(Float64Array.of(-3, -2, -4));
    expect(flatProfile(twice, 'time').inclusive).toEqual(Float64Array.of(30, 18, 6));
    const unvisited: readonly [Metric, Rows] = [
      standardMetrics.visits,
      [
        [1, 1],
        [0, 0],
        [5, 0],
        [1, 1],
      ],
    ];
    expect(flatProfile(profileOf([unvisited, minima], ['main', 'a', 'b', 'a']), 'least').exclusive).toEqual(
      Float64Array.of(10, 2, 1),
    );
    expect(flatProfile(profileOf([time])).visits).toEqual(new Float64Array(4));
    const derived: readonly [Metric, Rows] = [{ ...standardMetrics.visits, stored: 'derived' }, []];
    expect(flatProfile(profileOf([derived, time])).visits).toEqual(new Float64Array(4));
  });
});

describe('the order of a tree', () => {
  it('is that of its links, whatever the order of its parents', () => {
    expect(childLinks([-1, 0, 0, -1, 2])).toEqual({
      firstRoot: 0,
      firstChild: Int32Array.of(1, -1, 4, -1, -1),
      nextSibling: Int32Array.of(3, 2, -1, -1, -1),
    });
    expect([...preOrder([3, -1, 1, 2, -1, 1])]).toEqual([1, 2, 3, 0, 5, 4]);
    expect([...preOrder([])]).toEqual([]);
    expect(callPathNames(whole, 2)).toEqual(['main', 'a', 'b']);
  });

  it.each([
    [[-1, 2], 'Call path 1 has parent 2, but there are only the call paths 0 … 1.'],
    [[-2], 'Call path 0 has parent -2, but there are only the call paths 0 … 0.'],
    [[-1, 0.5], 'Call path 1 has parent 0.5, but there are only the call paths 0 … 1.'],
    [[-1, 2, 1], '2 of 3 call paths are not below a root: their parents form a cycle.'],
    [[0], '1 of 1 call paths are not below a root: their parents form a cycle.'],
  ])('%j is none', (parents, message) => {
    expect(() => preOrder(parents)).toThrow(message);
  });
});

describe('where a region is', () => {
  const region = (facts: Partial<Region>): Region => ({
    name: 'f',
    paradigm: 'compiler',
    role: 'function',
    ...facts,
  });
  it.each<[Partial<Region>, object]>([
    [
      { file: '/a.c', firstLine: 3 },
      { name: 'f', file: '/a.c', line: 3 },
    ],
    [
      { file: '/a.c', firstLine: 0 },
      { name: 'f', file: '/a.c' },
    ],
    [
      { file: '/a.c', firstLine: 1 },
      { name: 'f', file: '/a.c', line: 1 },
    ],
    [{ file: '/a.c' }, { name: 'f', file: '/a.c' }],
    [{ file: 'MPI', firstLine: 3 }, { name: 'f' }],
    [{ file: '', firstLine: 3 }, { name: 'f' }],
    [{ firstLine: 3 }, { name: 'f', line: 3 }],
    [
      { file: 'OMP.c', firstLine: 3 },
      { name: 'f', file: 'OMP.c', line: 3 },
    ],
  ])('%j', (facts, place) => {
    expect(placeOf(region(facts))).toEqual(place);
    expect(sourceFile(region(facts))).toBe((place as { readonly file?: string }).file);
  });

  it('may be in the nearest function around it, which is no construct', () => {
    const profile = profileOf([time]);
    const regions = [
      region({ name: 'main', file: '/m.c' }),
      region({ name: 'a', file: '/a.c', paradigm: 'openmp' }),
      region({ name: 'b' }),
      region({ name: 'c', file: '/c.c' }),
    ];
    const around = (path: number, change: readonly Region[] = regions): string | undefined =>
      nearestFunction({ ...profile, regions: change }, path)?.name;
    expect([0, 1, 2, 3].map((path) => around(path))).toEqual([undefined, 'main', 'main', 'main']);
    expect(
      around(
        2,
        regions.map((each) => ({ ...each, paradigm: 'compiler' })),
      ),
    ).toBe('a');
    expect(
      around(
        2,
        regions.map((each) => ({ ...each, file: 'MPI' })),
      ),
    ).toBeUndefined();
  });
});
