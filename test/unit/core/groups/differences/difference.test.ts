import { describe, expect, it, test } from 'vitest';
import type { ProcessContext } from '../../../../../src/core/groups/context';
import {
  extraFunctions,
  groupDifferences,
  turned,
} from '../../../../../src/core/groups/differences/difference';
import { bt, contextOf, many, ranks, w6, w8 } from '../contexts';

/** W1: the first process opens files itself too. */
const w1 = contextOf(
  ranks(
    ['main', 'main>MPI_Init', 'main>fopen', 'main>fclose', 'MPI_Init>fopen', 'MPI_Init>fclose'],
    ['main', 'main>MPI_Init', 'MPI_Init>fopen', 'MPI_Init>fclose'],
  ),
);
/** W3: A is inlined. */
const w3 = contextOf(ranks(['A', 'A>B'], ['B']));

describe('the difference of two groups', () => {
  const kindOf = (context: ProcessContext, one = 0, other = 1) => {
    const { kind, isNear } = groupDifferences(context)(one, other);
    return isNear ? `near ${kind}` : kind;
  };

  test('D4: the same apart from intermediate calls', () => {
    expect(kindOf(w1)).toBe('intermediate');
  });

  test('D4: one does everything that the other does', () => {
    expect(kindOf(w3)).toBe('more');
    expect(kindOf(w3, 1, 0)).toBe('less');
    // Rank 0, threads, other ranks.
    expect([kindOf(bt, 0, 1), kindOf(bt, 0, 2), kindOf(bt, 1, 2)]).toEqual(['more', 'more', 'less']);
    expect(groupDifferences(bt)(0, 1)).toMatchObject({ common: 56, union: 126, oneCovers: 1 });
  });

  test('D4: different work', () => {
    expect(kindOf(contextOf(ranks(['A'], ['B'])))).toBe('different');
    expect([kindOf(w6, 0, 1), kindOf(w8, 0, 1), kindOf(w8, 0, 2)]).toEqual([
      'different',
      'different',
      'more',
    ]);
  });

  test('D4: nearly, from 95 % on', () => {
    const near = (own: number, others: number) =>
      kindOf(
        contextOf(
          ranks(
            [...many(95, (index) => `f${index}`), ...many(own, (index) => `a${index}`)],
            [...many(95, (index) => `f${index}`), ...many(others, (index) => `b${index}`)],
          ),
          'functions',
        ),
      );
    expect([near(5, 5), near(6, 5), near(5, 6), near(6, 6)]).toEqual([
      'near intermediate',
      'near more',
      'near less',
      'different',
    ]);
    // What is exact is not near.
    expect([near(5, 0), near(0, 5)]).toEqual(['more', 'less']);
  });

  it('by functions compares the functions', () => {
    expect(groupDifferences(w6)(0, 2)).toEqual({
      one: 0,
      other: 2,
      kind: 'less',
      isNear: false,
      oneCovers: 1 / 3,
      otherCovers: 1,
      common: 1,
      union: 3,
    });
    const nothing = contextOf(ranks(['A'], []), 'functions');
    expect(groupDifferences(nothing)(0, 1)).toMatchObject({ oneCovers: 1, otherCovers: 0 });
  });

  it('turned is that of the other two', () => {
    for (const context of [w1, w3, w6, w8, bt])
      for (const [one, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const between = groupDifferences(context);
        expect(turned(between(one, other))).toEqual(between(other, one));
      }
  });
});

describe('extra functions', () => {
  test('D5: print_results is all that the first process has more', () => {
    expect(extraFunctions(bt, 0, 2)).toEqual({
      names: ['print_results'],
      attributes: [bt.attributes.findIndex(({ callee }) => callee === 'print_results')],
    });
    expect(extraFunctions(bt, 2, 0).names).toEqual([]);
  });

  test('D5: those that common functions call come first, then by time', () => {
    const context = contextOf(
      ranks(['main', 'io>fopen', 'main>io', 'main>late', 'log>fputs', 'late>log', 'fopen'], ['main']),
    );
    expect(extraFunctions(context, 0, 1).names).toEqual(['io', 'late', 'fopen', 'fputs', 'log']);
    const seconds = [0, 9, 1, 2, 3, 4, 0];
    expect(extraFunctions(context, 0, 1, (attribute) => seconds[attribute]!)).toEqual({
      names: ['late', 'io', 'fopen', 'log', 'fputs'],
      attributes: [1, 2, 3, 4, 5, 6],
    });
  });

  test('D5: functions that the other one calls from elsewhere are not extra', () => {
    expect(extraFunctions(w1, 0, 1)).toEqual({ names: [], attributes: [] });
  });
});
