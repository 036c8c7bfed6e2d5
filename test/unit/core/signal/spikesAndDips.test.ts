import { describe, expect, it } from 'vitest';
import { analyseSeries } from '../../../../src/core/signal/analyseSeries';
import type { Pattern } from '../../../../src/core/signal/signal';
import { sampled } from '../../../fixtures/dynamics/signals';

const isCheckpoint = (i: number): boolean => i > 0 && i % 15 === 14;
const bumps = (values: Float64Array): readonly Pattern[] =>
  analyseSeries(values, { improvements: true }).patterns.filter(({ type }) => type === 'peak');

describe('what is between regular spikes or dips', () => {
  it('is no valley where the spikes are the exception', () => {
    const found = bumps(sampled(160, (i) => (isCheckpoint(i) ? 1 : 0)));
    expect(found.map(({ at }) => at)).toEqual([14, 29, 44, 59, 74, 89, 104, 119, 134, 149]);
    expect(found.every(({ improvement }) => improvement === undefined)).toBe(true);
  });

  it('is no peak where a rise is interrupted: the waiting of a rank that writes the checkpoints itself', () => {
    const found = bumps(sampled(160, (i) => (isCheckpoint(i) ? 0 : Math.max(0, i - 47)), 0.2, 3));
    expect(found.filter(({ improvement }) => improvement === undefined)).toEqual([]);
  });
});
