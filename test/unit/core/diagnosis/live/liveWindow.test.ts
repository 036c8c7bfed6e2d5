import { describe, expect, test } from 'vitest';
import type { Focus } from '../../../../../src/core/diagnosis/resources/focus';
import { at } from '../recorded/searched';
import { windowOf } from './windows';

const uneven = {
  region: { name: 'main' },
  seconds: [1, 1],
  calls: [
    { region: { name: 'solve' }, seconds: [6, 2] },
    {
      region: { name: 'MPI_Barrier', paradigm: 'mpi', role: 'barrier', file: 'MPI' },
      seconds: [0, 4],
    },
  ],
} as const;
const window = windowOf(uneven, { hosts: ['a', 'b'], recorded: ['main', 'solve', 'rare'] });
const answer = (metric: string, focus: Partial<Focus> = {}, key?: string): object =>
  window.answer({ metric, focus: at(focus), key });

describe('a window of running processes', () => {
  test('names functions by their keys, whatever the profile calls them', () => {
    expect(answer('computing', { Code: ['elsewhere.c', 'solve (2)'] }, 'solve')).toEqual({ value: 8 / 14 });
    expect(answer('computing', { Code: ['elsewhere.c', 'rare'] }, 'rare')).toEqual({ value: 0 });
    expect(answer('computing', { Code: ['a.c', 'other'] }, 'other')).toEqual({
      missing: 'The function is not recorded.',
    });
  });

  test('has 0 where nobody waited, and nothing where there is no such process', () => {
    expect(answer('synchronisation', { SyncObject: ['Collective', 'MPI_Barrier'] })).toEqual({
      value: 4 / 14,
    });
    expect(answer('synchronisation', { SyncObject: ['Message'] })).toEqual({ value: 0 });
    expect(answer('computing', { Machine: ['c'] })).toEqual({ missing: 'The profile has no /Machine/c.' });
  });

  test('has no number of operations where there were none', () => {
    expect(answer('bytesPerOperation', {}, 'rare')).toHaveProperty('missing');
    expect(answer('nonsense')).toHaveProperty('missing');
  });

  test('names the ranks that compute longest, where they are compared', () => {
    const late = (metric: string, focus: Partial<Focus>, key?: string): unknown =>
      window.lateRanks({ metric, focus: at(focus), key });
    expect(late('processImbalance', {})).toEqual([0]);
    expect(late('processImbalance', { Code: ['x.c', 'solve'] }, 'solve')).toEqual([0]);
    expect(late('processImbalance', { Code: ['a.c', 'rare'] }, 'rare')).toBeUndefined();
    expect(late('computing', {})).toBeUndefined();
  });
});
