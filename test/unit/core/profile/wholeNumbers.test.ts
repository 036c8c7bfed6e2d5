import { describe, expect, it, test } from 'vitest';
import { standardMetrics, timedVisitsMetric, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Metric, Profile } from '../../../../src/core/profile/profile';
import { ProfileBuilder } from '../../../profileBuilder';
import { areInType, exactValues, intoType, withExact } from '../../../../src/core/profile/wholeNumbers';

describe('whole numbers', () => {
  it.each([
    ['UINT8', [-1, 0, 255, 256, 600], [255, 0, 255, 0, 88]],
    ['CHAR', [256], [0]],
    ['INT8', [-129, -128, 127, 128, 300], [127, -128, 127, -128, 44]],
    ['UINT16', [-1, 65535, 65536], [65535, 65535, 0]],
    ['UNSIGNED SHORT INT', [65536], [0]],
    ['INT16', [-32769, -32768, 32767, 32768], [32767, -32768, 32767, -32768]],
    ['SHORT INT', [32768], [-32768]],
    ['SIGNED SHORT INT', [32768], [-32768]],
    ['UINT32', [-1, 2 ** 32 - 1, 2 ** 32], [2 ** 32 - 1, 2 ** 32 - 1, 0]],
    [' unsigned  int ', [2 ** 32], [0]],
    ['INT32', [-(2 ** 31) - 1, 2 ** 31 - 1, 2 ** 31], [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31)]],
    ['INT', [2 ** 31], [-(2 ** 31)]],
    ['SIGNED INT', [2 ** 31], [-(2 ** 31)]],
    ['UINT64', [-4096, 2 ** 63, 2 ** 64, 2 ** 64 + 4096], [2 ** 64 - 4096, 2 ** 63, 2 ** 64, 4096]],
    ['UNSIGNED INTEGER', [-4096, 2 ** 64 + 4096], [2 ** 64 - 4096, 4096]],
    ['INT64', [2 ** 63, 2 ** 63 + 4096, -(2 ** 63) - 4096], [2 ** 63, -(2 ** 63) + 4096, 2 ** 63 - 4096]],
    ['INT64', [-5, 2 ** 62], [-5, 2 ** 62]],
    ['INTEGER', [-5, 2 ** 63 + 4096], [-5, -(2 ** 63) + 4096]],
    ['SIGNED INTEGER', [-5, 2 ** 63 + 4096], [-5, -(2 ** 63) + 4096]],
    ['DOUBLE', [-1.5, 1e30], [-1.5, 1e30]],
  ])('of type %s wrap: %j', (dtype, values, wrapped) => {
    const metric = { ...standardMetrics.time, dtype };
    expect([...intoType(Float64Array.from(values), metric)]).toEqual(wrapped);
    values.forEach((value, i) =>
      expect(areInType(Float64Array.of(0, value), metric)).toBe(value === wrapped[i]),
    );
  });
});

describe('values of 64-bit integers', () => {
  const bytes = { ...standardMetrics.visits, name: 'bytes' };
  /** One call path below another, in two locations. */
  const profileOf = (cells: readonly number[], metric: Metric = bytes): Profile => {
    const builder = new ProfileBuilder().metric(metric);
    const region = builder.region({ name: 'f', paradigm: 'user', role: 'function' });
    const root = builder.callPath(undefined, region);
    const child = builder.callPath(root, region);
    const process = builder.systemNode({ name: 'rank 0', kind: 'process', rank: 0 });
    for (const thread of [0, 1])
      builder.location({ name: `${thread}`, rank: 0, thread, process, kind: 'thread' });
    cells.forEach((value, cell) => builder.set(metric.name, cell < 2 ? root : child, cell % 2, value));
    return builder.build();
  };
  const exact = (profile: Profile, metric: Metric = bytes) =>
    withExact(profile, metric, Float64Array.from(profile.stored.get(metric.name) ?? [])).exact?.get(
      metric.name,
    );
  const most = Number.MAX_SAFE_INTEGER;

  it('are exact where the sum of all may be more than doubles count', () => {
    expect(exact(profileOf([1, 2, 3, most - 6]))).toBeUndefined();
    expect(exact(profileOf([1, 2, 3, most - 5]))).toEqual(BigInt64Array.of(1n, 2n, 3n, BigInt(most) - 5n));
    expect(exact(profileOf([-1, 2, -3, most - 5]))).toBeDefined();
    // Or what is shown is more, though what is stored is not.
    const small = profileOf([1, 2, 3, 4]);
    expect(withExact(small, bytes, Float64Array.of(most))).toBe(small);
    expect(withExact(small, bytes, Float64Array.of(-2 * most)).exact?.get('bytes')).toBeDefined();
  });

  it('stay doubles where the type has fewer bits or no values', () => {
    const short = { ...bytes, dtype: 'UINT32' };
    expect(exact(profileOf([most, most, most, most], short), short)).toBeUndefined();
    const profile = profileOf([most, most, most, most]);
    expect(withExact(profile, { ...bytes, name: 'other' }, new Float64Array(1)).exact).toBe(profile.exact);
    const once = withExact(profile, bytes, new Float64Array(1));
    expect(withExact(once, bytes, new Float64Array(1))).toBe(once);
  });

  it('have all digits in sums over call paths and locations', () => {
    const profile = profileOf([most, 1, most, 2]);
    const whole = withExact(profile, bytes, new Float64Array(1));
    const values = (kind: 'inclusive' | 'exclusive', perLocation: boolean) =>
      Array.from(exactValues(whole, bytes, kind, perLocation) ?? [], String);
    const big = BigInt(most);
    expect(values('exclusive', true)).toEqual([big, 1n, big, 2n].map(String));
    expect(values('exclusive', false)).toEqual([big + 1n, big + 2n].map(String));
    expect(values('inclusive', true)).toEqual([2n * big, 3n, big, 2n].map(String));
    expect(values('inclusive', false)).toEqual([2n * big + 3n, big + 2n].map(String));
    const second = exactValues(whole, bytes, 'inclusive', false, Uint32Array.of(1));
    expect(Array.from(second ?? [], String)).toEqual(['3', '2']);
  });
});

test('metrics have the names, units and types of Score-P', () => {
  expect(standardMetrics).toMatchObject({
    visits: {
      name: 'visits',
      displayName: 'Visits',
      unit: 'occ',
      dtype: 'UINT64',
      stored: 'exclusive',
      combine: 'sum',
    },
    time: {
      name: 'time',
      displayName: 'Time',
      unit: 'sec',
      dtype: 'DOUBLE',
      stored: 'inclusive',
      combine: 'sum',
    },
    minimumTime: {
      name: 'min_time',
      displayName: 'Minimum Inclusive Time',
      unit: 'sec',
      dtype: 'MINDOUBLE',
      stored: 'exclusive',
      combine: 'minimum',
    },
    maximumTime: {
      name: 'max_time',
      displayName: 'Maximum Inclusive Time',
      unit: 'sec',
      dtype: 'MAXDOUBLE',
      stored: 'exclusive',
      combine: 'maximum',
    },
  });
  expect([timedVisitsMetric, waitingTimeMetric]).toMatchObject([
    {
      name: 'kymo_timed_visits',
      displayName: 'Timed Visits',
      unit: 'occ',
      dtype: 'UINT64',
      stored: 'exclusive',
      combine: 'sum',
    },
    {
      name: 'waiting_time',
      displayName: 'Waiting Time',
      unit: 'sec',
      dtype: 'DOUBLE',
      stored: 'exclusive',
      combine: 'sum',
    },
  ]);
  for (const { description } of [...Object.values(standardMetrics), timedVisitsMetric, waitingTimeMetric])
    expect(description).toMatch(/^[A-Z].{10,}$/);
});
