import { describe, expect, it, test } from 'vitest';
import {
  comparableAfter,
  comparableWithin,
  fallbackSteps,
} from '../../../../../src/core/groups/graph/fallbacks';
import { membersOf, sizeOf } from '../../../../../src/core/groups/sets/bitSet';
import { contextOf, many, ranks, w6, w8 } from '../contexts';

/** The names of bits of a number. */
const bits = (number: number, count: number, name = 'bit'): readonly string[] =>
  many(count, (index) => `${name}${index}`).filter((_, index) => (number >> index) & 1);

/** 300 ranks that call the same functions, but from functions that differ. */
const otherCallers = contextOf(
  many(300, String).map((_, rank) => ({
    rank,
    has: [
      'main',
      ...many(9, (index) => `main>bit${index}`),
      'main>c',
      ...bits(rank, 9).map((name) => `${name}>c`),
    ],
  })),
);

/** 300 ranks that all call 100 functions, the first half 50 more, and all of them irregularly nine others. */
const nineIrregular = contextOf(
  many(300, String).map((_, rank) => ({
    rank,
    has: [
      ...many(100, (index) => `common${index}`),
      ...(rank < 150 ? many(50, (index) => `half${index}`) : []),
      ...bits(rank, 9),
    ],
  })),
  'functions',
);

/** 300 ranks that call little but functions of which each is on about half of them, and 20 ranks of two regular kinds. */
const irregular = contextOf(
  many(320, String).map((_, rank) => ({
    rank,
    has:
      rank < 300
        ? ['main', ...bits(Math.imul(rank + 1, 2_654_435_761) >>> 8, 24, 'main>bit')]
        : ['main', `main>regular${rank % 2}`],
  })),
);

describe('fall-backs', () => {
  test('C12: none is taken within the limits', () => {
    const { context, graph, ...rest } = comparableWithin(w8);
    expect(context).toBe(w8);
    expect(graph?.nodes).toHaveLength(4);
    expect(rest).toEqual({ dropped: [], notices: [] });
    expect(comparableWithin(w8, { groups: 3, nodes: 4 })).toMatchObject({
      notices: [],
      graph: { nodes: { length: 4 } },
    });
    expect(comparableWithin(w8, { nodes: 5, withLattice: true }).notices).toEqual([]);
  });

  test('C12: first, functions replace pairs', () => {
    const { context, graph, step, notices } = comparableWithin(otherCallers);
    expect(step).toBe('functions');
    expect(context.kind).toBe('functions');
    expect(context.attributes.map(({ callee }) => callee)).toEqual([
      'main',
      ...many(9, (index) => `bit${index}`),
      'c',
    ]);
    expect([context.sets.length, graph?.nodes.length, new Set(context.groupOf).size]).toEqual([1, 1, 1]);
    expect(notices).toEqual([
      'Comparing pairs of caller and callee gives 300 groups, more than the limit of 250. Ranks and threads are compared by the functions that they call, whatever calls these.',
    ]);
  });

  test('C12: then as few irregular attributes as possible are dropped, and listed', () => {
    const { context, graph, step, dropped, notices } = comparableWithin(nineIrregular);
    expect(step).toBe('filter');
    // Six bits and the half are 128 groups, seven would be 256.
    expect(dropped.map(({ callee }) => callee)).toEqual(['bit6', 'bit7', 'bit8']);
    expect(context.sets).toHaveLength(128);
    expect(graph?.nodes.flatMap(({ own }) => own)).toHaveLength(156);
    expect(notices).toEqual([
      'Comparing functions gives 300 groups, more than the limit of 250. 3 of 159 functions are not compared, because the ranks and threads that have them follow no pattern: bit6, bit7 and bit8.',
    ]);
  });

  test('C12: then only equality is known', () => {
    const all = many(20, (index) => `f${index}`);
    const context = contextOf(
      ranks(...all.map((missing) => all.filter((name) => name !== missing))),
      'functions',
    );
    const limits = { nodes: 100, withLattice: true };
    const result = comparableWithin(context, limits);
    expect(result.step).toBe('equality');
    expect(result.graph).toBeUndefined();
    expect(result.context).toBe(context);
    expect(result.notices).toEqual([
      'Comparing functions gives a lattice of more than 100 nodes, which is the limit. Ranks and threads that make the same calls are grouped, without similarities and differences of the groups.',
    ]);
    // Of twelve of the functions there are 2^12 concepts.
    expect(comparableWithin(context, { withLattice: true })).toMatchObject({ step: 'filter' });
    expect(comparableWithin(context, { withLattice: true }).dropped).toHaveLength(8);
    // Nothing but the lattice is too large.
    expect(comparableWithin(context, { nodes: 100 }).step).toBeUndefined();
    expect(comparableWithin(context, { nodes: 39 }).notices[0]).toContain(
      'gives a graph of more than 39 nodes',
    );
  });

  test('C12: at last, irregular processes are compared as one', () => {
    const { context, graph, step, combined, notices } = comparableWithin(irregular);
    expect(step).toBe('combine');
    expect(context.kind).toBe('pairs');
    expect(combined).toBe(0);
    expect(context.sets.map(sizeOf)).toEqual([25, 2, 2]);
    expect([...context.groupOf.subarray(0, 300)].every((group) => group === 0)).toBe(true);
    expect([...context.groupOf.subarray(300, 303)]).toEqual([1, 2, 1]);
    expect(graph?.nodes.flatMap(({ group }) => group ?? [])).toHaveLength(3);
    expect(notices.map((notice) => notice.split('. ').at(-1))).toEqual([
      'Ranks and threads are compared by the functions that they call, whatever calls these.',
      'Ranks and threads that make the same calls are grouped, without similarities and differences of the groups.',
      '300 ranks that are equal to none or few others are compared as one, which does everything that any of them does.',
    ]);
  });

  test('C12: each step can be chosen', () => {
    const steps = fallbackSteps.map((step) => comparableAfter(nineIrregular, step).step);
    // There is nothing coarser than functions.
    expect(steps).toEqual([undefined, 'filter', 'equality', 'combine']);
    expect(comparableAfter(w8, 'functions').context.kind).toBe('functions');
    expect(comparableAfter(w6, 'filter')).toMatchObject({
      dropped: [],
      notices: [
        'All attributes are compared: none divides the groups beyond the limit, or more than half of them would be dropped.',
      ],
    });
    expect(comparableAfter(w6, 'filter', { groups: 2 }).dropped).toEqual([{ callee: 'A' }]);
    const pair = contextOf(ranks(['main'], ['main', 'main>f'], ['main', 'main>f', 'main>g']));
    expect(comparableAfter(pair, 'filter', { groups: 2 }).notices).toEqual([
      '1 of 3 pairs is not compared, because the ranks and threads that have it follow no pattern: main → g.',
    ]);
    expect(comparableAfter(w8, 'functions', { groups: 2 }).graph).toBeUndefined();
    expect(comparableAfter(w8, 'equality').graph).toBeUndefined();
    expect(comparableAfter(w6, 'combine').context.sets).toHaveLength(2);
    expect(comparableAfter(w8, 'combine').notices).toEqual([
      'There are no two ranks or threads that are equal to few others and could be compared as one.',
    ]);
  });

  it('that combines keeps the largest groups, and none whose attributes are those of the irregular processes', () => {
    const context = contextOf(
      ranks(['A'], ['B'], ['A', 'B'], ['A', 'B'], ['C'], ['C'], ['C'], ['D'], ['D']),
      'functions',
    );
    const all = comparableAfter(context, 'combine');
    expect(all.context.sets.map(membersOf)).toEqual([[0, 1], [2], [3]]);
    expect([...all.context.groupOf]).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2]);
    const few = comparableAfter(context, 'combine', { groups: 2 });
    expect(few.context.sets.map(membersOf)).toEqual([[0, 1, 3], [2]]);
    expect(few.combined).toBe(0);
  });
});
