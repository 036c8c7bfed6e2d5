import { expect, test } from 'vitest';
import { diagnose } from '../../../../../src/workflows/diagnose';
import { runOf } from '../../problems/runs';

test('of one process, the whole program and the process are one finding', () => {
  const profile = runOf({ region: { name: 'main' }, seconds: [2] }, 1);
  const { findings } = diagnose({ inputs: [{ profile, run: 'i0.r1' }] });
  const titles = findings.map(({ property }) => property.title);
  expect(titles.length).toBeGreaterThan(0);
  expect(new Set(titles).size).toBe(titles.length);
});
