import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import type { SearchNode } from '../../../../src/core/diagnosis/search/searchRecord';
import {
  experimentRows,
  firstOpen,
  shownSearch,
  type RowFilter,
  type SearchRows,
} from '../../../../webview/diagnosis/searchRows';
import { ShownRows } from '../../../../webview/diagnosis/shownRows';
import { SearchWords } from '../../../../webview/diagnosis/words';
import { balanced, hypotheses, large, solver, Written } from '../../../webview/diagnosis/searches';

const words = new SearchWords({ hypotheses });
const everything: RowFilter = { query: { text: '', regex: false }, onlyTrue: false };

function shown(all: SearchRows, filter: Partial<RowFilter> = {}): readonly string[] {
  const rows = new ShownRows(all, words, false, { ...everything, ...filter }, undefined);
  rows.setBelow(undefined, true);
  return textsOf(rows);
}

function textsOf(rows: ShownRows): readonly string[] {
  return Array.from(rows.rows, (row) => `${'  '.repeat(rows.level(row) - 1)}${rows.row(row).label}`);
}

describe('U1: the rows of a search', () => {
  const all = experimentRows(solver().nodes, words);

  it('an experiment is below the first one that it refines, what is true first, and of that what exceeds its threshold by most', () => {
    expect(shown(all)).toEqual([
      'CPU bound',
      '  main',
      '    solve',
      '      sweep',
      '        process solver{1274}',
      '        process solver{1273}',
      '        process solver{1272}',
      '        process solver{1275}',
      '        pack',
      '      norm',
      '        pack',
      '    output',
      'Waiting for others',
      '  Late sender',
      '  objects of type Message',
      'Load imbalance',
      'Input and output',
      '  Many small I/O operations',
    ]);
  });

  it('P5: a second way to an experiment is a shadow there, and the experiment itself is one row', () => {
    const packs = all.rows.filter(({ label }) => label === 'pack');
    expect(packs.map(({ isShadow }) => isShadow)).toEqual([false, true]);
    const [own, shadow] = packs;
    expect(own?.experiments).toEqual(shadow?.experiments);
    const rows = new ShownRows(all, words, false, everything, undefined);
    expect(rows.experimentRow(all.rows.length - 1)).toBe(9);
  });

  it('only what is true is shown with what leads to it', () => {
    expect(shown(all, { onlyTrue: true })).toEqual([
      'CPU bound',
      '  main',
      '    solve',
      '      sweep',
      '        process solver{1274}',
      '        process solver{1273}',
      '        process solver{1272}',
      'Waiting for others',
      '  Late sender',
      '  objects of type Message',
    ]);
    expect(shown(experimentRows(balanced().nodes, words), { onlyTrue: true })).toEqual([]);
  });

  it('P9: a true child of false parents is found below them', () => {
    const search = new Written();
    const top = search.add('CPUBound', {}, 'false', 0.1, [{ by: 'root', time: 0 }]);
    search.add('CPUBound', { Code: ['a.c', 'hidden'] }, 'true', 0.5, [{ node: top, by: 'where', time: 1 }]);
    expect(shown(experimentRows(search.nodes, words), { onlyTrue: true })).toEqual(['CPU bound', '  hidden']);
  });

  it('a search finds names, hypotheses and foci, and a shadow only where its way is shown', () => {
    expect(shown(all, { query: { text: 'pack', regex: false } })).toEqual([
      'CPU bound',
      '  main',
      '    solve',
      '      sweep',
      '        pack',
    ]);
    const found = (text: string, regex = false) =>
      shownSearch(all, { query: { text, regex }, onlyTrue: false }, words).matches.map(
        (row) => at(all.rows, row).label,
      );
    expect(found('/Machine/c33')).toHaveLength(4);
    expect(found('late sender')).toEqual(['Late sender']);
    expect(found('^sw', true)).toEqual(['sweep']);
    expect(shownSearch(all, { query: { text: '(', regex: true }, onlyTrue: false }, words).error).toMatch(
      /\S/,
    );
  });

  it('what leads to something true is open at first, level by level, as far as it fits', () => {
    const search = shownSearch(all, everything, words);
    const labels = (most: number) => firstOpen(all, search, most).map((row) => at(all.rows, row).label);
    expect(labels(100)).toEqual(['CPU bound', 'Waiting for others', 'main', 'solve', 'sweep']);
    expect(labels(7)).toEqual(['CPU bound', 'Waiting for others']);
    expect(labels(3)).toEqual([]);
  });

  it('below a hypothesis that holds below its threshold, the smallest value is the worst', () => {
    const search = new Written();
    const root = [{ by: 'root', time: 0 }] as const;
    for (const value of [3000, 100, 2000])
      search.add('TooManySmallIOOps', { Code: ['a.c', `f${value}`] }, 'true', value, root);
    expect(shown(experimentRows(search.nodes, words))).toEqual([
      'Many small I/O operations in f100',
      'Many small I/O operations in f2000',
      'Many small I/O operations in f3000',
    ]);
  });

  it('parents of a forged file never make a row that is above itself', () => {
    const forged = fc.array(fc.array(fc.integer({ min: -2, max: 12 }), { maxLength: 4 }), { maxLength: 10 });
    fc.assert(
      fc.property(forged, fc.boolean(), (parents, onlyTrue) => {
        const nodes = parents.map((above, id): SearchNode => ({
          ...at(solver().nodes, id),
          id,
          parents: above.map((node) => ({ node, by: 'where' as const, time: 0 })),
        }));
        const rows = experimentRows(nodes, words);
        rows.parent.forEach((above, row) => expect(above).toBeLessThan(row));
        const list = shown(rows, { onlyTrue });
        expect(list.length).toBeLessThanOrEqual(rows.rows.length);
        if (!onlyTrue) expect(list).toHaveLength(rows.rows.length);
      }),
    );
  });

  it('30,000 experiments are rows like a few', () => {
    const many = experimentRows(large(1024).nodes, words);
    expect(many.count).toBe(30_721);
    const rows = new ShownRows(many, words, false, everything, undefined);
    expect(rows.rows.length).toBeLessThan(120);
    rows.setBelow(undefined, true);
    expect(rows.rows.length).toBe(30_721);
    rows.setBelow(undefined, false);
    expect(textsOf(rows)).toEqual(['CPU bound']);
    expect(rows.childCount(0)).toBe(1024);
  });
});

describe('opening rows', () => {
  const rows = () => new ShownRows(experimentRows(solver().nodes, words), words, false, everything, []);

  it('one by one, with siblings, and everything above', () => {
    const some = rows();
    some.setOpen(0, true);
    expect(textsOf(some).slice(0, 3)).toEqual(['CPU bound', '  main', 'Waiting for others']);
    some.openSiblings(0);
    expect(textsOf(some)).toContain('  Late sender');
    const deep = rows();
    deep.reveal(9);
    expect(deep.open).toEqual([0, 4, 5, 7]);
    expect([deep.state(0), deep.state(9), deep.state(1)]).toEqual(['open', 'leaf', 'closed']);
  });

  it('what is searched for is opened; without a text, the rows stay as they are', () => {
    const some = rows();
    some.filter({ query: { text: 'pack', regex: false }, onlyTrue: false });
    expect(textsOf(some).at(-1)).toBe('        pack');
    expect([some.count, some.matches]).toEqual([5, [9]]);
    const others = rows();
    others.filter({ ...everything, onlyTrue: true });
    expect(others.open).toEqual([]);
  });
});
