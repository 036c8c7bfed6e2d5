import type { Factor, Formula } from '../../core/modeling/formula';
import { modelText } from '../../core/modeling/formulaText';
import { fractionText } from '../../core/modeling/fraction';
import { verdictText, type Verdict } from '../../core/modeling/verdict';
import { present } from '../../core/present';
import type { NextPoint } from '../../core/study/nextPoint';
import type { ExportedModel } from './index';

interface DocumentedModels {
  readonly parameters: readonly string[];
  /** Parameters that are the same at all points. */
  readonly constants: readonly (readonly [name: string, value: number | string])[];
  /** The points that predictions are for. */
  readonly points: readonly (readonly number[])[];
  readonly measure: string;
  readonly mode: string;
  readonly models: readonly DocumentedModel[];
  /** What the models show. */
  readonly properties: readonly object[];
  /** What the user should know, in sentences. */
  readonly notes: readonly string[];
  readonly recording?: DocumentedRecording;
  readonly next?: NextPoint;
}

interface DocumentedRecording {
  readonly overheadPercent: number;
  readonly low: number;
  readonly high: number;
  readonly clock: string;
  readonly costFactor: number;
  readonly functions: readonly DocumentedOverhead[];
  readonly limitPercent?: number;
  readonly leaveOut?: {
    readonly functions: readonly DocumentedOverhead[];
    readonly overheadPercent: number;
  };
}

interface DocumentedOverhead {
  readonly key: string;
  readonly overheadPercent: number;
  readonly visits: number;
}

interface DocumentedModel extends ExportedModel {
  readonly verdict?: Verdict;
  readonly noise?: number;
  readonly share?: number;
  /** In the order of `points`. */
  readonly predictions: readonly object[];
}

/** Models as a JSON document, with their terms and predictions: what `kymo model --json` prints. */
export function modelDocument({
  parameters,
  constants,
  points,
  models,
  properties,
  notes,
  measure,
  mode,
  recording,
  next,
}: DocumentedModels): object {
  return {
    parameters,
    constants: Object.fromEntries(constants),
    measure,
    mode,
    models: models.map((row) => ({
      callPath: row.callPath,
      metric: row.metric,
      formula: modelText(row, parameters),
      ...(row.segments === undefined
        ? terms(row.formula, parameters)
        : {
            segments: row.segments.map(({ from, to, formula }) => ({
              ...present({ from, to }),
              ...terms(formula, parameters),
            })),
          }),
      smape: row.smape,
      rss: row.rss,
      ar2: row.ar2,
      ...(row.verdict === undefined
        ? {}
        : { verdict: { kind: row.verdict.kind, message: verdictText(row.verdict, parameters) } }),
      ...present({ noise: row.noise, share: row.share }),
      predictions: row.predictions.map((prediction, i) => ({ point: points[i], ...prediction })),
    })),
    ...(recording === undefined ? {} : { recording: recordingDocument(recording, points[0] ?? []) }),
    ...present({ next }),
    properties,
    notes,
  };
}

function recordingDocument(
  { functions, leaveOut, ...recording }: DocumentedRecording,
  point: readonly number[],
): object {
  return {
    point,
    ...recording,
    functions: functions.map(({ key, ...cost }) => ({ name: key, ...cost })),
    ...(leaveOut === undefined
      ? {}
      : {
          leaveOut: {
            functions: leaveOut.functions.map(({ key }) => key),
            overheadPercent: leaveOut.overheadPercent,
          },
        }),
  };
}

function terms({ constant, terms: all }: Formula, parameters: readonly string[]): object {
  return {
    constant,
    terms: all.map(({ coefficient, factors }) => ({
      coefficient,
      factors: factors.map((factor) => named(factor, parameters)),
    })),
  };
}

function named({ parameter, exponent, logExponent }: Factor, parameters: readonly string[]): object {
  return {
    parameter: parameters[parameter],
    exponent: fractionText(exponent),
    logExponent: fractionText(logExponent),
  };
}
