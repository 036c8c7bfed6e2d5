import { describe, expect, it } from 'vitest';
import { table } from '../../../../../src/cli/terminal/table';
import {
  compareSearches,
  type SearchTrial,
} from '../../../../../src/core/diagnosis/comparison/compareSearches';
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
    expect(text([callGraph, deepStart])).toMatchInlineSnapshot(`
      "Together, the searches found 3 bottlenecks. Values are means of the runs; utilities and times are seconds of the virtual clock, and smaller is better. Changes are to the first search, as many: of the time until as many were found.
      runs  experiments  found  of known  utility sum  mean   change  as many  half after   change  last after   change  search
         2          2.5    2.5    83.3 %        275.0  91.7        –        –   2 min 5 s        –  2 min 55 s        –  call graph
         2            3      3     100 %        125.0  41.7  −54.5 %  −62.9 %        40 s  −68.0 %        60 s  −65.7 %  Deep Start, 0.2

      Mean time until a share of the known bottlenecks was found (best – worst run).
       known                                         call graph     Deep Start, 0.2
      33.3 %                                 50 s (50 s – 50 s)  25 s (20 s – 30 s)
      66.7 %                     2 min 5 s (100 s – 2 min 30 s)  40 s (40 s – 40 s)
       100 %  3 min 20 s (3 min 20 s – 3 min 20 s, 1 of 2 runs)  60 s (60 s – 60 s)"
    `);
  });

  it('T9: shows recall and precision where the truth is known', () => {
    expect(text([callGraph], foundAt(0, 0, 0, 0)).split('\n\n')[0]).toMatchInlineSnapshot(`
      "Together, the searches found 3 bottlenecks; the program has 4 bottlenecks. Values are means of the runs; utilities and times are seconds of the virtual clock, and smaller is better. Changes are to the first search, as many: of the time until as many were found.
      runs  experiments  found  of known  utility sum  mean  change  as many  half after  change  last after  change  recall  precision  search
         2          2.5    2.5    83.3 %        275.0  91.7       –        –   2 min 5 s       –  2 min 55 s       –  62.5 %      100 %  call graph"
    `);
  });

  it('T9: shows nothing as nothing', () => {
    expect(text([{ label: 'none', runs: [record([])] }])).toMatchInlineSnapshot(`
      "Together, the searches found 0 bottlenecks. Values are means of the runs; utilities and times are seconds of the virtual clock, and smaller is better. Changes are to the first search, as many: of the time until as many were found.
      runs  experiments  found  of known  utility sum  mean  change  as many  half after  change  last after  change  search
         1            0      0         –          0.0   0.0       –        –           –       –           –       –  none

      Mean time until a share of the known bottlenecks was found (best – worst run).
      "
    `);
  });
});
