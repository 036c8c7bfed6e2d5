import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arcContext } from '../../../../src/core/groups/attributes/arcContext';
import { functionsOf } from '../../../../src/core/groups/attributes/joinContexts';
import { closedSets, subsumptionMatrix } from '../../../../src/core/groups/closure';
import {
  dice,
  jaccard,
  measured,
  measureMatrix,
  measures,
  overlap,
  subsumption,
  tversky,
} from '../../../../src/core/groups/measures';
import { bitSetOf, membersOf } from '../../../../src/core/groups/sets/bitSet';
import { DistinctSets } from '../../../../src/core/groups/sets/distinctSets';
import { temporalSimilarities, temporalSimilarity } from '../../../../src/core/groups/temporal';
import { attributesOf, call, contextOfBlocks, contextOfCalls, w1, w2, w3, type Call } from './examples';

const size = 70;
const someSet = fc.uniqueArray(fc.nat(size - 1)).map((members) => bitSetOf(members, size));
const similarities = (programs: readonly (readonly Call[])[], kind: 'pairs' | 'functions' = 'pairs') => [
  ...measureMatrix(contextOfCalls(programs, { kind }).sets),
];
const edges = (...pairs: string[]) => ({
  process: { name: '', rank: 0, thread: 0 },
  arcs: pairs.map((pair) => {
    const [caller, callee] = [pair[0]!, pair[1]!];
    return { ...(caller === '0' ? {} : { caller }), callee, count: 1 };
  }),
});

describe('measures of sets', () => {
  test('B1 W1 by functions: equal', () => {
    expect(similarities(w1, 'functions')).toEqual([1]);
  });

  test('B2 pairs of W1, W2 and W3', () => {
    expect(similarities(w1)).toEqual([1, 4 / 6, 4 / 6, 1]);
    expect(similarities(w2)).toEqual([1, 3 / 4, 3 / 4, 1]);
    expect(similarities(w3)).toEqual([1, 0, 0, 1]);
  });

  test('B3 similarities are from 0 to 1, symmetric, 1 of equal sets, and as specified of empty ones', () => {
    const empty = bitSetOf([], size);
    for (const measure of [jaccard, dice, overlap]) {
      fc.assert(
        fc.property(someSet, someSet, (a, b) => {
          const value = measured(measure, a, b);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(measured(measure, b, a)).toBe(value);
          expect(measured(measure, a, a)).toBe(1);
        }),
      );
      expect(measured(measure, empty, empty)).toBe(1);
      expect(measured(measure, empty, bitSetOf([3], size))).toBe(0);
    }
  });

  test('B4 equal pairs have equal functions; other pairs may be more alike than their functions', () => {
    const common = ['0m', 'ma', 'mb', 'ab', 'ba', 'bb'];
    const pairs = arcContext([edges(...common), edges(...common, 'mc', 'md')]);
    expect(measureMatrix(pairs.sets)[1]).toBe(0.75);
    expect(measureMatrix(functionsOf(pairs).sets)[1]).toBe(0.6);
  });

  test('B9 the registry: Tversky’s index makes the others', () => {
    fc.assert(
      fc.property(someSet, someSet, (a, b) => {
        expect(measured(tversky(1, 1), a, b)).toBe(measured(measures.jaccard, a, b));
        expect(measured(tversky(0, 1), a, b)).toBe(measured(measures.subsumption, a, b));
        expect(measured(measures.difference, a, b)).toBe(1 - measured(measures.jaccard, a, b));
      }),
    );
    const [a, b] = contextOfCalls(w1).sets;
    expect(measured(measures.dice, a!, b!)).toBe(0.8);
    expect(measured(measures.overlap, a!, b!)).toBe(1);
    expect(Object.keys(measures)[0]).toBe('jaccard');
  });

  test('B10 temporal similarity of two processes, and of those of a group', () => {
    // W4, twice the first one, nothing.
    const processes = [
      [6, 4, 0],
      [6, 2, 2],
      [12, 8, 0],
      [0, 0, 0],
    ];
    const rows = [0, 1, 2].map((row) => Float64Array.from(processes, (of) => of[row]!));
    const of = (a: number, b: number): number => temporalSimilarity(rows, a, b);
    expect(of(0, 1)).toBeCloseTo(8 / 12, 12);
    expect([of(0, 0), of(3, 3), of(0, 2), of(1, 3)]).toEqual([1, 1, 0.5, 0]);
    expect(temporalSimilarities(rows, [0, 1, 2], 0)).toEqual({
      least: 0.5,
      mean: expect.closeTo((1 + 8 / 12 + 0.5) / 3, 12) as number,
    });
    expect(temporalSimilarities(rows, [], 0)).toEqual({ least: 1, mean: 1 });
  });
});

describe('closed sets', () => {
  const closed = (programs: readonly (readonly Call[])[]) => {
    const context = contextOfCalls(programs);
    const { attributes, sets } = closedSets(context);
    return attributesOf({ ...context, attributes, sets });
  };

  test('B5 W3, W1 and circles', () => {
    expect(closed(w3)).toEqual([['0→A', '0→B', 'A→B'], ['0→B']]);
    expect(closed(w1).map(({ length }) => length)).toEqual([9, 9]);
    expect(closed(w1)[0]).toEqual(closed(w1)[1]);
    expect(closed([[call('A', call('B', 'A'))]])).toEqual([['0→A', '0→B', 'A→A', 'A→B', 'B→A', 'B→B']]);
  });

  test('B5 the closure is what a walk reaches', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const relation = fc.uniqueArray(fc.tuple(fc.constantFrom('0', ...names), fc.constantFrom(...names)), {
      selector: ([from, to]) => from + to,
    });
    fc.assert(
      fc.property(fc.array(relation, { minLength: 1, maxLength: 4 }), (relations) => {
        const context = arcContext(relations.map((pairs) => edges(...pairs.map((pair) => pair.join('')))));
        const { attributes, sets } = closedSets(context);
        const expected = relations.map((pairs) => {
          const reach = (from: string, seen = new Set<string>()): Set<string> => {
            for (const [caller, callee] of pairs)
              if (caller === from && !seen.has(callee)) reach(callee, seen.add(callee));
            return seen;
          };
          return ['0', ...names].flatMap((from) => [...reach(from)].map((to) => `${from}→${to}`)).sort();
        });
        expect(attributesOf({ ...context, attributes, sets })).toEqual(expected);
        // B11
        const distinct = new DistinctSets();
        expect(new Set(sets.map((set) => distinct.intern(set))).size).toBeLessThanOrEqual(
          context.sets.length,
        );
      }),
    );
  });

  test('B6 subsumption of W3; of an empty column; not symmetric', () => {
    expect([...subsumptionMatrix(contextOfCalls(w3))]).toEqual([1, 1, 1 / 3, 1]);
    expect([...subsumptionMatrix(contextOfCalls([[call('f')], []]))]).toEqual([1, 1, 0, 1]);
    expect(measured(jaccard, ...(closedSets(contextOfCalls(w3)).sets as [Uint32Array, Uint32Array]))).toBe(
      1 / 3,
    );
  });

  test('B7 rows subsume columns, as in the table of BT', () => {
    const context = contextOfBlocks({ t: 31, p: 68, o: 1 }, [
      [1, ['t', 'p', 'o']],
      [3, ['t', 'p']],
      [12, ['t']],
    ]);
    const matrix = Array.from(measureMatrix(context.sets, subsumption), (value) => value.toFixed(2));
    expect(matrix).toEqual(['1.00', '1.00', '1.00', '0.99', '1.00', '1.00', '0.31', '0.31', '1.00']);
  });

  test('B8 by functions, threads below an artificial root are subsumed exactly where it is spliced out', () => {
    const programs = [[call('main', call('work', 'f'), 'g')], [call('PARALLEL', 'f', 'g')]];
    const matrix = (artificial: readonly string[]) => [
      ...subsumptionMatrix(contextOfCalls(programs, { kind: 'functions', artificial })),
    ];
    expect(matrix(['PARALLEL'])).toEqual([1, 1, 0.5, 1]);
    expect(matrix([])).toEqual([1, 2 / 3, 0.5, 1]);
  });

  test('B11 closing splits no group: W1 becomes one', () => {
    const distinct = new DistinctSets();
    const numbers = closedSets(contextOfCalls(w1)).sets.map((set) => distinct.intern(set));
    expect(numbers).toEqual([0, 0]);
  });
});

test('closed sets of functions are the same', () => {
  const { attributes, sets, kind } = contextOfCalls(w1, { kind: 'functions' });
  expect(kind).toBe('functions');
  expect(closedSets(contextOfCalls(w1, { kind: 'functions' }))).toEqual({ attributes, sets });
});

describe('distinct sets', () => {
  test('C9 equal hashes merge nothing', () => {
    const sets = [[1], [2], [1], [1, 40], []].map((members) => bitSetOf(members, size));
    for (const distinct of [new DistinctSets(), new DistinctSets(() => 7)])
      expect(sets.map((set) => distinct.intern(set))).toEqual([0, 1, 0, 2, 3]);
  });

  test('C9 words that are empty at the end do not matter', () => {
    const distinct = new DistinctSets();
    const numbers = [
      bitSetOf([1], 2),
      bitSetOf([1], 100),
      bitSetOf([1, 99], 100),
      new Uint32Array(0),
      bitSetOf([], 9),
    ];
    expect(numbers.map((set) => distinct.intern(set))).toEqual([0, 0, 1, 2, 2]);
    const colliding = new DistinctSets(() => 7);
    expect(numbers.map((set) => colliding.intern(set))).toEqual([0, 0, 1, 2, 2]);
    expect(distinct.sets(100).map((set) => [set.length, membersOf(set)])).toEqual([
      [4, [1]],
      [4, [1, 99]],
      [4, []],
    ]);
  });
});
