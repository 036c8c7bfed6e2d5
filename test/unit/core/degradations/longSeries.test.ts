import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoarseSeries } from '../../../../src/core/degradations/bursts/coarseSeries';
import { joinTrends } from '../../../../src/core/degradations/bursts/joinTrends';
import { blockMeans, ofBlocks } from '../../../../src/core/signal/blocks';
import type { Pattern } from '../../../../src/core/signal/signal';

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);
const list = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 70 });

describe('a series in constant memory', () => {
  it('is means of blocks of a power of two values, whatever pieces it came in', () => {
    fc.assert(
      fc.property(
        list,
        fc.nat(70),
        fc.constantFrom(2, 4, 8),
        fc.boolean(),
        (values, cut, capacity, shrinks) => {
          const series = new CoarseSeries(capacity);
          series.push(Float64Array.from(values.slice(0, cut)));
          const most = shrinks ? Math.max(2, capacity / 2) : capacity;
          if (shrinks) series.shrink(capacity / 2);
          series.push(Float64Array.from(values.slice(cut)));
          const size = series.blockLength;
          expect(series.count).toBe(values.length);
          expect(Number.isInteger(Math.log2(size))).toBe(true);
          expect(series.values().length).toBeLessThanOrEqual(most);
          const expected = blockMeans(Float64Array.from(values), size);
          expect(series.values()).toHaveLength(expected.length);
          series.values().forEach((mean, at) => {
            expect(mean).toBeCloseTo(expected[at] ?? NaN, 9);
          });
          // Blocks are no longer than they have to be.
          if (!shrinks && size > 1) expect(values.length).toBeGreaterThanOrEqual((size / 2) * capacity);
        },
      ),
    );
  });

  it('has an even number of means, two at least', () => {
    const series = new CoarseSeries(8);
    series.push(Float64Array.of(1, 2, 3, 4, 5));
    series.shrink(5);
    expect([...series.values()]).toEqual([1.5, 3.5, 5]);
    expect(series.blockLength).toBe(2);
    series.shrink(0);
    expect([...series.values()]).toEqual([2.5, 5]);
  });
});

describe('means of blocks', () => {
  const values = Float64Array.of(1, 3, NaN, 4, 9, 2, 7);

  it('count what is not finite as 0, and the last block may be shorter', () => {
    expect([...blockMeans(values, 3)]).toEqual([4 / 3, 5, 7]);
    expect([...blockMeans(values, 1)]).toEqual([1, 3, 0, 4, 9, 2, 7]);
    expect([...blockMeans(new Float64Array(), 3)]).toEqual([]);
  });

  const pattern: Pattern = {
    type: 'peak',
    from: 0,
    to: 1,
    at: 1,
    core: [1, 2],
    levels: [1, 2],
    sum: 0,
    excess: 2,
    aftermath: 5,
    confidence: 1,
    stability: 1,
  } as unknown as Pattern;

  it('lead back to samples: borders are those of blocks, extremes those of the values in them', () => {
    const { patterns, episodes } = ofBlocks(
      {
        patterns: [pattern, { ...pattern, improvement: true }],
        episodes: [{ from: 1, to: 2, sum: 0 } as never],
      },
      values,
      3,
    );
    expect(patterns[0]).toMatchObject({
      from: 0,
      to: 5,
      at: 4,
      core: [3, 6],
      sum: 19,
      excess: 6,
      aftermath: 15,
    });
    expect(patterns[1]).toMatchObject({ at: 5 });
    // In any unit.
    const small = ofBlocks(
      { patterns: [pattern, { ...pattern, improvement: true }], episodes: [] },
      values.map((value) => value / 1000),
      3,
    );
    expect(small.patterns.map(({ at }) => at)).toEqual([4, 5]);
    expect(episodes[0]).toMatchObject({ from: 3, to: 6, sum: 22 });
    const plain = ofBlocks(
      { patterns: [{ ...pattern, at: undefined, core: undefined } as never], episodes: [] },
      values,
      3,
    );
    expect(plain.patterns[0]?.at).toBeUndefined();
    expect(plain.patterns[0]?.core).toBeUndefined();
    // Of equal extremes the first one.
    expect(
      ofBlocks({ patterns: [pattern], episodes: [] }, new Float64Array(7).fill(2), 3).patterns[0]?.at,
    ).toBe(3);
    expect(sumOf(values.filter(Number.isFinite))).toBe(26);
  });
});

describe('a rising run over the border of two windows', () => {
  const before = {
    type: 'trend',
    from: 10,
    to: 99,
    levels: [1, 2],
    sum: 135,
    excess: 40,
    aftermath: 7,
    confidence: 0.9,
    stability: 2,
  } as unknown as Pattern;
  const after = {
    ...before,
    from: 100,
    to: 149,
    levels: [2, 3],
    sum: 125,
    excess: 25,
    aftermath: 11,
    confidence: 0.8,
    stability: 3,
  } as unknown as Pattern;
  const joined = (a: Pattern = before, b: Pattern = after) => joinTrends(a, b, 100, 2);

  it('is one where the second goes on at the level at which the first ended', () => {
    expect(joined()).toMatchObject({
      type: 'trend',
      from: 10,
      to: 149,
      levels: [1, 3],
      core: [10, 149],
      sum: 260,
      // What the second window shows above its own begin, and that begin above the first one's.
      excess: 40 + 25 + 50,
      aftermath: 11,
      confidence: 0.8,
      stability: 3,
    });
  });

  it('counts iterations that both windows contain once', () => {
    // 25 of the 75 iterations of the second one were in the first.
    const twice = joined(before, { ...after, from: 75 });
    expect(twice?.sum).toBeCloseTo(135 + 125 * (2 / 3), 9);
    expect(twice?.excess).toBeCloseTo(40 + (25 + 75) * (2 / 3), 9);
  });

  it('is two that end or begin away from the border, jump, fall, or go the other way', () => {
    expect(joined({ ...before, to: 98 })).toBeDefined();
    expect(joined({ ...before, to: 97 })).toBeUndefined();
    expect(joined(before, { ...after, from: 102 })).toBeDefined();
    expect(joined(before, { ...after, from: 103 })).toBeUndefined();
    expect(joined(before, { ...after, from: 90, to: 99 })).toBeUndefined();
    expect(joined(before, { ...after, levels: [2.5, 3] })).toBeDefined();
    expect(joined(before, { ...after, levels: [2.51, 3] })).toBeUndefined();
    expect(joined(before, { ...after, levels: [1, 1] })).toBeUndefined();
    expect(joined(before, { ...after, improvement: true })).toBeUndefined();
    const falling = (pattern: Pattern, levels: readonly [number, number]) =>
      ({ ...pattern, levels, improvement: true }) as Pattern;
    expect(joined(falling(before, [3, 2]), falling(after, [2, 1]))).toMatchObject({ levels: [3, 1] });
    expect(joined(falling(before, [1, 2]), falling(after, [2, 3]))).toBeUndefined();
  });

  it('is one step where both show the same one', () => {
    const step = (pattern: Pattern, core: readonly [number, number]) =>
      ({ ...pattern, type: 'step', core }) as Pattern;
    expect(joined(step(before, [90, 96]), step(after, [98, 104]))).toMatchObject({
      type: 'step',
      core: [98, 104],
    });
    expect(joined(step(before, [90, 95]), step(after, [98, 104]))).toMatchObject({
      type: 'trend',
      core: [90, 104],
    });
    expect(joined(step(before, [107, 110]), step(after, [98, 104]))).toMatchObject({ type: 'trend' });
    expect(joined(step(before, [106, 110]), step(after, [98, 104]))).toMatchObject({ type: 'step' });
    expect(joined(before, step(after, [98, 104]))).toMatchObject({ type: 'trend', core: [10, 104] });
  });
});
