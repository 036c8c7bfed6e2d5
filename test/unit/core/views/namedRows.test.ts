import { describe, expect, it } from 'vitest';
import { findRows, mostNamedRows, nameRows } from '../../../../src/core/views/namedRows';

/** A tree by the rows above, and their names. */
const treeOf = (parents: readonly number[], names: readonly string[]) => ({
  parent: (row: number) => parents[row] ?? -1,
  name: (row: number) => names[row] ?? '',
  children: (row: number) => parents.flatMap((parent, at) => (parent === row ? [at] : [])),
});

describe('F12 rows by their names', () => {
  const first = treeOf([-1, 0, 1, 1, 0, -1], ['main', 'solve', 'kernel', 'MPI_Send', 'kernel', '__proto__']);
  // The same program later: other rows before them, one is gone.
  const second = treeOf([-1, -1, 1, 1, 3, 3], ['init', 'main', 'read', 'solve', 'norm', 'kernel']);

  it('are found in another profile of the program, where they are there', () => {
    const { named, entryOf } = nameRows(first, [2, 1, 3, 5]);
    const found = findRows(named, second.children, second.name);
    const at = (row: number): number | undefined => found[entryOf.get(row) ?? -1];
    expect([at(2), at(1), at(0), at(3), at(5)]).toEqual([5, 3, 1, -1, -1]);
    expect(entryOf.has(4)).toBe(false);
    expect([...findRows(named, first.children, first.name)]).toEqual([...entryOf.keys()]);
  });

  it('are no more than their limits, and no long name keeps others from them', () => {
    const many = treeOf(
      Array.from({ length: 5000 }, (_, at) => at - 1),
      Array.from({ length: 5000 }, (_, at) => `f${at}`),
    );
    expect(
      nameRows(
        many,
        Array.from({ length: 5000 }, (_, at) => at),
      ).named.names,
    ).toHaveLength(mostNamedRows);
    expect(nameRows(many, [4999, 3]).named.names).toEqual(['f0', 'f1', 'f2', 'f3']);
    const long = treeOf([-1, -1], ['x'.repeat(1e6), 'y']);
    expect(nameRows(long, [0, 1]).named.names).toEqual(['y']);
  });

  it('are none of what makes no sense', () => {
    const nonsense = { names: ['main', 'solve', 'solve'], above: [0, 9, 2] };
    expect([...findRows(nonsense, first.children, first.name)]).toEqual([0, -1, -1]);
    expect([...findRows({ names: ['main'], above: [] }, first.children, first.name)]).toEqual([0]);
  });
});
