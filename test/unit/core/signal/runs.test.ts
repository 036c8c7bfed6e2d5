import { describe, expect, it } from 'vitest';
import type { LetteredPart } from '../../../../src/core/signal/episodes';
import { findRuns, isSignificant, Levels } from '../../../../src/core/signal/runs';
import type { Letter } from '../../../../src/core/signal/signal';

/** `G0-31 E32-63`; stability counts from 1 up. */
function parts(text: string): LetteredPart[] {
  return [...text.matchAll(/(\w)(\d+)-(\d+)/g)].map(([, letter, from, to], n) => ({
    letter: letter as Letter,
    from: Number(from),
    to: Number(to),
    net: 0,
    threshold: 0,
    stability: n + 1,
  }));
}

/** Straight lines between the given points. */
function lines(...points: readonly (readonly [at: number, value: number])[]): Float64Array {
  const length = points.at(-1)![0] + 1;
  return Float64Array.from({ length }, (_, i) => {
    const next = points.findIndex(([at]) => at >= i);
    const [[a, x], [b, y]] = [points[Math.max(0, next - 1)]!, points[next]!];
    return a === b ? y : x + ((y - x) * (i - a)) / (b - a);
  });
}

const run = (from: number, to: number, stability: number, closed: 'before' | 'after' | '' = '') => ({
  ...{ from, to, stability },
  closedBefore: closed === 'before',
  closedAfter: closed === 'after',
});

function runs(text: string, values: Float64Array, bridgeDrop = 0.25) {
  const places = (list: readonly object[]): unknown =>
    list.map((each) => {
      const { from, to, stability, closedBefore, closedAfter } = each as ReturnType<typeof run>;
      return { from, to, stability, closedBefore, closedAfter };
    });
  const { rises, falls } = findRuns(parts(text), values, bridgeDrop);
  return { rises: places(rises), falls: places(falls) };
}

describe('runs of episodes', () => {
  it('are neighbours of one direction, with the largest of their stabilities', () => {
    const values = lines([0, 0], [40, 2], [63, 2], [99, 0], [127, 0]);
    expect(runs('A0-9 D10-29 E30-40 G41-62 B63-79 C80-89 F90-99 G100-127', values)).toEqual({
      rises: [run(0, 40, 3)],
      falls: [run(63, 99, 7)],
    });
    expect(runs('G0-127', values)).toEqual({ rises: [], falls: [] });
    expect(runs('', new Float64Array())).toEqual({ rises: [], falls: [] });
  });

  it('are joined over a short level stretch, not over a long one', () => {
    // 32 of 128 between them is a quarter.
    const values = (level: number): Float64Array => lines([0, 0], [47, 1], [80, 1 + level], [127, 2 + level]);
    expect(runs('E0-47 G48-79 E80-127', values(0)).rises).toEqual([run(0, 127, 3)]);
    expect(runs('E0-46 G47-79 E80-127', values(0)).rises).toEqual([run(0, 46, 1), run(80, 127, 3)]);
    // What rises by a tenth of both is not level.
    expect(runs('E0-46 G47-79 E80-127', values(1)).rises).toEqual([run(0, 127, 3)]);
    expect(
      runs(
        'F0-46 G47-79 F80-127',
        values(0).map((value) => -value),
      ).falls,
    ).toEqual([run(0, 46, 1), run(80, 127, 3)]);
  });

  it('are joined over a dip of a quarter of what they rise together', () => {
    const values = (dip: number): Float64Array =>
      lines([0, 0], [60, 4], [63, 4], [67, 4 - dip], [70, 4 - dip], [127, 6]);
    const text = 'E0-62 F63-67 E68-127';
    expect(runs(text, values(1.4)).rises).toEqual([run(0, 127, 3)]);
    expect(runs(text, values(1.6)).rises).toMatchObject([{ from: 0 }, { to: 127 }]);
    expect(runs(text, values(1.6), 0.3).rises).toEqual([run(0, 127, 3)]);
    expect(runs(text, values(0.2), 0).rises).toMatchObject([{ from: 0 }, { to: 127 }]);
    // Two rises to one level do not rise together.
    expect(runs(text, lines([0, 4], [60, 8], [64, 0], [127, 4])).rises).toMatchObject([
      { from: 0 },
      { to: 127 },
    ]);
  });

  it('are joined with more than one neighbour', () => {
    const values = lines([0, 0], [255, 10]);
    expect(runs('E0-60 G61-70 E71-120 G121-130 E131-180 F181-185 E186-255', values).rises).toEqual([
      run(0, 255, 7),
    ]);
  });

  it('stay apart where a hump is between them', () => {
    const values = (hump: number): Float64Array =>
      lines([0, 0], [100, 4], [106, 4], [110, 4 + hump], [114, 4 + hump], [118, 4], [124, 4], [255, 8]);
    const text = 'E0-105 A106-110 G111-113 B114-118 E119-255';
    expect(runs(text, values(1.9), 0.25).rises).toMatchObject([{ from: 0, to: 255 }]);
    expect(runs(text, values(2.2), 0.25).rises).toMatchObject([{ from: 0 }, { to: 255 }]);
    // Also where the rise of the hump is no episode of its own.
    const unseen = 'E0-105 G106-113 F114-118 E119-255';
    expect(runs(unseen, values(1.9), 0.25).rises).toMatchObject([{ from: 0, to: 255 }]);
    expect(runs(unseen, values(2.2), 0.25).rises).toMatchObject([
      { from: 0, to: 105 },
      { from: 119, to: 255 },
    ]);
  });

  it('of opposite directions share the knee of a fit of both', () => {
    const values = lines([0, 0], [80, 8], [159, 0]);
    expect(runs('E0-70 G71-75 F76-159', values)).toEqual({
      rises: [run(0, 80, 1, 'after')],
      falls: [run(81, 159, 3, 'before')],
    });
    // Small differences stay.
    expect(runs('E0-78 G79-79 F80-159', values)).toEqual({
      rises: [run(0, 78, 1, 'after')],
      falls: [run(80, 159, 3, 'before')],
    });
    expect(runs('E0-77 F78-159', values)).toEqual({
      rises: [run(0, 77, 1, 'after')],
      falls: [run(78, 159, 2, 'before')],
    });
    expect(runs('E0-76 F77-159', values)).toEqual({
      rises: [run(0, 80, 1, 'after')],
      falls: [run(81, 159, 2, 'before')],
    });
    const valley = values.map((value) => -value);
    expect(runs('F0-70 G71-75 E76-159', valley)).toEqual({
      rises: [run(81, 159, 3, 'before')],
      falls: [run(0, 80, 1, 'after')],
    });
  });

  it('of opposite directions stay as they are over a long level stretch, and without a knee', () => {
    const values = lines([0, 0], [40, 8], [119, 8], [159, 0]);
    expect(runs('E0-40 G41-118 F119-159', values)).toEqual({
      rises: [run(0, 40, 1)],
      falls: [run(119, 159, 3)],
    });
    const straight = lines([0, 0], [159, 8]);
    expect(runs('E0-70 G71-75 F76-159', straight)).toEqual({
      rises: [run(0, 70, 1)],
      falls: [run(76, 159, 3)],
    });
  });
});

describe('levels', () => {
  it('are medians of the values around a place', () => {
    const values = Float64Array.of(5, 1, 2, 9, 4, 4, 8);
    const levels = new Levels(values, 1);
    expect([0, 1, 3, 6].map((place) => levels.at(place))).toEqual([3, 2, 4, 6]);
    expect(new Levels(values, -1).at(3)).toBe(-4);
    // At the end and beside it, the lower before and the higher after.
    expect(levels.around({ from: 1, to: 4 })).toEqual([2, 4]);
    expect(levels.around({ from: 3, to: 5 })).toEqual([2, 6]);
    expect(levels.around({ from: 0, to: 6 })).toEqual([3, 6]);
    const long = lines([0, 0], [255, 255]);
    expect(new Levels(long, 1).around({ from: 100, to: 200 })).toEqual([96, 204]);
    expect(new Levels(long, 1).offBy(2)).toBeCloseTo(2 * Math.sqrt(Math.PI / 2 / 9), 12);
    expect(levels.offBy(2)).toBeCloseTo(2 * Math.sqrt(Math.PI / 2 / 3), 12);
  });

  it('of a fit are significant from four standard deviations on, more where few samples are left', () => {
    // F = fit/(1 − fit)·free ≥ 16·(1 + 8/free), free = samples − 4
    expect(isSignificant(0.75, 12)).toBe(false);
    expect(isSignificant(0.8, 12)).toBe(true);
    expect(isSignificant(32 / 40, 12)).toBe(true);
    expect(isSignificant(0.799, 12)).toBe(false);
    expect(isSignificant(1, 5)).toBe(true);
    expect(isSignificant(1, 4)).toBe(false);
  });
});
