import { describe, expect, it } from 'vitest';
import {
  comparisonTitle,
  readNumbers,
  traceName,
} from '../../../../../src/editor/words/comparison/comparisonText';

describe('words of compared traces', () => {
  it('name runs by their folders, and parts of one run by what they are', () => {
    const [before, after] = ['/runs/before/traces.otf2', '/runs/after/traces.otf2'];
    expect(comparisonTitle([{ file: before }, { file: after }])).toBe('before ↔ after');
    expect(
      comparisonTitle([
        { file: before, rank: 1 },
        { file: before, rank: 2 },
      ]),
    ).toBe('before: rank 1 ↔ rank 2');
    expect(comparisonTitle([{ file: before, rank: 0, iterations: [2, 5] }, { file: before }])).toBe(
      'before: rank 0, iterations 2–5 ↔ all',
    );
    expect(comparisonTitle([{ file: before, iterations: [3, 3] }, { file: after }])).toBe(
      'before, iteration 3 ↔ after',
    );
    expect(comparisonTitle([{ file: before }, { file: before }])).toBe('before ↔ before');
    expect(traceName('/x/rank1.mvtrace')).toBe('rank1');
  });

  it('M18: ranks and iterations are two to four numbers', () => {
    expect(readNumbers('0, 1', 0)).toEqual([0, 1]);
    expect(readNumbers(' 3 7;9 ', 1)).toEqual([3, 7, 9]);
    for (const text of ['1', '0 1', '1 2 3 4 5', '1 x', '1 -2', ''])
      expect(readNumbers(text, 1)).toBeUndefined();
  });
});
