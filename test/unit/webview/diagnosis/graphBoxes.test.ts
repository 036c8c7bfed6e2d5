import { describe, expect, it } from 'vitest';
import { graphBoxes, placedSearch } from '../../../../webview/diagnosis/graph/graphBoxes';
import { experimentRows } from '../../../../webview/diagnosis/searchRows';
import { ShownRows } from '../../../../webview/diagnosis/shownRows';
import { SearchWords } from '../../../../webview/diagnosis/words';
import { hypotheses, solver } from '../../../webview/diagnosis/searches';

const words = new SearchWords({ hypotheses });

function boxesOf(open: readonly number[]) {
  const all = experimentRows(solver().nodes, words);
  const filter = { query: { text: '', regex: false }, onlyTrue: false };
  return graphBoxes(new ShownRows(all, words, false, filter, open));
}

describe('the graph of a search', () => {
  it('begins with the whole program, and has a box for each row that is shown', () => {
    const { rows, edges } = boxesOf([]);
    expect(rows).toEqual([-1, 0, 1, 3, 2]);
    expect(edges).toEqual([1, 2, 3, 4].map((lower) => ({ upper: 0, lower, isShadow: false })));
  });

  it('P5: a shadow is no box, but an edge to the box of its experiment', () => {
    const { rows, edges } = boxesOf([0, 4, 5, 7, 8]);
    const [pack, norm, sweep] = [9, 8, 7].map((row) => rows.indexOf(row));
    expect(rows.filter((row) => row === 9)).toHaveLength(1);
    expect(edges.filter(({ lower }) => lower === pack)).toEqual([
      { upper: sweep, lower: pack, isShadow: false },
      { upper: norm, lower: pack, isShadow: true },
    ]);
    // Its way is not shown while its experiment is not.
    expect(boxesOf([0, 4, 5, 8]).edges.some(({ isShadow }) => isShadow)).toBe(false);
  });

  it('has boxes at the places that the layout gives', () => {
    const boxes = boxesOf([]);
    const centres = Float64Array.from(boxes.rows.flatMap((_, box) => [10 * box, 5]));
    const { nodes, direction } = placedSearch(boxes, { width: 100, height: 10, centres, ways: [] });
    expect(nodes[2]).toEqual({ x: 20, y: 5, above: [0] });
    expect(direction).toBe('right');
  });
});
