import type { Factor } from '../formula';

/** How far a model can be relied on. */
export type Verdict =
  | { readonly kind: 'clear' }
  /** A parameter has too few different values. */
  | {
      readonly kind: 'not-enough-data';
      readonly parameter: number;
      readonly values: number;
      readonly needed: number;
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
  | { readonly kind: 'does-not-fit'; readonly miss: number };
