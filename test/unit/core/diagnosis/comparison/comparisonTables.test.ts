import { describe, expect, it } from 'vitest';
import { table } from '../../../../../src/cli/terminal/table';
import { compareSearches, type SearchTrial } from '../../../../../src/core/diagnosis/comparison/compareSearches';
import { comparisonTables } from '../../../../../src/core/diagnosis/comparison/comparisonTables';
import type { SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { foundAt, record } from './records';

function text(trials: readonly SearchTrial[], truth?: SearchRecord): string {
  return comparisonTables(compareSearches(trials, truth))
    .map(({ title, heads, rows, numbers }) => `${title}\n${table(heads, rows, numbers)}`)
    .join('\n\n');
}

describe('a comparison of searches as text', () => {
  const callGraph = { label: 'call graph', runs: [foundAt(50, 100, 200), foundAt(50, 150)] };
  const deepStart = { label: 'Deep Start, 0.2', runs: [foundAt(20, 40, 60), foundAt(30, 40, 60)] };

  it('T9: shows what each needed and found, with the change to the first, and profiles', () => {
    expect(text([callGraph, deepStart])).toMatchInlineSnapshot();
  });

  it('T9: shows recall and precision where the truth is known', () => {
    expect(text([callGraph], foundAt(0, 0, 0, 0)).split('\n\n')[0]).toMatchInlineSnapshot();
  });

  it('T9: shows nothing as nothing', () => {
    expect(text([{ label: 'none', runs: [record([])] }])).toMatchInlineSnapshot();
  });
});
