import { atFloat } from '../at';
import { adjusted, Costs, totalSquares } from './costs';
import { formulaValue, segmentsValue, type Formula, type Segment } from './formula';

/**
 * How far a model is from what was measured. `smape` is in per cent, `rss` in the squared unit of the metric, the others are numbers. Which points the
 * model had seen depends on the mode: with cross-validation each point is compared with the model of the others.
 */
export interface ModelCosts {
  /** Symmetric mean absolute percentage error: 100/n · Σ 2|p − y| / (|y| + |p|). */
  readonly smape: number;
  /** Residual sum of squares. */
  readonly rss: number;
  /** Residual sum of squares of (p − y) / y. */
  readonly rrss: number;
  /** Adjusted coefficient of determination. */
  readonly ar2: number;
  /** Mean of |p − y| / y. */
  readonly re: number;
}

/** A formula, or one for each part of the range of the only parameter, with its costs. */
export type Model = ModelCosts & ({ readonly formula: Formula } | { readonly segments: readonly Segment[] });

/** The value that a model predicts at a point, in the unit of the metric. */
export function modelValue(model: Model, point: readonly number[]): number {
  return 'formula' in model ? formulaValue(model.formula, point) : segmentsValue(model.segments, point);
}

/** Costs of predictions of points, of which the model knew all. @param factors the number of factors in the model's terms */
export function costsAt(predictions: readonly number[], ys: Float64Array, factors: number): ModelCosts {
  const costs = new Costs(ys.length);
  predictions.forEach((predicted, i) => {
    costs.add(predicted, atFloat(ys, i));
  });
  const { smape, rss, rrss, re } = costs.values();
  return {
    smape,
    rss,
    rrss,
    re,
    ar2: factors === 0 || totalSquares(ys) === 0 ? 1 : adjusted(rss, ys, factors),
  };
}
