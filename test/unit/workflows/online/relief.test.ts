import { describe, expect, it } from 'vitest';
import { slotsToCount } from '../../../../src/workflows/online/relief';

describe('functions that cost too much within a round', () => {
  const costs = new Map([
    [3, 1],
    [2, 6],
    [1, 10],
  ]);
  const all = (): boolean => true;

  it('are only counted from then on, the most expensive ones first, until the others hold the target', () => {
    expect([...slotsToCount(costs, 5, all)]).toEqual([1, 2]);
    expect([...slotsToCount(new Map([...costs, [4, 5]]), 6, all)]).toEqual([1, 2]);
    expect([...slotsToCount(new Map([...costs, [4, 20]]), 8, all)]).toEqual([4, 1]);
  });

  it('stay timed while those that can be counted take no multiple of the target', () => {
    expect([...slotsToCount(costs, 17 / 3, all)]).toEqual([]);
    expect([...slotsToCount(costs, 3, (slot) => slot !== 1)]).toEqual([]);
  });

  it('stay timed where they cannot be counted, however expensive they are', () => {
    expect([...slotsToCount(costs, 2, (slot) => slot !== 1)]).toEqual([2]);
  });

  it('are none before anything was recorded', () => {
    expect([...slotsToCount(new Map(), 5, all)]).toEqual([]);
  });
});
