import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  align,
  dependentDegradations,
  type Shape,
} from '../../../../../src/core/degradations/report/dependence';
import type { Letter, Pattern } from '../../../../../src/core/signal/signal';
import { pattern } from './made';

interface Piece {
  readonly kind: Letter | 'peak' | 'trend' | 'step' | 'valley';
  readonly length: number;
}

/** Pieces one after the other: patterns, and episodes where there are none. */
function shapeOf(pieces: readonly Piece[]): Shape {
  let next = 0;
  const patterns: Pattern[] = [];
  const episodes = pieces.map(({ kind, length }) => {
    const [from, to] = [next, next + length - 1];
    next += length;
    if (kind === 'valley') patterns.push(pattern('peak', from, to, { improvement: true }));
    else if (kind === 'peak' || kind === 'trend' || kind === 'step') patterns.push(pattern(kind, from, to));
    return { letter: kind.length === 1 ? (kind as Letter) : ('A' as const), from, to, sum: 0, stability: 1 };
  });
  return { episodes, patterns };
}

const pieces = fc.array(
  fc.record({
    kind: fc.constantFrom<Piece['kind']>(
      'A',
      'B',
      'C',
      'D',
      'E',
      'F',
      'G',
      'peak',
      'trend',
      'step',
      'valley',
    ),
    length: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 5 },
);

const groups: readonly (readonly string[])[] = [
  ['A', 'D', 'E', 'trend', 'step', 'valley'],
  ['B', 'C', 'F'],
  ['G'],
];
function costOf(a: Piece, b: Piece): number {
  // An improvement is no phase of its own: its episode is.
  const [left, right] = [a, b].map(({ kind }) => (kind === 'valley' ? 'A' : kind)) as [string, string];
  if (left === right) return 0;
  if (left === 'peak' || right === 'peak') return 1;
  const group = (kind: string): number => groups.findIndex((kinds) => kinds.includes(kind));
  if (group(left) === group(right)) return 0.3;
  return left === 'G' || right === 'G' ? 0.6 : 1;
}

/** Costs up to the last pair, which goes on from the cheapest of the pairs before it, where possible from the one before in both. */
function costUpTo(a: readonly Piece[], b: readonly Piece[]): number {
  const [first, second] = [a.at(-1), b.at(-1)];
  if (first === undefined || second === undefined) return a.length === b.length ? 0 : Infinity;
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  const ways = [
    { before: costUpTo(restA, restB), weight: first.length + second.length },
    { before: costUpTo(restA, b), weight: first.length },
    { before: costUpTo(a, restB), weight: second.length },
  ];
  const { before, weight } = ways.reduce((best, way) => (way.before < best.before ? way : best));
  return before + weight * costOf(first, second);
}

/** The cheapest way through both sequences, by trying all. */
function cheapest(a: readonly Piece[], b: readonly Piece[]): number {
  const [first, second] = [a.at(-1), b.at(-1)];
  if (first === undefined || second === undefined) return a.length === b.length ? 0 : Infinity;
  const cost = costOf(first, second);
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  return Math.min(
    cheapest(restA, restB) + (first.length + second.length) * cost,
    cheapest(restA, b) + first.length * cost,
    cheapest(a, restB) + second.length * cost,
  );
}

describe('the alignment of two sequences', () => {
  it('costs what its pairs cost, weighted by duration', () => {
    fc.assert(
      fc.property(pieces, pieces, (a, b) => {
        const alignment = align(shapeOf(a), shapeOf(b));
        if (alignment === undefined) return;
        const all = [...a, ...b].reduce((sum, { length }) => sum + length, 0);
        expect(alignment.similarity).toBeCloseTo(1 - costUpTo(a, b) / all, 9);
        expect(alignment.similarity).toBeLessThan(1 - cheapest(a, b) / all + 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  const flat = (length: number): Piece => ({ kind: 'G', length });
  const peak: Piece = { kind: 'peak', length: 1 };
  const trend = (length: number): Piece => ({ kind: 'trend', length });

  it('has the median of the lags of the changes in common', () => {
    const a = shapeOf([flat(10), peak, flat(19), peak, flat(19), peak, flat(50)]);
    const b = shapeOf([flat(12), peak, flat(20), peak, flat(25), peak, flat(41)]);
    // 2, 3 and 9 later.
    expect(align(a, b)).toMatchObject({ lag: 3, shared: 3 });
    expect(align(b, a)).toMatchObject({ lag: -3, shared: 3 });
    const [c, d] = [shapeOf([flat(10), trend(20), flat(20)]), shapeOf([flat(13), trend(22), flat(15)])];
    // The start is 3, the end 5 later.
    expect(align(c, d)).toMatchObject({ lag: 4, shared: 2 });
    const e = shapeOf([flat(13), trend(21), flat(16)]);
    expect(align(c, e)).toMatchObject({ lag: 4, shared: 2 });
  });

  it('pairs changes by the cheapest path where they are not one to one', () => {
    const a = shapeOf([flat(10), peak, flat(9), trend(20), flat(10)]);
    const b = shapeOf([flat(22), trend(20), flat(8)]);
    expect(align(a, b)).toMatchObject({ lag: 2, shared: 2 });
    const steps = shapeOf([flat(10), { kind: 'step', length: 2 }, flat(38)]);
    expect(align(steps, b)).toBeUndefined();
    expect(align(shapeOf([flat(50)]), b)).toBeUndefined();
    expect(align(b, shapeOf([flat(50)]))).toBeUndefined();
    const valley = shapeOf([flat(20), { kind: 'valley', length: 2 }, flat(28)]);
    expect(align(valley, b)).toBeUndefined();
    // An improvement beside a degradation is no obstacle.
    const both = shapeOf([flat(10), { kind: 'valley', length: 2 }, flat(7), trend(20), flat(11)]);
    expect(align(both, b)).toMatchObject({ lag: 3, shared: 2 });
    expect(align(b, both)).toMatchObject({ lag: -3, shared: 2 });
  });

  it('places a trend by its core, a peak by its top', () => {
    const at = (from: number, core: readonly [number, number]): Shape => ({
      ...shapeOf([flat(100)]),
      patterns: [pattern('trend', from, 90, { core })],
    });
    expect(align(at(5, [10, 20]), at(0, [17, 27]))).toMatchObject({ lag: 7 });
    const top = (place: number): Shape => ({
      ...shapeOf([flat(100)]),
      patterns: [pattern('peak', 40, 60, { at: place })],
    });
    expect(align(top(45), top(51))).toMatchObject({ lag: 6, shared: 1, similarity: 1 });
  });

  it('is that of the best correlation near it where the values are there', () => {
    const length = 640;
    const shape = (place: number, values: Float64Array): Shape => ({
      ...shapeOf([flat(place), peak, flat(length - place - 1)]),
      values,
    });
    const spike = (place: number, gap?: number): Float64Array =>
      Float64Array.from({ length }, (_, i) =>
        i === gap ? NaN : 1e6 + (i === place ? 3 : i % 7 === 0 ? 0.1 : 0),
      );
    const lag = (truth: number, gap?: number): number | undefined =>
      align(shape(100, spike(100)), shape(104, spike(100 + truth, gap)))?.lag;
    // Ten iterations around the four that the places say: a sixty-fourth of the length.
    expect([-6, 4, 9, 14].map((truth) => lag(truth))).toEqual([-6, 4, 9, 14]);
    expect(lag(9, 0)).toBe(9);
    expect(lag(9, 639)).toBe(9);
    // Without a change there is no correlation: the first lag of equal ones.
    const still = new Float64Array(length).fill(2);
    expect(align(shape(100, still), shape(104, still))?.lag).toBe(-6);
    const without = { ...shapeOf([flat(104), peak, flat(length - 105)]) };
    expect(align(shape(100, spike(100)), without)?.lag).toBe(4);
    const short = (place: number, top: number): Shape => ({
      ...shapeOf([flat(place), peak, flat(39 - place)]),
      values: spike(top).slice(0, 40),
    });
    // Four at least.
    expect(align(short(10, 10), short(10, 14))?.lag).toBe(4);
    expect(align(short(10, 10), short(10, 15))?.lag).not.toBe(5);
  });
});

describe('pairs of series', () => {
  const flat = (length: number): Piece => ({ kind: 'G', length });
  const peaks = (...places: readonly number[]): Shape => {
    let next = 0;
    const list = places.flatMap((place) => {
      const before = flat(place - next);
      next = place + 1;
      return [before, { kind: 'peak', length: 1 } as const];
    });
    return shapeOf([...list, flat(100 - next)]);
  };
  const pairs = (list: readonly Shape[], options = {}): unknown =>
    dependentDegradations(list, options).map(({ first, second, lag, shared }) => [
      first,
      second,
      lag,
      shared,
    ]);

  it('are similar enough, and not too far from each other', () => {
    expect(pairs([peaks(20), peaks(30)])).toEqual([[0, 1, 10, 1]]);
    expect(pairs([peaks(20), peaks(31)])).toEqual([]);
    expect(pairs([peaks(31), peaks(20)])).toEqual([]);
    expect(pairs([peaks(31), peaks(20)], { lag: 0.2 })).toEqual([[1, 0, 11, 1]]);
    const [only] = dependentDegradations([peaks(20), peaks(30)], { similarity: 0.5 });
    const exactly = only!.similarity;
    expect(pairs([peaks(20), peaks(30)], { similarity: exactly })).toHaveLength(1);
    expect(pairs([peaks(20), peaks(30)], { similarity: exactly + 1e-9 })).toEqual([]);
  });

  it('are ordered by similarity, then by position', () => {
    const other = shapeOf([{ kind: 'A', length: 25 }, { kind: 'peak', length: 1 }, flat(74)]);
    expect(pairs([peaks(20), other, peaks(20), peaks(20)])).toEqual([
      [0, 2, 0, 1],
      [0, 3, 0, 1],
      [2, 3, 0, 1],
      [0, 1, 5, 1],
      [2, 1, 5, 1],
      [3, 1, 5, 1],
    ]);
  });
});
