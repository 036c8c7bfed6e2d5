import { describe, expect, it } from 'vitest';
import {
  foldedDifferences,
  foldedDifferenceText,
} from '../../../../../src/core/diagnosis/comparison/foldedDifferences';
import type { SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { record } from './records';

/** A search that tested `main` in each of some processes: true after a second, or false. */
function tested(
  ...processes: readonly (readonly [host: string, process: string, isTrue: boolean])[]
): SearchRecord {
  return record(
    processes.map(([host, process, isTrue]) => ({
      at: 'main',
      machine: [host, process],
      ...(isTrue ? { trueAfter: 1 } : {}),
    })),
  );
}

describe('folded graphs of two searches', () => {
  it('T9: are equal when as many processes behave the same, whatever they are called and in whatever order they were found', () => {
    const first = tested(['c1', 'om3{1}', true], ['c2', 'om3{2}', false]);
    const second = tested(['d7', 'om3{91}', false], ['d8', 'om3{33}', true]);
    expect(foldedDifferences(first, second)).toEqual([]);
    expect(foldedDifferences(first, first)).toEqual([]);
  });

  it('T9: differ where the numbers of experiments with the same conclusion do', () => {
    const first = tested(['c1', 'om3{1}', true], ['c2', 'om3{2}', true]);
    const second = tested(['c1', 'om3{1}', true], ['c2', 'om3{2}', false]);
    expect(foldedDifferences(first, second).map(foldedDifferenceText)).toEqual([
      'CPUBound, host *, process om3, function app/main: 2 experiments are true in the first search, 1 in the second.',
      'CPUBound, host *, process om3, function app/main: 0 experiments are false in the first search, 1 in the second.',
    ]);
  });

  it('T9: differ by a process that only one has', () => {
    const first = tested(['c1', 'om3{1}', true]);
    const second = tested(['c1', 'om3{1}', true], ['c1', 'om3{2}', true]);
    expect(foldedDifferences(first, second).map(({ counts }) => counts)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
