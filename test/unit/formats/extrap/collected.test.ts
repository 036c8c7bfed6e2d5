import { expect, it } from 'vitest';
import { measuredPoint } from '../../../../src/core/modeling/measurements';
import { CollectedMeasurements } from '../../../../src/formats/extrap/collected';

it('refuses more points and values than memory has room for', () => {
  const complain = (expected: string): never => {
    throw new Error(expected);
  };
  const collected = new CollectedMeasurements(['p'], { points: 2, values: 6 });
  collected.add('f', 't', [1], [1, [2, 3]], complain);
  collected.addStatistics('f', 't', measuredPoint([2], [1, 2]), complain);
  expect(() => {
    collected.add('f', 't', [1], [[4, 5]], complain);
  }).toThrow('a file with at most 6 values');
  expect(() => {
    collected.add('f', 't', [3], [], complain);
  }).toThrow('a file with at most 2 points');
  expect(() => {
    collected.addStatistics('f', 't', measuredPoint([4], [1]), complain);
  }).toThrow('a file with at most 2 points');
});
