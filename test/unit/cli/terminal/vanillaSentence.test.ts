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
const times = 'CPU time 1.04 s with, 1 s without, 15 runs of each in turns';

describe('what idle patch points cost', () => {
  it('is told with its interval, and claimed only where that leaves 0 out', () => {
    expect(vanillaSentence(compared)).toBe(
      `Idle patch points cost 4.0 % (95 % interval 3.5 % to 4.5 %; ${times}).`,
    );
    expect(vanillaSentence({ ...compared, leastPercent: -1 })).toBe(
      `The cost of idle patch points (4.0 %) cannot be told from noise (95 % interval -1.0 % to 4.5 %; ${times}).`,
    );
    expect(vanillaSentence({ ...compared, sitesPercent: -4, leastPercent: -5, mostPercent: -3 })).toMatch(
      /^Idle patch points cost -4.0 %/,
    );
  });

  it('is of unknown noise where the runs are too few', () => {
    const { leastPercent, mostPercent, ...few } = compared;
    expect(leastPercent).toBeLessThan(mostPercent ?? 0);
    expect(vanillaSentence({ ...few, pairs: 3 })).toMatch(/noise unknown: too few runs\)\.$/);
  });

  it('is an estimate else', () => {
    expect(offCostSentence({ percent: 0.42, mostPercent: 1.5, functions: 41 })).toBe(
      'Idle patch points: about 0.4 %, at most 1.5 %, estimated from the visits of 41 functions.',
    );
  });
});
