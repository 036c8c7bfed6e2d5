import { describe, expect, it } from 'vitest';
import type { SearchRecord } from '../../../../src/core/diagnosis/search/searchRecord';
import { canFold, foldedRows } from '../../../../webview/diagnosis/foldedRows';
import { ShownRows } from '../../../../webview/diagnosis/shownRows';
import { rowSentence, SearchWords } from '../../../../webview/diagnosis/words';
import { hypotheses, large, solver, Written } from '../../../webview/diagnosis/searches';

const words = new SearchWords({ hypotheses });
const everything = { query: { text: '', regex: false }, onlyTrue: false };

/** The worked example of the specification: D holds in one of four processes. */
function twoHosts(): SearchRecord {
  const search = new Written();
  const top = search.add('CPUBound', {}, 'true', 0.6, [{ by: 'root', time: 0 }]);
  const below = (node: number) => [{ node, by: 'where', time: 1 } as const];
  for (const [host, pids] of [
    ['c33.cs.wisc.edu', [1272, 1273]],
    ['c34.cs.wisc.edu', [7624, 7625]],
  ] as const) {
    const onHost = search.add('CPUBound', { Machine: [host] }, 'true', 0.6, below(top));
    for (const pid of pids) {
      const Machine = [host, `myapp{${pid}}`];
      const process = search.add('CPUBound', { Machine }, 'true', 0.6, below(onHost));
      const code = (name: string, truth: 'true' | 'false', value: number, parent: number) =>
        search.add('CPUBound', { Machine, Code: ['app.c', name] }, truth, value, below(parent));
      const main = code('main', 'true', 0.6, process);
      const a = code('A', 'true', 0.5, main);
      code('C', 'false', 0.1, a);
      const isLast = pid === 7625;
      code('D', isLast ? 'true' : 'false', isLast ? 0.4 : 0.05 + pid / 1e6, a);
      code('B', 'false', 0.1, main);
    }
  }
  return search.record();
}

function texts({ nodes }: SearchRecord): readonly string[] {
  const rows = new ShownRows(foldedRows(nodes, words), words, true, everything, undefined);
  rows.setBelow(undefined, true);
  return Array.from(rows.rows, (row) => {
    const { label, truth, gauge, experiments } = rows.row(row);
    const share = gauge === undefined ? '' : ` ${gauge.part}/${gauge.whole}`;
    return `${'  '.repeat(rows.level(row) - 1)}${label} ${truth ?? '-'} ${experiments.length}${share}`;
  });
}

describe('F1: processes that did the same are one row, with a gauge', () => {
  it('what is folded is listed in the order of the search', () => {
    const { rows } = foldedRows(twoHosts().nodes, words);
    for (const { experiments } of rows)
      expect(experiments.map(({ id }) => id)).toEqual(experiments.map(({ id }) => id).sort((a, b) => a - b));
  });

  it('D holds in one of four processes, and not in three', () => {
    expect(texts(twoHosts())).toEqual([
      'CPU bound - 0',
      '  the whole program true 1',
      '  2 hosts c*.cs.wisc.edu true 2 2/2',
      '    4 processes myapp{*} true 4 4/4',
      '      main true 4 4/4',
      '        A true 4 4/4',
      '          D true 1 1/4',
      '          C false 4 4/4',
      '          D false 3 3/4',
      '        B false 4 4/4',
    ]);
  });

  it('F7: who is behind a gauge, with the range of their values', () => {
    const { nodes } = twoHosts();
    const all = foldedRows(nodes, words);
    const three = all.rows.find(({ gauge }) => gauge?.part === 3);
    expect(three?.experiments.map(({ focus }) => focus.Machine[1])).toEqual(
      expect.arrayContaining(['myapp{1272}', 'myapp{1273}', 'myapp{7624}']),
    );
    expect(words.value(three?.experiments ?? [])).toBe('5.1 % … 5.8 %');
    expect(three === undefined ? '' : rowSentence(words, three)).toBe(
      'CPU bound in D is false in 3 of 4 experiments: 5.1 % … 5.8 %, and it holds above 30 %.',
    );
    // Each experiment has the row that it is folded to.
    all.rowOf.forEach((row, id) => expect(all.rows[row]?.experiments).toContain(nodes[id]));
  });

  it('F6: 1,024 processes with 30 experiments each are as many rows as one', () => {
    const few = texts(large(16));
    expect(few.length).toBeLessThanOrEqual(44);
    expect(texts(large(1024))).toHaveLength(few.length);
  });

  it('is offered where there are several processes', () => {
    expect([canFold(solver().nodes), canFold(new Written().nodes)]).toEqual([true, false]);
    expect(canFold(large(1).nodes)).toBe(false);
  });
});
