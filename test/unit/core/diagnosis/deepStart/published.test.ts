import { describe, expect, it } from 'vitest';
import { at } from '../../../../../src/core/at';
import {
  compareSearches,
  type SearchTrial,
} from '../../../../../src/core/diagnosis/comparison/compareSearches';
import { comparisonTables } from '../../../../../src/core/diagnosis/comparison/comparisonTables';
import type { VirtualSpec } from '../virtual/program';
import { alaraLike, dracoLike, om3Like, su3Like } from '../virtual/shapes';
import { searchVirtually } from './virtualSearch';

/** As published: of all hypotheses about time. */
const hypotheses = ['CPUBound', 'ExcessiveSyncWaitingTime', 'ExcessiveIOBlockingTime'];

/** Five runs. @param threshold absent: without Deep Start */
function trial(spec: VirtualSpec, threshold?: number): SearchTrial {
  const deepStart = threshold === undefined ? {} : { deepStart: { threshold, hypotheses } };
  return {
    label: threshold === undefined ? 'call graph' : `Deep Start, ${threshold}`,
    runs: [1, 2, 3, 4, 5].map((seed) => searchVirtually({ spec, seed, ...deepStart })),
  };
}

describe('the published comparison in synthetic programs', () => {
  it.each([
    ['ALARA', alaraLike(), -0.51],
    ['DRACO', dracoLike(), -0.51],
    ['om3', om3Like(), -0.19],
    ['su3_rmd', su3Like(), -0.19],
  ])(
    'T9: as in %s, Deep Start finds all that the call graph finds, earlier',
    (_, spec, utility) => {
      const { trials } = compareSearches([trial(spec), trial(spec, 0.2)]);
      const [callGraph, deepStart] = [at(trials, 0), at(trials, 1)];
      expect(deepStart.found).toBeGreaterThanOrEqual(callGraph.found);
      expect(deepStart.change?.equalFound).toBeLessThanOrEqual(utility);
      expect(deepStart.change?.finish).toBeLessThanOrEqual(-0.1);
      expect(deepStart.change?.half).toBeLessThan(0);
    },
    60_000,
  );

  it('T9: only Deep Start finds what all callers of a small function share', () => {
    const { known, trials } = compareSearches([trial(su3Like()), trial(su3Like(), 0.2)]);
    expect(known.filter(({ focus }) => focus.Code[1] === 'mult_su3_nn')).toHaveLength(13);
    expect(trials.map(({ found }) => found)).toEqual([67, 80]);
  }, 60_000);

  it('T10: thresholds of 0.2, 0.4, 0.6 and 0.8 beside each other', () => {
    const thresholds = [0.8, 0.6, 0.4, 0.2];
    const compared = compareSearches(thresholds.map((threshold) => trial(dracoLike(), threshold)));
    const [table] = comparisonTables(compared);
    expect(table?.rows.map((row) => [row[2], row[3], row.at(-1)])).toEqual(
      thresholds.map((threshold) => ['22', '100 %', `Deep Start, ${threshold}`]),
    );
    // The lower the threshold, the deeper the starters, and the more of them are false.
    const utilities = compared.trials.map(({ utilityMean }) => utilityMean);
    expect(utilities).toEqual(utilities.toSorted((a, b) => b - a));
    const experiments = compared.trials.map((each) => each.experiments);
    expect(experiments).toEqual(experiments.toSorted((a, b) => a - b));
  }, 60_000);
});
