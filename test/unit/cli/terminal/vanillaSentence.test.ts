import { describe, expect, it } from 'vitest';
import { offCostSentence, vanillaSentence } from '../../../../src/cli/terminal/vanillaSentence';
import type { VanillaComparison } from '../../../../src/workflows/studies/refine.types';

const compared: VanillaComparison = {
  vanillaSeconds: 1,
  sitesSeconds: 1.04,
  clock: 'cpu',
  pairs: 15,
  sitesPercent: 4,
  leastPercent: 3.5,
  mostPercent: 4.5,
};
const runs = '1 s without them; median difference of 15 pairs of runs in turns';

describe('what idle patch points cost', () => {
  it('is told with its interval, and claimed only where that leaves 0 out', () => {
    expect(vanillaSentence(compared)).toBe(
      `Idle patch points, measured: 4.0 % of the CPU time (${runs}, 95 % interval 3.5 % to 4.5 %).`,
    );
    expect(vanillaSentence({ ...compared, leastPercent: -1 })).toBe(
      `Idle patch points, measured: 4.0 % of the CPU time, which cannot be told from noise (${runs}, 95 % interval −1.0 % to 4.5 %).`,
    );
    expect(vanillaSentence({ ...compared, sitesPercent: -4, leastPercent: -5, mostPercent: -3 })).toMatch(
      /^Idle patch points, measured: −4.0 % of/,
    );
  });

  it('is of unknown noise where the runs are too few', () => {
    const { leastPercent, mostPercent, ...few } = compared;
    expect(leastPercent).toBeLessThan(mostPercent ?? 0);
    expect(vanillaSentence({ ...few, pairs: 3 })).toMatch(/noise unknown: too few runs\)\.$/);
  });

  it('is an estimate else', () => {
    expect(offCostSentence({ percent: 0.42, mostPercent: 1.5, functions: 41 })).toBe(
      'Idle patch points, estimated: about 0.4 %, at most 1.5 % (from the visits of 41 functions and the usual cost of each).',
    );
    expect(offCostSentence({ percent: 0.02, mostPercent: 0.04, functions: 1 })).toBe(
      'Idle patch points, estimated: <0.1 % (from the visits of 1 function and the usual cost of each).',
    );
  });

  it('prints no times that contradict the median of the pairs: with a drift, the medians of both kinds do', () => {
    const drift = { vanillaSeconds: 0.934, sitesSeconds: 0.893, sitesPercent: 0.095 };
    expect(vanillaSentence({ ...compared, ...drift, leastPercent: -8.3, mostPercent: 2.1 })).toBe(
      'Idle patch points, measured: <0.1 % of the CPU time, which cannot be told from noise (934 ms without them; median difference of 15 pairs of runs in turns, 95 % interval −8.3 % to 2.1 %).',
    );
  });
});
