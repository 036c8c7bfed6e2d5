import { describe, expect, it } from 'vitest';
import type { MeasuredPoint } from '../../../../src/core/modeling/measurements';
import { ProfilesAsMeasurements, type Scaling } from '../../../../src/core/modeling/profilesAsMeasurements';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import { ProfileBuilder } from '../../../profileBuilder';

const own: Metric = { ...standardMetrics.visits };
const { time } = standardMetrics;
const least: Metric = { ...standardMetrics.minimumTime };

/** Nodes as `name`, parent and rows of metrics; all metrics but `time` are stored as exclusive values. */
type Node = readonly [
  name: string,
  parent: number | undefined,
  rows: Readonly<Record<string, readonly number[]>>,
];

function profileOf(nodes: readonly Node[], metrics: readonly Metric[] = [own], locations = 2): Profile {
  const builder = new ProfileBuilder();
  for (const metric of metrics) builder.metric(metric);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (let thread = 0; thread < locations; thread++)
    builder.location({ name: `${thread}`, rank: 0, thread, process, kind: 'thread' });
  for (const [name, parent, rows] of nodes) {
    const path = builder.callPath(parent, builder.region({ name, paradigm: 'compiler', role: 'function' }));
    for (const [metric, row] of Object.entries(rows))
      row.forEach((value, location) => builder.set(metric, path, location, value));
  }
  return builder.build();
}

/** Series by call path and metric, of profiles at the points 1, 2, … of a parameter. */
function seriesOf(
  points: readonly (readonly Profile[])[],
  scaling: Scaling = 'weak',
): Record<string, readonly MeasuredPoint[]> {
  const made = new ProfilesAsMeasurements(['p'], scaling);
  points.forEach((profiles, at) => {
    made.addPoint([at + 1], profiles);
  });
  const { parameters, series } = made.measurements();
  expect(parameters).toEqual(['p']);
  return Object.fromEntries(series.map(({ callPath, metric, points: of }) => [`${callPath}|${metric}`, of]));
}

const main = (...visits: readonly number[]): Profile =>
  profileOf([['main', undefined, { visits }]], [own], visits.length);

describe('profiles as measurements', () => {
  it('do not mix units of a metric, which profiles may leave open', () => {
    const inUnit = (unit: string): Profile =>
      profileOf([['main', undefined, { time: [1] }]], [{ ...time, unit }], 1);
    expect(() => seriesOf([[inUnit('sec')], [inUnit('usec')]])).toThrow(/“time”.*“sec”.*“usec”/);
    expect(() => seriesOf([[inUnit('sec'), inUnit('usec')]])).toThrow(/“usec”/);
    expect(seriesOf([[inUnit('sec')], [inUnit('')], [inUnit('sec')]])).toHaveProperty('main|time');
  });
  it('weak: statistics over all locations of all repetitions, zeros too, and a mean for each repetition', () => {
    expect(seriesOf([[main(1, 0), main(5, 2)]])).toEqual({
      'main|visits': [
        {
          point: [1],
          values: [0.5, 3.5],
          mean: 2,
          median: 1.5,
          minimum: 0,
          maximum: 5,
          deviation: Math.sqrt(3.5),
          repetitions: 2,
        },
      ],
    });
  });

  it('weak-threaded: without zeros, unless all are', () => {
    const zero = profileOf([
      ['main', undefined, { visits: [4, 0] }],
      ['f', 0, {}],
    ]);
    expect(seriesOf([[zero, main(6, 0)]], 'weak-threaded')).toMatchObject({
      'main|visits': [{ mean: 5, minimum: 4, repetitions: 2 }],
      'main->f|visits': [{ mean: 0, maximum: 0, repetitions: 1 }],
    });
  });

  it('strong: sums over locations, each a repetition', () => {
    expect(seriesOf([[main(1, 0), main(5, 2)]], 'strong')['main|visits']).toMatchObject([
      { values: [1, 7], mean: 4, repetitions: 2 },
    ]);
  });

  it('keeps values of one location as repetitions', () => {
    expect(seriesOf([[main(3), main(1)]])['main|visits']).toMatchObject([{ values: [3, 1], repetitions: 2 }]);
  });

  it('takes exclusive values', () => {
    const profile = profileOf(
      [
        ['main', undefined, { time: [10, 8] }],
        ['f', 0, { time: [3, 2] }],
      ],
      [time],
    );
    expect(seriesOf([[profile]], 'strong')).toMatchObject({
      'main|time': [{ values: [13] }],
      'main->f|time': [{ values: [5] }],
    });
  });

  it('adds call paths of one name under one parent, and keeps those under others apart', () => {
    const twice = profileOf([
      ['main', undefined, { visits: [1, 1] }],
      ['f', 0, { visits: [1, 2] }],
      ['g', 1, { visits: [10, 20] }],
      ['f', 0, { visits: [3, 4] }],
      ['g', 3, { visits: [30, 40] }],
      ['g', 0, { visits: [5, 5] }],
    ]);
    expect(seriesOf([[twice]])).toMatchObject({
      'main->f|visits': [{ minimum: 4, maximum: 6, repetitions: 1 }],
      'main->f->g|visits': [{ minimum: 40, maximum: 60 }],
      'main->g|visits': [{ minimum: 5, maximum: 5 }],
    });
  });

  it.each([
    ['weak', [2, 3]],
    ['strong', [2, 2]],
  ] as const)('of minima takes the least where there was a visit (%s)', (scaling, [minimum, maximum]) => {
    const profile = profileOf(
      [
        ['f', undefined, { min_time: [2, 0], visits: [1, 0] }],
        ['f', undefined, { min_time: [4, 3], visits: [1, 1] }],
      ],
      [own, least],
    );
    expect(seriesOf([[profile]], scaling)['f|min_time']).toMatchObject([{ minimum, maximum }]);
  });

  it('keeps call paths that some points lack, and zeros of metrics that some profiles have no values of', () => {
    const bytes: Metric = { ...own, name: 'bytes' };
    const never: Metric = { ...own, name: 'never' };
    const one = profileOf([['main', undefined, { visits: [1, 1] }]], [own, bytes, never]);
    const two = profileOf(
      [
        ['main', undefined, { visits: [1, 1], bytes: [8, 8] }],
        ['f', 0, { visits: [1, 1] }],
      ],
      [own, bytes, never],
    );
    const series = seriesOf([[one], [two]]);
    expect(Object.keys(series)).toEqual(['main|visits', 'main|bytes', 'main->f|visits', 'main->f|bytes']);
    expect(series['main->f|visits']?.map(({ point }) => point)).toEqual([[2]]);
    expect(series['main|bytes']?.map(({ point, mean }) => [...point, mean])).toEqual([
      [1, 0],
      [2, 8],
    ]);
  });

  it('leaves out metrics without numbers, and points with values that are not finite', () => {
    const derived: Metric = { ...own, name: 'rate', stored: 'derived' };
    const ghost: Metric = { ...own, name: 'ghost', ghost: true };
    const profile = profileOf(
      [['main', undefined, { visits: [1, NaN], ghost: [1, 1] }]],
      [own, derived, ghost],
    );
    expect(seriesOf([[profile], [main(1, 1)]])).toMatchObject({ 'main|visits': [{ point: [2] }] });
    expect(Object.keys(seriesOf([[profile], [main(1, 1)]]))).toEqual(['main|visits']);
  });

  it('takes very deep call trees', () => {
    const deep = Array.from({ length: 20_000 }, (_, depth): Node => [
      'f',
      depth === 0 ? undefined : depth - 1,
      { visits: [1] },
    ]);
    expect(Object.keys(seriesOf([[profileOf(deep.slice(0, 500), [own], 1)]]))).toHaveLength(500);
    const made = new ProfilesAsMeasurements(['p'], 'weak');
    made.addPoint([1], [profileOf(deep, [own], 1)]);
    expect(made.measurements().series).toHaveLength(20_000);
  });
});
