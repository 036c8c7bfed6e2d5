import { describe, expect, it, test } from 'vitest';
import { comparePairs } from '../../../../src/core/cost/pairedRatios';
import { recordingOverhead } from '../../../../src/core/cost/recordingOverhead';
import { costBase, decisionClock, secondsBy } from '../../../../src/core/cost/runTime';

describe('two programs whose runs took turns', () => {
  const ratios = (count: number): readonly [number[], number[]] => [
    Array.from({ length: count }, (_, i) => i + 1),
    // The i-th pair takes i percent more; in no order.
    Array.from({ length: count }, (_, i) => (i + 1) * (1 + ((i * 7) % count) / 100)),
  ];
  // The bounds are order statistics: k values may be left out where P(at most k of n below the median) ≤ 2.5 %.
  it.each([
    [1, 0, undefined, undefined],
    [5, 2, undefined, undefined],
    [6, 2.5, 0, 5],
    [8, 3.5, 0, 7],
    [9, 4, 1, 7],
    [11, 5, 1, 9],
    [12, 5.5, 2, 9],
    [20, 9.5, 5, 14],
  ])('in %d pairs', (count, percent, least, most) => {
    const { percent: median, leastPercent, mostPercent } = comparePairs(...ratios(count));
    expect(median).toBeCloseTo(percent, 9);
    expect([leastPercent, mostPercent].map((bound) => bound?.toFixed(9))).toEqual(
      [least, most].map((bound) => bound?.toFixed(9)),
    );
  });

  it('have no bounds without pairs', () => {
    expect(Object.keys(comparePairs([1], [2]))).toEqual(['percent']);
  });
});

test('the cost of recording is that of the visits of each call path', () => {
  const visits = Float64Array.of(10, 0, 4);
  expect(recordingOverhead(visits, Uint32Array.of(1, 0, 0), (region) => (region === 1 ? 0.5 : 0.25))).toEqual(
    Float64Array.of(5, 0, 1),
  );
});

describe('the clock that decides about overheads', () => {
  it('is CPU time where each run has a millisecond of it', () => {
    const run = (cpuSeconds?: number) => ({ wallSeconds: 2, cpuSeconds });
    expect(decisionClock([run(1), run(1e-3)])).toBe('cpu');
    expect(decisionClock([run(1), run(0.9e-3)])).toBe('wall');
    expect(decisionClock([run(1), run()])).toBe('wall');
    expect(secondsBy('cpu', run(1))).toBe(1);
    expect(secondsBy('cpu', run())).toBe(2);
    expect(secondsBy('wall', run(1))).toBe(2);
    expect(costBase([run(1), run(3), run(2)])).toEqual({ clock: 'cpu', seconds: 2 });
    expect(costBase([run(1)], 'wall')).toEqual({ clock: 'wall', seconds: 2 });
  });
  it('is the slowest rank’s where each run knows it', () => {
    const run = (seconds?: number) => ({
      wallSeconds: 2,
      cpuSeconds: 8,
      slowestRank: seconds === undefined ? undefined : { rank: 3, seconds },
    });
    expect(decisionClock([run(1), run(1e-3)])).toBe('rank');
    expect(decisionClock([run(1), run(0.9e-3)])).toBe('cpu');
    expect(decisionClock([run(), run(1)])).toBe('cpu');
    expect(secondsBy('rank', run(1))).toBe(1);
    expect(costBase([run(1), run(3), run(2)])).toEqual({ clock: 'rank', seconds: 2 });
  });
});
