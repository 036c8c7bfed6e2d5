import { expect, test } from 'vitest';
import { largestOf, typicalOf } from '../../../../src/core/views/columnUnit';

test('the largest value decides the unit of a column, whatever its sign', () => {
  expect(largestOf([1, -3, 2, NaN, Infinity])).toBe(3);
  expect(largestOf([])).toBe(0);
});

test('over many orders of magnitude it is the median of what is not 0', () => {
  expect(typicalOf([0, 0, 1e-6, 2e-6, 5])).toBe(2e-6);
  expect(typicalOf([0, NaN])).toBe(0);
});
