import { atFloat } from '../at';
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
  const count = ys.length;
  const mean = ys.reduce((sum, y) => sum + y, 0) / count;
  let [smape, rss, rrss, re, total] = [0, 0, 0, 0, 0];
  predictions.forEach((predicted, i) => {
    const y = atFloat(ys, i);
    const miss = predicted - y;
    const size = Math.abs(predicted) + Math.abs(y);
    rss += miss * miss;
    total += (y - mean) ** 2;
    if (size > 0) smape += (200 * Math.abs(miss)) / size / count;
    if (y === 0) return;
    rrss += (miss / y) ** 2;
    re += Math.abs(miss / y) / count;
  });
  const ar2 = total === 0 || factors === 0 ? 1 : 1 - ((rss / total) * (count - 1)) / (count - factors - 1);
  return { smape, rss, rrss, re, ar2 };
}
