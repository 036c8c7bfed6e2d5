import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ProcessContext } from '../../../../../src/core/groups/context';
import { closureOf, subsumption } from '../../../../../src/core/groups/differences/closure';
import {
  extraFunctions,
  groupDifferences,
  turned,
} from '../../../../../src/core/groups/differences/difference';
import { sizeOf } from '../../../../../src/core/groups/sets/bitSet';
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

const closures = (context: ProcessContext) => context.sets.map(closureOf(context.attributes));
const sizeOfAll = (closure: ReturnType<typeof closures>[number]): number =>
  [...closure.values()].reduce((sum, row) => sum + sizeOf(row), 0);

describe('the closure of calls', () => {
  test('B5: W1 and W3', () => {
    expect(closures(w1).map(sizeOfAll)).toEqual([9, 9]);
    expect(closures(w3).map(sizeOfAll)).toEqual([3, 1]);
    const [first, second] = closures(w3);
    expect(subsumption(first!, second!)).toBe(1);
    expect(subsumption(second!, first!)).toBe(1 / 3);
  });

  test('B5: recursion over several functions', () => {
    const cycle = contextOf(ranks(['A', 'A>B', 'B>A']));
    // The root calls both, and each calls both.
    expect(closures(cycle).map(sizeOfAll)).toEqual([6]);
    const ring = contextOf(ranks(['f0', ...many(50, (index) => `f${index}>f${(index + 1) % 50}`)]));
    expect(closures(ring).map(sizeOfAll)).toEqual([51 * 50]);
  });

  test('B5: of random calls is what a search from each caller finds', () => {
    const edges = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(edges, (list) => {
        const context = contextOf(ranks(list.map(([caller, callee]) => `f${caller}>f${callee}`)));
        const reached = (from: number): number => {
          const seen = new Set<number>();
          const queue = [from];
          for (const caller of queue)
            for (const [by, callee] of list)
              if (by === caller && !seen.has(callee)) {
                seen.add(callee);
                queue.push(callee);
              }
          return seen.size;
        };
        const expected = [...Array(7).keys()].reduce((sum, from) => sum + reached(from), 0);
        expect(closures(context).map(sizeOfAll)).toEqual([expected]);
      }),
    );
  });

  it('of a long chain of calls needs no stack', () => {
    const chain = contextOf(ranks(['f0', ...many(3000, (index) => `f${index}>f${index + 1}`)]));
    expect(closures(chain).map(sizeOfAll)).toEqual([(3001 * 3002) / 2]);
  });

  it('of no calls is subsumed by everything', () => {
    const [some, none] = closures(contextOf(ranks(['A'], [])));
    expect([subsumption(some!, none!), subsumption(none!, some!)]).toEqual([1, 0]);
  });
});

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
