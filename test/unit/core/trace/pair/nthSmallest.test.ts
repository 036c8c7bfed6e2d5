import { expect, test } from 'vitest';
import { randomNumbers } from '../../../../../src/core/randomNumbers';
import { nthSmallest } from '../../../../../src/core/trace/pair/nthSmallest';

test('is the value at the position of the sorted ones', () => {
  const random = randomNumbers(1);
  for (let size = 1; size < 60; size++) {
    const values = Float64Array.from({ length: size }, () => Math.floor(random() * size));
    const sorted = values.slice().sort();
    for (let position = 0; position < size; position++)
      expect(nthSmallest(values.slice(), position)).toBe(sorted[position]);
  }
});
