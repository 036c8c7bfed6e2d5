import { describe, expect, test } from 'vitest';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { exclusivePerLocation } from '../../../../src/core/profile/values';
import { profileJson } from '../../../../src/formats/exports/json';
import { readProfileJson } from '../../../../src/formats/profile-json/read';
import { ProfileBuilder } from '../../../profileBuilder';

function written(perLocation: boolean): string {
  const builder = new ProfileBuilder().metric(standardMetrics.time).metric(standardMetrics.visits);
  for (const rank of [0, 1]) {
    const process = builder.systemNode({ name: 'p', kind: 'process', rank });
    builder.location({ name: `rank ${rank}`, rank, thread: 0, process, kind: 'thread' });
  }
  const region = (name: string): number => builder.region({ name, paradigm: 'compiler', role: 'function' });
  const main = builder.callPath(undefined, region('main'));
  const solve = builder.callPath(main, region('solve'));
  builder.set('visits', main, 0, 1);
  builder.set('visits', main, 1, 1);
  builder.set('visits', solve, 1, 7);
  builder.set('time', main, 1, 2);
  return JSON.stringify(profileJson(builder.build(), { perLocation }));
}

describe('profiles as JSON', () => {
  test('H1: have the values that kymo profile show wrote', () => {
    const profile = readProfileJson(written(true), 'a.json');
    expect(profile.regions.map(({ name }) => name)).toEqual(['main', 'solve']);
    expect([...profile.callPaths.parent]).toEqual([-1, 0]);
    expect(profile.locations).toMatchObject([
      { rank: 0, process: 0 },
      { rank: 1, process: 1 },
    ]);
    expect([...exclusivePerLocation(profile, 'visits')]).toEqual([1, 1, 0, 7]);
    expect([...exclusivePerLocation(profile, 'time')]).toEqual([0, 2, 0, 0]);
  });

  test.each([
    [
      'values over all locations',
      written(false),
      /\/values\/\w+\/exclusive\/0 must be array.*without --per-location/,
    ],
    ['no JSON', '{', /a\.json is no profile with values of each location: /],
    ['another document', '[]', /the document must be object/],
    ['a call path above itself', change({ callTree: [{ parent: 0, region: 0 }] }), /\/callTree\/0\/parent/],
    [
      'call paths in another order',
      change({ callTree: [-1, 0, 0, 1].map((parent) => ({ parent, region: 0 })) }),
      /\/callTree\/3\/parent/,
    ],
    [
      'a region that is not there',
      change({ callTree: [{ parent: -1, region: 9 }] }),
      /\/callTree\/0\/region must be less than 1/,
    ],
    ['a row too few', change({ values: { visits: { exclusive: [] } } }), /must have 1 rows/],
    [
      'a value too few',
      change({ values: { visits: { exclusive: [[]] } } }),
      /exclusive\/0 must have 1 values/,
    ],
    ['a negative value', change({ values: { visits: { exclusive: [[-1]] } } }), /must be >= 0/],
    [
      'neither visits nor time',
      change({ values: { bytes: { exclusive: [[1]] } } }),
      /must have visits or time/,
    ],
  ])('%s: what was expected is explained', (_, text, message) => {
    expect(() => readProfileJson(text, 'a.json')).toThrow(message);
  });
});

function change(fields: object): string {
  return JSON.stringify({
    regions: [{ name: 'main' }],
    callTree: [{ parent: -1, region: 0 }],
    locations: [{ name: 'p', rank: 0, thread: 0 }],
    values: { visits: { exclusive: [[1]] } },
    ...fields,
  });
}
