import type { FormulaStyle } from '../../modeling/formulaText';
import type { Verdict } from '../../modeling/verdict';
import type { NextPoint } from '../../study/nextPoint';

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
  /** The same models by function: each the sum of the call paths that end with it. */
  readonly functions: { readonly id: string; readonly metrics: readonly ModelMetric[] };
  /** What the user should know, in sentences. */
  readonly notes: readonly string[];
  /** What the models are compared with. */
  readonly compared?: ComparedInput;
  /** The point whose measurement would make the models more certain. */
  readonly next?: NextPoint;
}

/** Other measurements, whose models are found by call path and metric. */
export interface ComparedInput {
  /** Names of the inputs. */
  readonly title: string;
  /** Positions of those parameters that its models have, too. */
  readonly parameters: readonly number[];
  /** Models that only one of both has, with some of their call paths. */
  readonly onlyHere: Unmatched;
  readonly onlyThere: Unmatched;
}

export interface Unmatched {
  readonly count: number;
  readonly examples: readonly string[];
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
  /** How it grows, and the order of that among all growths. */
  readonly growth: { readonly text: string; readonly order: number };
  /** Number of call paths of a function that has several. */
  readonly callPaths?: number;
  /** Symmetric mean absolute percentage error, in per cent. */
  readonly smape: number;
  /** What was expected of its growth, in a sentence, and whether it certainly grows faster. */
  readonly expected?: { readonly message: string; readonly isWorse: boolean };
  /** The formula of the other measurements, if these have the call path. */
  readonly compared?: string;
  /** How far the model can be relied on, with a sentence about it. */
  readonly verdict?: { readonly kind: Verdict['kind']; readonly message: string };
}

/** Predictions of consecutive rows, in the unit of the metric. */
export interface ModelPredictions {
  readonly values: Float64Array;
  /** Ends of the range that contains the true value with a probability of 95 %; infinite if nothing is known. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Those of the other measurements; NaN where these do not have the call path. */
  readonly compared?: Float64Array;
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

/** A model over the plane of two parameters, while the others have fixed values; values are in the unit of the metric. */
export interface ModelPlane {
  /** Equally wide cells, from the smallest measured value to the point that is predicted. */
  readonly cells: ModelGrid;
  /** Exactly the measured values, and the point that is predicted. */
  readonly stops: ModelGrid;
  /** Smallest and largest measured value of each of both parameters; outside of them the model is extrapolated. */
  readonly ranges: readonly [horizontal: readonly [number, number], vertical: readonly [number, number]];
  readonly measured: readonly PlanePoint[];
}

/** Predictions, row by row: that of column c and row r is at position `r · columns + c`. */
export interface ModelGrid {
  /** Value of the first parameter in each column, ascending. */
  readonly horizontal: Float64Array;
  /** Value of the second parameter in each row, ascending. */
  readonly vertical: Float64Array;
  readonly values: Float64Array;
  /** As in `ModelPredictions`. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface PlanePoint {
  readonly horizontal: number;
  readonly vertical: number;
  readonly value: number;
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
