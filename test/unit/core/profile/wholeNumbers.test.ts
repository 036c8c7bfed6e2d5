import { describe, expect, it, test } from 'vitest';
import { standardMetrics, timedVisitsMetric, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import { intoType } from '../../../../src/core/profile/wholeNumbers';

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
    ['UNSIGNED INTEGER', [-4096], [2 ** 64 - 4096]],
    ['INT64', [2 ** 63, 2 ** 63 + 4096, -(2 ** 63) - 4096], [2 ** 63, -(2 ** 63) + 4096, 2 ** 63 - 4096]],
    ['INT64', [-5, 2 ** 62], [-5, 2 ** 62]],
    ['INTEGER', [-5], [-5]],
    ['SIGNED INTEGER', [-5], [-5]],
    ['DOUBLE', [-1.5, 1e30], [-1.5, 1e30]],
  ])('of type %s wrap: %j', (dtype, values, wrapped) => {
    expect([...intoType(Float64Array.from(values), { ...standardMetrics.time, dtype })]).toEqual(wrapped);
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
