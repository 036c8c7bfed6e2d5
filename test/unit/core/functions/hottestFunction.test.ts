import { describe, expect, it } from 'vitest';
import { hottestFunction } from '../../../../src/core/functions/hottestFunction';
import type { FunctionRow } from '../../../../src/core/functions/functionRow';

const row = (name: string, rest: Partial<FunctionRow>): FunctionRow => ({
  key: name,
  name,
  selected: true,
  hasSite: true,
  ...rest,
});
const placed = { file: '/p/a.c', line: 3 };

describe('the hottest function', () => {
  it('has the largest exclusive time, not the largest time with what it calls', () => {
    const rows = [
      row('main', { ...placed, inclusiveShare: 1, exclusiveShare: 0.01 }),
      row('solve', { ...placed, inclusiveShare: 0.7, exclusiveShare: 0.6 }),
    ];
    expect(hottestFunction(rows)?.name).toBe('solve');
  });

  it('is one whose source is known and that was measured', () => {
    const rows = [
      row('MPI_Recv', { exclusiveShare: 0.8 }),
      row('idle', placed),
      row('solve', { ...placed, exclusiveShare: 0.1 }),
    ];
    expect(hottestFunction(rows)?.name).toBe('solve');
    expect(hottestFunction([])).toBeUndefined();
  });

  it('is of the last run if one was measured then', () => {
    const rows = [
      row('before', { ...placed, exclusiveShare: 0.9, earlier: true }),
      row('now', { ...placed, exclusiveShare: 0.2 }),
    ];
    expect(hottestFunction(rows)?.name).toBe('now');
  });
});
