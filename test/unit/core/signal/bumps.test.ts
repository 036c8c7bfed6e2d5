import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { TreeNode } from '../../../../src/core/signal/intervalTree';
import { findPeaks, standing, withoutPeaks, type Peak } from '../../../../src/core/signal/peaks';
import { prepare, rangeOf, type PreparedSignal } from '../../../../src/core/signal/prepare';
import type { ScaleStack } from '../../../../src/core/transforms/scaleSpace';

const thresholds = { peakProminence: 0.1, peakStability: 3, stepsPerOctave: 4 };

function node(first: number, last: number, others: Partial<TreeNode> = {}): TreeNode {
  const place = { first, last, left: first - 0.5, right: last + 0.5 };
  return { ...place, sign: -1, scaleLow: 0, scaleHigh: 11, stability: 12, children: [], ...others };
}

/** Without smoothing: every level is the signal itself, unless others are given. */
function found(
  values: readonly number[],
  nodes: readonly TreeNode[],
  {
    direction = 1,
    noise = 0,
    levels = [],
  }: { direction?: 1 | -1; noise?: number; levels?: readonly number[][] } = {},
): readonly Peak[] {
  const own = Float64Array.from(values);
  const signal: PreparedSignal = { ...prepare(own), values: own, range: rangeOf(own), noise };
  const stack: ScaleStack = {
    sigmas: Float64Array.of(0.5, 1.25 ** 2 / (2 * Math.sqrt(Math.PI)), 3),
    length: values.length,
    level: (k) => Float64Array.from(levels[k] ?? values),
  };
  return findPeaks(nodes, stack, signal, thresholds, direction);
}

const flat = (length: number, ...values: readonly (readonly [at: number, value: number])[]): number[] =>
  Array.from({ length }, (_, i) => values.find(([at]) => at === i)?.[1] ?? 0);
const mirrored = (values: readonly number[]): number[] => values.map((value) => -value);

describe('peaks', () => {
  const values = flat(30, [9, 1], [10, 2], [11, 7], [12, 10], [13, 4], [14, 1], [20, 3]);

  it('have their place and their cost above the line between the samples beside them', () => {
    const peak = { from: 10, to: 13, at: 12, base: 0, height: 10, excess: 23 - 4, stability: 12 };
    expect(found(values, [node(10, 13)])).toEqual([peak]);
    const dips = [node(10, 13, { sign: 1 })];
    expect(found(mirrored(values), dips, { direction: -1 })).toEqual([peak]);
    // A rise from 1 to 5 beside it: the line between the samples before and after goes from 1 to 5 in five steps.
    const sloped = values.map((value, i) => (i >= 14 ? 6 : value));
    const above = [2 - 2, 7 - 3, 10 - 4, 0];
    expect(found(sloped, [node(10, 13)])).toEqual([
      { ...peak, base: 4, excess: above.reduce((sum, value) => sum + value) },
    ]);
  });

  it('are intervals of the right sign that live for three octaves', () => {
    expect(found(values, [node(10, 13, { sign: 1 })])).toEqual([]);
    expect(found(values, [node(10, 13, { sign: 0 })])).toEqual([]);
    expect(found(values, [node(10, 13, { stability: 11 })])).toEqual([]);
    expect(found(values, [node(10, 13)], { direction: -1 })).toEqual([]);
  });

  it('are found at any depth: the most stable, of equals the narrowest, and none that overlaps it', () => {
    const small = node(19, 21);
    const inner = node(11, 13, { stability: 13 });
    const outer = node(8, 15, { stability: 13, children: [node(8, 10), inner, node(14, 15)] });
    const list = [node(0, 7, { sign: 1 }), outer, small];
    expect(found(values, list).map(({ from, to }) => [from, to])).toEqual([
      [11, 13],
      [19, 21],
    ]);
    const wider = { ...outer, stability: 14 };
    expect(found(values, [small, wider]).map(({ from, to }) => [from, to])).toEqual([
      [8, 15],
      [19, 21],
    ]);
    // Neighbours do not overlap.
    const twins = flat(30, [10, 5], [12, 5], [11, 1]);
    expect(found(twins, [node(12, 13), node(9, 11)]).map(({ from }) => from)).toEqual([9, 12]);
    expect(found(twins, [node(11, 13), node(9, 11)]).map(({ from }) => from)).toEqual([9]);
  });

  it('rise by a tenth of the range, and by four deviations of the noise', () => {
    const heights = (second: number): number[] => flat(30, [5, 10], [20, second]);
    const nodes = [node(5, 5), node(20, 20)];
    expect(found(heights(1), nodes).map(({ at }) => at)).toEqual([5, 20]);
    expect(found(heights(0.99), nodes).map(({ at }) => at)).toEqual([5]);
    expect(found(heights(4), nodes, { noise: 1 }).map(({ at }) => at)).toEqual([5, 20]);
    expect(found(heights(4), nodes, { noise: 1.01 }).map(({ at }) => at)).toEqual([5]);
  });

  it('have their top inside at the finest scale where they live, half as prominent, and above what is left of the noise', () => {
    const nodes = [node(10, 13, { scaleLow: 1 })];
    const smoothed = (...three: number[]): number[] =>
      flat(30, ...three.map((value, n) => [11 + n, value] as const));
    const isFound = (level: number[], noise = 0): boolean =>
      found(values, nodes, { noise, levels: [values, level] }).length > 0;
    expect(isFound(smoothed(0.5))).toBe(true);
    expect(isFound(smoothed(0.49))).toBe(false);
    // At this scale, noise is four fifths of what it was: four deviations of 2 are 8 in the signal, 6.4 here.
    expect(isFound(smoothed(6.41), 2)).toBe(true);
    expect(isFound(smoothed(6.39), 2)).toBe(false);
    // The top is outside.
    expect(isFound(flat(30, [13, 5], [14, 5.1]))).toBe(false);
    expect(isFound(flat(30, [13, 5], [14, 5]))).toBe(true);
    expect(isFound(flat(30, [10, 5], [9, 5.1]))).toBe(false);
    expect(isFound(flat(30, [10, 5], [9, 5]))).toBe(true);
  });

  it('may touch an end where they are short: only upwards, of three samples, and less than a quarter of the signal', () => {
    const first = (width: number, length: number): readonly Peak[] =>
      found(flat(length, [0, 5], [1, 5], [2, 5]), [node(0, width - 1)]);
    expect(first(3, 13)).toMatchObject([{ from: 0, to: 2, at: 0, base: 0, excess: 15 }]);
    expect(first(3, 12)).toEqual([]);
    expect(first(4, 30)).toEqual([]);
    const last = flat(20, [10, 1], [18, 6], [19, 7]);
    expect(found(last, [node(18, 19)])).toMatchObject([{ from: 18, at: 19, base: 0, height: 7, excess: 13 }]);
    const before = flat(20, [10, 1], [18, 6], [19, 5]);
    expect(found(before, [node(10, 18)])).toMatchObject([{ from: 10, at: 18, base: 5, height: 6 }]);
    expect(found(mirrored(last), [node(18, 19, { sign: 1 })], { direction: -1 })).toEqual([]);
    expect(found(mirrored(before), [node(10, 18, { sign: 1 })], { direction: -1 })).toHaveLength(1);
  });

  it('stand on the higher of the lowest levels as far beside them as they are wide', () => {
    const wide = flat(40, [16, 3], [17, 9], [18, 9], [19, 9], [20, 4], [21, 4], [22, 4]);
    for (let i = 0; i < 16; i++) wide[i] = i < 14 ? 1 : 2;
    expect(found(wide, [node(17, 19)])).toMatchObject([{ base: 4 }]);
    expect(found(wide, [node(17, 20)])).toMatchObject([{ base: 1 }]);
    const narrow = wide.map((value, i) => (i === 18 || i === 16 ? 3 : value));
    // One sample counts as two wide.
    expect(found(narrow, [node(17, 17)])).toMatchObject([{ base: 3 }]);
  });
});

describe('what stands', () => {
  it('without the narrow bumps of the other direction is still as prominent', () => {
    const signal = { ...prepare(Float64Array.of(0, 10)), range: 10, noise: 0 };
    const peak: Peak = { from: 3, to: 5, at: 4, base: 0, height: 9, excess: 1, stability: 12 };
    const filled = (height: number): Float64Array => Float64Array.from(flat(10, [4, height]));
    expect(standing([peak], filled(1), signal, thresholds)).toEqual([peak]);
    expect(standing([peak], filled(0.99), signal, thresholds)).toEqual([]);
    expect(standing([peak], filled(1), { ...signal, noise: 0.3 }, thresholds)).toEqual([]);
    expect(standing([peak], filled(-1), signal, thresholds, -1)).toEqual([peak]);
    expect(standing([peak], filled(1), signal, thresholds, -1)).toEqual([]);
    // Its height may be at both ends of it.
    expect(standing([peak], Float64Array.from(flat(10, [5, 1])), signal, thresholds)).toEqual([peak]);
    expect(standing([peak], Float64Array.from(flat(10, [6, 1])), signal, thresholds)).toEqual([]);
  });
});

describe('the signal without narrow peaks', () => {
  const range = fc
    .tuple(fc.nat(11), fc.nat(3))
    .map(([from, more]) => ({ from, to: Math.min(11, from + more) }));

  it('has straight lines between the means of three samples beside them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 12, maxLength: 12 }),
        fc.array(range, { maxLength: 2 }),
        (list, ranges) => {
          const expected = [...list];
          for (const { from, to } of ranges) {
            const mean = (...at: number[]): number | undefined => {
              const inside = at.filter((i) => i >= 0 && i < 12).map((i) => expected[i]!);
              return inside.length === 0
                ? undefined
                : inside.reduce((sum, value) => sum + value, 0) / inside.length;
            };
            const before = mean(from - 4, from - 3, from - 2);
            const after = mean(to + 2, to + 3, to + 4);
            const start = before ?? after ?? 0;
            const end = after ?? start;
            for (let i = from - 1; i <= to + 1; i++)
              if (i >= 0 && i < 12) expected[i] = start + ((end - start) * (i - from + 2)) / (to - from + 4);
          }
          const found = withoutPeaks(Float64Array.from(list), ranges as unknown as Peak[]);
          found.forEach((value, i) => {
            expect(value).toBeCloseTo(expected[i]!, 9);
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});
