import { formatPercent } from '../format';
import type { Property } from '../properties/property';
import type { Expectation } from './expectations';
import { growthText } from './formulaText';
import type { Formula } from './formula';
import { regionsOf } from './regionsOf';

/** A model that grows faster than was expected of its function. */
export interface WorseModel {
  readonly callPath: string;
  readonly metric: string;
  readonly formula: Formula;
  readonly expectation: Expectation;
  /** That the true growth is worse. */
  readonly probability: number;
  /** Share of the predicted total. */
  readonly share?: number;
}

/** Growth counts as worse than expected from this probability on. */
export const certainEnough = 0.9;

/** The properties that models have which grow faster than expected. */
export function scalingProperties(
  models: readonly WorseModel[],
  parameters: readonly string[],
  run: string,
): readonly Property[] {
  return models
    .filter(({ probability }) => probability >= certainEnough)
    .map(({ callPath, metric, formula, expectation, probability, share }) => {
      const regions = regionsOf(callPath);
      const name = regions.at(-1) ?? callPath;
      const grows = growthText(
        formula.terms.map(({ factors }) => factors),
        parameters,
      );
      return {
        id: `scales-worse-than-expected:${metric}:${callPath}`,
        kind: 'scales-worse-than-expected',
        title: `${name} grows with ${grows}, and ${expectation.text} is expected (${metric}, ${formatPercent(probability)} certain)`,
        confidence: probability,
        region: { name },
        callPath: regions,
        evidence: { probability, ...(share === undefined ? {} : { predictedShare: share }) },
        origin: { run, analysis: 'models' },
      };
    });
}
