import { describe, expect, it } from 'vitest';
import { at } from '../../../../../src/core/at';
import {
  compareSearches,
  type SearchTrial,
} from '../../../../../src/core/diagnosis/comparison/compareSearches';
import { comparisonTables } from '../../../../../src/core/diagnosis/comparison/comparisonTables';
import type { VirtualSpec } from '../virtual/program';
import { alaraLike, dracoLike, om3Like, su3Like } from '../virtual/shapes';
import { trialOf } from '../virtual/trial';
import { truthOf } from '../virtual/truth';

const callGraph = (spec: VirtualSpec): SearchTrial => trialOf('call graph', spec);
const withThreshold = (spec: VirtualSpec, threshold: number): SearchTrial =>
  trialOf(`Deep Start, ${threshold}`, spec, { deepStart: threshold });

describe('the published comparison in synthetic programs', () => {
  it.each([
    ['ALARA', alaraLike(), -0.51],
    ['DRACO', dracoLike(), -0.51],
    ['om3', om3Like(), -0.19],
  ])(
    'T9: as in %s, Deep Start finds all that is known, earlier',
    (_, spec, utility) => {
      const { known, trials } = compareSearches([callGraph(spec), withThreshold(spec, 0.2)]);
      const [before, deepStart] = [at(trials, 0), at(trials, 1)];
      expect([before.found, deepStart.found]).toEqual([known.length, known.length]);
      expect(deepStart.change?.utility).toBeLessThanOrEqual(utility);
      expect(deepStart.change?.finish).toBeLessThanOrEqual(-0.1);
      expect(deepStart.change?.half).toBeLessThan(0);
    },
    120_000,
  );

  it('T9: as in su3_rmd, Deep Start also finds what no true experiment leads to, and as many as without it earlier', () => {
    const spec = su3Like();
    const { known, trials } = compareSearches([callGraph(spec), withThreshold(spec, 0.2)], truthOf(spec));
    const [before, deepStart] = [at(trials, 0), at(trials, 1)];
    const hidden = known.filter(({ focus }) => focus.Code[1] === 'mult_su3_nn');
    // In the whole program, on 4 hosts and in 8 processes.
    expect(hidden).toHaveLength(13);
    expect([before.found, deepStart.found]).toEqual([known.length - 13, known.length]);
    expect([before.precision, deepStart.precision, deepStart.recall]).toEqual([1, 1, 1]);
    expect(deepStart.change?.equalFound).toBeLessThanOrEqual(-0.19);
    expect(deepStart.change?.finish).toBeLessThanOrEqual(-0.1);
    expect(deepStart.change?.half).toBeLessThan(0);
  }, 120_000);

  it('T10: thresholds of 0.2, 0.4, 0.6 and 0.8 beside each other', () => {
    const thresholds = [0.8, 0.6, 0.4, 0.2];
    const compared = compareSearches(thresholds.map((threshold) => withThreshold(dracoLike(), threshold)));
    const [table] = comparisonTables(compared);
    expect(table?.rows.map((row) => [row[2], row[3], row.at(-1)])).toEqual(
      thresholds.map((threshold) => ['22', '100 %', `Deep Start, ${threshold}`]),
    );
    // The lower the threshold, the deeper the starters, and the more of them are false.
    const utilities = compared.trials.map(({ utilityMean }) => utilityMean);
    expect(utilities).toEqual(utilities.toSorted((a, b) => b - a));
    const experiments = compared.trials.map((each) => each.experiments);
    expect(experiments).toEqual(experiments.toSorted((a, b) => a - b));
  }, 120_000);
});
