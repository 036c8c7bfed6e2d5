import { at } from '../at';
import { formatPercent } from '../format';
import type { Factor } from './formula';
import { growthText } from './formulaText';

/** How far a model can be relied on. */
export type Verdict =
  | { readonly kind: 'clear' }
  /** A parameter has too few different values, or without one: there are too few points. */
  | {
      readonly kind: 'not-enough-data';
      readonly parameter?: number;
      readonly values: number;
      readonly needed: number;
      /** There is a formula all the same, as Extra-P makes it. */
      readonly fitted?: true;
    }
  /** Values that no model is made of, such as coordinates that are not positive. */
  | { readonly kind: 'unusable'; readonly problem: 'coordinates' | 'values' }
  /** The range of predictions at twice the largest values is wider than the prediction. */
  | { readonly kind: 'noise-too-large'; readonly noise: number }
  /** One growth up to a value of the only parameter, another one from there. */
  | { readonly kind: 'two-regimes'; readonly from: number }
  /** Another formula is nearly as probable and predicts something else. */
  | {
      readonly kind: 'ambiguous';
      readonly growth: readonly (readonly Factor[])[];
      readonly probability: number;
    }
  /** The points are further from the formula than their repetitions from each other. */
  | {
      readonly kind: 'does-not-fit';
      readonly miss: number;
      /** The repetitions of each point agree: nothing of the distance is noise. */
      readonly isExact?: true;
    };

/** What a verdict means, in a few words. */
export const verdictMeanings: Readonly<Record<Verdict['kind'], string>> = {
  clear: 'the formula describes all points within their noise',
  'not-enough-data': 'too few points for a formula',
  unusable: 'values that no formula is made of',
  'noise-too-large': 'the prediction is less certain than it is large',
  'two-regimes': 'the growth changes at a border',
  ambiguous: 'another formula fits nearly as well and predicts something else',
  'does-not-fit': 'points are further from the formula than their repetitions from each other',
};

/** What a verdict means, in a sentence. */
export function verdictText(verdict: Verdict, parameters: readonly string[]): string {
  switch (verdict.kind) {
    case 'clear':
      return 'The formula describes all points within their noise.';
    case 'not-enough-data': {
      const name = verdict.parameter === undefined ? undefined : parameters[verdict.parameter];
      const are = name === undefined ? 'there are' : `${name} has`;
      const what = `${name === undefined ? 'point' : 'value'}${verdict.values === 1 ? '' : 's'}`;
      const facts = `${are} ${verdict.values} ${what}, and a model needs ${verdict.needed}`;
      return verdict.fitted === true
        ? `The formula is not reliable: ${facts}.`
        : `No formula: ${facts}. The mean stands in its place.`;
    }
    case 'unusable':
      return verdict.problem === 'coordinates'
        ? 'No formula: values of parameters must be numbers from 0 on. The mean stands in its place.'
        : 'No formula: some values are no numbers, or too small to compute with. The mean stands in its place.';
    case 'noise-too-large':
      return `The noise (${formatPercent(verdict.noise)}) is too large: the range of the prediction at twice the largest point is wider than the prediction.`;
    case 'two-regimes':
      return `The behaviour changes at ${at(parameters, 0)} = ${verdict.from}: one formula up to there, another one from there.`;
    case 'ambiguous':
      return `${growthText(verdict.growth, parameters)} is possible too (${formatPercent(verdict.probability)}) and predicts something else: measure a larger point.`;
    case 'does-not-fit':
      return verdict.isExact === true
        ? `No smooth formula fits: repetitions agree, and the points are ${formatPercent(verdict.miss)} away from the best formula. Predictions have a wide range because of that and not because of noise; measure more points.`
        : `No formula of the search space fits: the points are ${formatPercent(verdict.miss)} away from the best one (root mean square), more than twice what their repetitions explain. The machine may have changed between the points.`;
  }
}
