import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { condensedNames } from '../../../../src/core/groups/processNames';
import { percentilesOf } from '../../../../src/core/groups/percentiles';
import { exclusivePerLocation, inclusivePerLocation } from '../../../../src/core/profile/values';
import { locationValues } from '../../../../src/core/views/ranks/locationValues';
import { arePathSets, pathSets, pathsOfRow } from '../../../../src/core/views/pathSets';
import type { Extent } from '../../../../src/core/views/ranks/rankRows';
import {
  imbalanceOf,
  partAt,
  positionsOfPart,
  rangeOfPart,
  rowSpread,
  type SpreadPart,
} from '../../../../src/core/views/ranks/rowSpread';
import {
  knownTree,
  rowValues,
  valuesIn,
  valuesOfRows,
  type ValuesAtLocations,
} from '../../../../src/core/views/rowValues';
import { orderByValue } from '../../../../src/core/views/treeRows';
import { randomRun } from '../functions/randomRuns';

const parts: readonly SpreadPart[] = [
  'below',
  'lowerWhisker',
  'lowerBox',
  'upperBox',
  'upperWhisker',
  'above',
  'upperHalf',
];
const numbers = (first: number, last: number): Float64Array =>
  Float64Array.from({ length: last - first + 1 }, (_, at) => first + at);
const values = fc
  .array(fc.integer({ min: -5, max: 40 }), { minLength: 1, maxLength: 300 })
  .map((all) => Float64Array.from(all));

describe('the box plot of a row', () => {
  it('F2 five percentiles, and exactly the values outside of the whiskers', () => {
    const hundred = rowSpread(numbers(1, 100).reverse(), true);
    expect(hundred).toEqual({
      ...{ p2: 2, lower: 25, median: 50, upper: 75, p98: 98 },
      ...{ minimum: 1, maximum: 100, mean: 50.5 },
      outliers: Float64Array.of(1, 99, 100),
    });
    expect(rowSpread(Float64Array.of(40, 10, 30, 20))).toEqual({
      ...{ p2: 10, lower: 10, median: 20, upper: 30, p98: 40 },
      ...{ minimum: 10, maximum: 40, mean: 25 },
    });
    fc.assert(
      fc.property(values, (all) => {
        const { outliers, ...spread } = rowSpread(all, true);
        expect(spread).toMatchObject(percentilesOf(all));
        expect([...(outliers ?? [])]).toEqual(
          [...all].filter((value) => value < spread.p2 || value > spread.p98).sort((a, b) => a - b),
        );
      }),
    );
  });

  it('F3 has 26 of 100 processes between median and third quartile: 50, 63–87', () => {
    const order = [...numbers(1, 49), 50, ...numbers(63, 87), ...numbers(51, 62), ...numbers(88, 99), 0];
    const all = new Float64Array(100);
    order.forEach((process, place) => (all[process] = place + 1));
    const positions = positionsOfPart(all, rowSpread(all), 'upperBox');
    const processes = order.map((_, rank) => ({ name: `rank ${rank}`, rank, thread: 0 }));
    expect(positions).toHaveLength(26);
    expect(condensedNames(processes, positions)).toBe('50, 63–87');
  });

  it('has each process in a part, and each part has what lies in its range', () => {
    const small = rowSpread(numbers(1, 100));
    expect(parts.map((part) => positionsOfPart(numbers(1, 100), small, part).length)).toEqual([
      ...[1, 24, 26, 26, 24],
      ...[2, 50],
    ]);
    fc.assert(
      fc.property(values, (all) => {
        const spread = rowSpread(all);
        const found = new Set<number>();
        for (const part of parts) {
          const [low, high] = rangeOfPart(spread, part);
          for (const position of positionsOfPart(all, spread, part)) {
            found.add(position);
            expect((all[position] ?? NaN) >= low && (all[position] ?? NaN) <= high).toBe(true);
          }
        }
        expect(found.size).toBe(all.length);
        for (const value of all) {
          const part = partAt(spread, value);
          expect(part === undefined ? [] : positionsOfPart(all, spread, part)).toContain(all.indexOf(value));
        }
      }),
    );
    const at = (value: number) => partAt(small, value, 1.5);
    expect([-1, 0, 1.4, 1.6, 24.9, 25, 49.9].map(at)).toEqual([
      ...[undefined, 'below', 'below', 'lowerWhisker', 'lowerWhisker', 'lowerBox', 'lowerBox'],
    ]);
    expect([50, 75, 75.1, 98.4, 98.6, 101.4, 101.6].map(at)).toEqual([
      ...['upperBox', 'upperBox', 'upperWhisker', 'upperWhisker', 'above', 'above', undefined],
    ]);
    const even = rowSpread(Float64Array.of(5, 5, 5));
    expect([3, 4, 5, 6, 7].map((value) => partAt(even, value, 1.5))).toEqual([
      ...[undefined, 'lowerWhisker', 'upperBox', 'upperWhisker', undefined],
    ]);
  });

  it('F9 is sorted by what its imbalance costs: W16', () => {
    expect(imbalanceOf(Float64Array.of(10, 20, 30, 40))).toBe(120);
    expect(imbalanceOf(Float64Array.of(100, 100, 100, 100))).toBe(0);
    fc.assert(
      fc.property(values, (all) => {
        const sum = all.reduce((a, b) => a + b, 0);
        fc.pre(sum > 0);
        const { p2, p98 } = percentilesOf(all);
        expect(imbalanceOf(all)).toBeCloseTo((sum * (p98 - p2)) / (sum / all.length), 6);
      }),
    );
  });
});

describe('the order of rows', () => {
  it('F9 has equal values by another one, the largest first', () => {
    const visits = Float64Array.of(2, 7, 2, Infinity, 2, Infinity);
    const seconds = Float64Array.of(1, 0, 3, 1, 2, 4);
    expect([...orderByValue(visits, true, seconds)]).toEqual([5, 3, 1, 2, 4, 0]);
    expect([...orderByValue(visits, false, seconds)]).toEqual([2, 4, 0, 1, 5, 3]);
    expect([...orderByValue(visits, true)]).toEqual([3, 5, 1, 0, 2, 4]);
  });
});

describe('sets of call paths', () => {
  it('travel as two columns', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(99), { maxLength: 5 }), { maxLength: 8 }), (rows) => {
        const sets = pathSets(rows);
        expect(rows.map((_, row) => [...pathsOfRow(sets, row)])).toEqual(rows);
        expect(arePathSets(sets, 100)).toBe(true);
        expect(arePathSets(sets, Math.max(-1, ...rows.flat()))).toBe(rows.flat().length === 0);
      }),
    );
    const paths = Uint32Array.of(0, 1);
    for (const ends of [[3], [1], [2, 1], [3, 2], []])
      expect(arePathSets({ paths, ends: Uint32Array.from(ends) }, 9)).toBe(false);
  });
});

describe('the values of rows at each location', () => {
  const close = (actual: Float64Array, expected: Float64Array): void => {
    expect(actual).toHaveLength(expected.length);
    actual.forEach((value, l) => expect(value).toBeCloseTo(expected[l] ?? NaN, 9));
  };

  it('are those of each call path and of their sums, without or with a look at subtrees', () =>
    fc.assert(
      fc.property(randomRun, fc.constantFrom<Extent>('inclusive', 'exclusive'), ({ profile }, extent) => {
        const width = profile.locations.length;
        const { count } = profile.callPaths;
        const tree = knownTree(profile.callPaths);
        const { ends } = tree;
        for (const { name, stored } of profile.metrics.filter(({ combine }) => combine === 'sum')) {
          const whole = (extent === 'inclusive' ? inclusivePerLocation : exclusivePerLocation)(profile, name);
          const rowOf = (path: number): Float64Array => whole.subarray(path * width, (path + 1) * width);
          const plain: ValuesAtLocations = {
            combine: 'sum',
            at: (path) => locationValues(profile, name, path, ends[path] ?? 0),
          };
          const own = stored === 'inclusive' ? 'inclusive' : 'exclusive';
          const quick: ValuesAtLocations = {
            ...plain,
            alone: { extent: own, at: (path) => locationValues(profile, name, path, path + 1)[own] },
          };
          for (const metric of [plain, quick]) {
            const seen: number[] = [];
            for (const [path, row] of valuesIn(metric, extent, tree, width, 0, count)) {
              seen.push(path);
              close(row, rowOf(path));
            }
            expect(seen.reverse()).toEqual([...profile.callPaths.parent.keys()]);
            const ownSums = (paths: readonly number[]): Float64Array =>
              Float64Array.from({ length: width }, (_, l) =>
                paths.reduce((sum, path) => sum + (rowOf(path)[l] ?? NaN), 0),
              );
            const rows = [[0, count - 1], [count >> 1], [], [count - 1], [0]];
            const steps = valuesOfRows(metric, extent, rows, tree, width);
            let step = steps.next();
            while (step.done !== true) step = steps.next();
            step.value.forEach((row, index) => {
              close(row, ownSums(rows[index] ?? []));
              close(rowValues(metric, extent, rows[index] ?? [], width), row);
            });
          }
        }
      }),
      { numRuns: 60 },
    ));

  it('are the least and most of what was visited, for such metrics', () => {
    const rows = [Float64Array.of(0, 3, 5), Float64Array.of(2, 0, 4)];
    const at = (path: number) => {
      const row = rows[path] ?? new Float64Array(3);
      return { inclusive: row, exclusive: row };
    };
    const of = (combine: ValuesAtLocations['combine']) => [
      ...rowValues({ combine, at }, 'inclusive', [0, 1], 3),
    ];
    expect(of('minimum')).toEqual([2, 3, 4]);
    expect(of('maximum')).toEqual([2, 3, 5]);
    expect(of('sum')).toEqual([2, 3, 9]);
  });
});
