import { expect, it } from 'vitest';
import { nearestName } from '../../../src/core/nearest';

it('nearest names', () => {
  expect(nearestName('reptitions', ['repetitions', 'refinement'])).toBe('repetitions');
  expect(nearestName('x', ['repetitions'])).toBeUndefined();
  expect(nearestName('CWD', ['cwd'])).toBe('cwd');
});
