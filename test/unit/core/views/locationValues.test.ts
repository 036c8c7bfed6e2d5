import { describe, expect, it } from 'vitest';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import { locationValues } from '../../../../src/core/views/ranks/locationValues';
import { spreadOf } from '../../../../src/core/views/ranks/spread';
import { ProfileBuilder } from '../../../profileBuilder';

const events: Metric = {
  ...standardMetrics.time,
  name: 'events',
  dtype: 'TAU_ATOMIC',
  unit: '',
  stored: 'exclusive',
};

/** main: a: b; c, at two locations. */
function profile(withVisits: boolean): Profile {
  const builder = new ProfileBuilder()
    .metric(standardMetrics.visits)
    .metric(standardMetrics.time)
    .metric(standardMetrics.minimumTime)
    .metric(events);
  for (const name of ['main', 'a', 'b', 'c'])
    builder.region({ name, paradigm: 'compiler', role: 'function' });
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (const thread of [0, 1])
    builder.location({ name: `${thread}`, rank: 0, thread, process, kind: 'thread' });
  [undefined, 0, 1, 0].forEach((parent, region) => builder.callPath(parent, region));
  const set = (metric: string, rows: readonly (readonly [number, number])[]): void =>
    rows.forEach((row, path) => row.forEach((value, location) => builder.set(metric, path, location, value)));
  set('time', [
    [20, 10],
    [9, 4],
    [5, 1],
    [2, 3],
  ]);
  set('min_time', [
    [20, 10],
    [3, 4],
    [1, 0],
    [2, 3],
  ]);
  if (withVisits)
    set('visits', [
      [1, 1],
      [3, 1],
      [5, 0],
      [1, 1],
    ]);
  const made = builder.build();
  // Number, minimum, maximum, sum and sum of squares of each cell.
  const parts = [0, 1, 2, 3, 4].map((part) =>
    Float64Array.from({ length: 8 }, (_, cell) => (cell + 1) * (part + 1)),
  );
  return {
    ...made,
    stored: new Map([...made.stored, ['events', new Float64Array(8)]]),
    components: new Map([
      ['events', parts],
      ['others', parts],
    ]),
  };
}

describe('values of one call path at each location', () => {
  const values = (name: string, path: number, end: number, withVisits = true) => {
    const { inclusive, exclusive } = locationValues(profile(withVisits), name, path, end);
    return { inclusive: [...inclusive], exclusive: [...exclusive] };
  };

  it('are those with and without its callees', () => {
    expect(values('time', 1, 3)).toEqual({ inclusive: [9, 4], exclusive: [4, 3] });
    expect(values('time', 0, 4)).toEqual({ inclusive: [20, 10], exclusive: [9, 3] });
    expect(values('visits', 1, 3)).toEqual({ inclusive: [8, 1], exclusive: [3, 1] });
  });

  it('leave out of minima what a location never visited, if visits were counted', () => {
    expect(values('min_time', 1, 3)).toEqual({ inclusive: [1, 4], exclusive: [3, 4] });
    expect(values('min_time', 2, 3)).toEqual({ inclusive: [1, 0], exclusive: [1, 0] });
    expect(values('min_time', 1, 3, false)).toEqual({ inclusive: [1, 0], exclusive: [3, 4] });
  });

  it('of tuples are made of the sums of their parts', () => {
    // Number and sum of call path 1 are 3 and 12, of call path 2 are 5 and 20, at location 0: the mean is 4.
    expect(values('events', 1, 3)).toEqual({ inclusive: [4, 4], exclusive: [4, 4] });
  });

  it('leave the profile as it is', () => {
    const before = profile(true);
    for (const name of ['time', 'visits', 'min_time', 'events']) locationValues(before, name, 0, 4);
    expect(before).toEqual(profile(true));
  });
});

describe('the spread of values', () => {
  it('has the order statistics, and the first of equal extremes', () => {
    expect(spreadOf(Float64Array.of(1, 4, 1, 2, 4, 3))).toEqual({
      count: 6,
      sum: 15,
      mean: 2.5,
      minimum: 1,
      lowerQuartile: 1.25,
      median: 2.5,
      upperQuartile: 3.75,
      maximum: 4,
      standardDeviation: Math.sqrt((2 * 2.25 + 2 * 2.25 + 2 * 0.25) / 6),
      leastAt: 0,
      mostAt: 1,
    });
    expect(spreadOf(Float64Array.of(7))).toMatchObject({ lowerQuartile: 7, median: 7, upperQuartile: 7 });
    expect(spreadOf(Float64Array.of(1, 2, 3, 4, 10))).toMatchObject({
      lowerQuartile: 2,
      median: 3,
      upperQuartile: 4,
    });
    expect(spreadOf(new Float64Array())).toBeUndefined();
  });
});
