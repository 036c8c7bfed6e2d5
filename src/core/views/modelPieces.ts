import type { FormulaStyle } from '../modeling/formulaText';
import type { Verdict } from '../modeling/verdict';

/** Performance models as they travel: an overview, rows and predictions in pieces, and everything about one model when it is looked at. */
export interface ModelsHeader {
  /** Identifies the models: other measurements have another one. */
  readonly id: string;
  readonly parameters: readonly string[];
  /** Parameters that are the same at all points. */
  readonly constants: readonly (readonly [name: string, value: number | string])[];
  /** For each parameter its measured values, ascending. */
  readonly values: readonly (readonly number[])[];
  /** The point that is predicted unless the user chooses another one: ten times the largest value of each parameter. */
  readonly point: readonly number[];
  /** Rows of a metric are consecutive. */
  readonly metrics: readonly ModelMetric[];
}

export interface ModelMetric {
  readonly name: string;
  /** `sec`, `bytes` or empty. */
  readonly unit: string;
  /** Position of its first row. */
  readonly first: number;
  readonly count: number;
}

export interface ModelTableRow {
  readonly callPath: string;
  /** For readers: `11.3 s + 0.42 s · p · log₂ p`. */
  readonly formula: string;
  /** Symmetric mean absolute percentage error, in per cent. */
  readonly smape: number;
  /** How far the model can be relied on, with a sentence about it. */
  readonly verdict?: { readonly kind: Verdict['kind']; readonly message: string };
}

/** Predictions of consecutive rows, in the unit of the metric. */
export interface ModelPredictions {
  readonly values: Float64Array;
  /** Ends of the range that contains the true value with a probability of 95 %; infinite if nothing is known. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface ModelDetail {
  readonly formulas: Readonly<Record<FormulaStyle, string>>;
  /** The formulas that were compared, the most probable first. */
  readonly compared: readonly {
    readonly formula: string;
    readonly probability: number;
    /** Its value at the chosen point, in the unit of the metric. */
    readonly value: number;
  }[];
  /** Standard deviation of repetitions relative to the value. */
  readonly noise?: number;
  /** In per cent. */
  readonly smape: number;
  /** Adjusted coefficient of determination. */
  readonly ar2: number;
  readonly points: number;
}

/** A model along one parameter, while the others have fixed values; values are in the unit of the metric. */
export interface ModelCurve {
  readonly measured: readonly CurvePoint[];
  /** Smallest and largest measured value of the parameter; outside of them the model is extrapolated. */
  readonly range: readonly [smallest: number, largest: number];
  /** Values of the parameter, ascending. */
  readonly at: Float64Array;
  /** NaN between two segments. */
  readonly values: Float64Array;
  /** As in `ModelPredictions`. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface CurvePoint {
  /** Value of the parameter. */
  readonly at: number;
  /** Mean, median, minimum or maximum of the repetitions, as it was modelled. */
  readonly value: number;
  /** The repetitions, or their smallest and largest one where only these are known. */
  readonly repetitions: readonly number[];
}

/** Shares (0…1) of predictions in their sum; undefined if there is no sum. Negative predictions count as 0. */
export function predictedShares(values: Float64Array): Float64Array | undefined {
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  if (!(total > 0 && Number.isFinite(total))) return undefined;
  return values.map((value) => Math.max(0, value) / total);
}
