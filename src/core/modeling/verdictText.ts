import { at } from '../at';
import { formatPercent } from '../format';
import type { Verdict } from './choice/verdict';
import { growthText } from './formulaText';

/** What a verdict means, in a sentence. */
export function verdictText(verdict: Verdict, parameters: readonly string[]): string {
  switch (verdict.kind) {
    case 'clear':
      return 'The formula describes all points within their noise.';
    case 'not-enough-data': {
      const name = parameters[verdict.parameter];
      const values = verdict.values === 1 ? '1 value' : `${verdict.values} values`;
      return `No formula: ${name === undefined ? '' : `${name} has `}${values}, and a model needs ${verdict.needed}. The mean stands in its place.`;
    }
    case 'unusable':
      return verdict.problem === 'coordinates'
        ? 'No formula: values of parameters must be numbers from 0 on. The mean stands in its place.'
        : 'No formula: some values are not numbers. The mean stands in its place.';
    case 'noise-too-large':
      return `The noise (${formatPercent(verdict.noise)}) is too large: the range of the prediction at twice the largest point is wider than the prediction.`;
    case 'two-regimes':
      return `The behaviour changes at ${at(parameters, 0)} = ${verdict.from}: one formula up to there, another one from there.`;
    case 'ambiguous':
      return `${growthText(verdict.growth, parameters)} is possible too (${formatPercent(verdict.probability)}) and predicts something else: measure a larger point.`;
    case 'does-not-fit':
      return `No formula of the search space fits: the points are ${formatPercent(verdict.miss)} away from the best one, more than their noise.`;
  }
}
