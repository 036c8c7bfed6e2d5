import path from 'node:path';
import { at } from '../core/at';
import { regionsOf } from '../core/modeling/regionsOf';
import { KymoError } from '../core/errors';
import {
  dataVerdict,
  farPoint,
  GrowthModeler,
  type GrowthModel,
  type WeighedFormula,
} from '../core/modeling/choice';
import { ExtrapModeler, type ExtrapOptions } from '../core/modeling/extrap';
import type { Formula, Segment } from '../core/modeling/formula';
import type { Measure, MeasuredPoint, ParameterMeasurements } from '../core/modeling/measurements';
import { modelValue, type ModelCosts } from '../core/modeling/model';
import {
  recordingModel,
  tooExpensive,
  type PredictedOverhead,
  type TooExpensive,
} from '../core/modeling/recording/recordingModel';
import { present } from '../core/present';
import type { DecisionClock } from '../core/cost/runTime';
import type { Scaling } from '../core/modeling/profilesAsMeasurements';
import {
  withEnoughValues,
  withoutConstants,
  type ComparableMeasurements,
} from '../core/modeling/varyingParameters';
import type { Verdict } from '../core/modeling/verdict';
import { isWorse, parseExpectation, type Expectation } from '../core/modeling/expectations';
import { unitNotes } from '../core/modeling/sameUnit';
import { nextPoint, type NextPoint } from '../core/study/nextPoint';
import { isOfRecording } from '../core/profile/metrics';
import type { ProgressSink } from '../core/progress';
import { modelProperties, type PlacedProperty } from './models/modelProperties';
import { readMeasurements, type ReadMeasurements } from './models/readMeasurements';
import { isUnfinished, steadyNames } from './study/parameterStudyFile';
import { turn, type Cancellable } from './running/turn';

export interface ModelsRequest {
  /** Files with measurements, profiles, folders of experiments, or studies. */
  readonly paths: readonly string[];
  /** Models of Extra-P in place of the most probable ones. */
  readonly extrap?: ExtrapOptions;
  readonly measure?: Measure;
  readonly scaling?: Scaling;
  /** Only metrics of this name. */
  readonly metric?: string;
  /** Only call paths that contain this text. */
  readonly callPath?: string;
  /** How functions are expected to grow, by their name or whole call path. */
  readonly expect?: Readonly<Record<string, string>>;
  /** Only models that properties are found in. */
  readonly only?: 'properties';
  /** What recording may cost in percent of the run time: the report names functions that make it exceed this. */
  readonly overheadPercent?: number;
  /** Points to predict, by the names of their parameters; default: ten times the largest value of each parameter. */
  readonly predict?: readonly Readonly<Record<string, number>>[];
}

/** The model of one metric of one call path. */
export interface ModelRow extends ModelCosts {
  /** The chosen formula and the most probable others; Extra-P states none. */
  readonly formulas?: readonly WeighedFormula[];
  readonly callPath: string;
  readonly metric: string;
  readonly formula: Formula;
  /** In place of the formula, where the behaviour changes. */
  readonly segments?: readonly Segment[];
  /** How far the model can be relied on; Extra-P's models have none. */
  readonly verdict?: Verdict;
  /** Standard deviation of repetitions relative to the value. */
  readonly noise?: number;
  /** In the order of `points`. */
  readonly predictions: readonly { readonly value: number; readonly low?: number; readonly high?: number }[];
  /** Share of the first prediction in the sum over all call paths of the metric. */
  readonly share?: number;
  readonly measured: readonly MeasuredPoint[];
  /** The value at any point; without a range in Extra-P's mode. */
  readonly predict: (point: readonly number[]) => ModelRow['predictions'][number];
  /** Covariance of the logarithms of the values at two points; absent without a formula. */
  readonly covariance?: NonNullable<GrowthModel['covariance']>;
  /** What was expected of the function, with the probability that it grows faster; Extra-P's models have none. */
  readonly expected?: { readonly expectation: Expectation; readonly worse: number };
}

export interface ModelsReport {
  readonly parameters: readonly string[];
  /** Parameters that are the same at all points. */
  readonly constants: readonly (readonly [name: string, value: number | string])[];
  /** The points that predictions are for. */
  readonly points: readonly (readonly number[])[];
  readonly measure: Measure;
  readonly mode: 'probable' | 'extra-p';
  /** Those with the largest share of the first prediction first, by metric. */
  readonly models: readonly ModelRow[];
  /** What the user should know of the request, in sentences. */
  readonly notes: readonly string[];
  /** Functions that grow faster than expected, and those that grow and have a large share of the first prediction. */
  readonly properties: readonly PlacedProperty[];
  /** The cost of recording at the first point to predict; absent where the measurements do not show it. */
  readonly recording?: RecordingReport;
  /** The point of the study to measure next; absent when nothing is uncertain, and for other inputs than one study over parameters. */
  readonly next?: NextPoint;
  /** Where functions are, by their names. */
  readonly places: ReadMeasurements['places'];
}

export interface RecordingReport extends PredictedOverhead {
  readonly clock: DecisionClock;
  /** By what a visit costs more in this program than calibrated; 1 where no runs without recording show it. */
  readonly costFactor: number;
  readonly limitPercent?: number;
  /** What to leave out for the overhead to be within the limit; absent when it is. */
  readonly leaveOut?: TooExpensive;
}

interface ModelsContext extends Cancellable {
  readonly progress: ProgressSink;
}

/** Models are made in portions, between which a cancellation is seen. */
const portion = 100;

/**
 * Performance models of what was measured at several values of parameters.
 * @throws KymoError `no-model` when nothing is left to be modelled, and the errors of reading
 */
export async function makeModels(request: ModelsRequest, context: ModelsContext): Promise<ModelsReport> {
  const { extrap, measure = 'mean' } = request;
  // As Extra-P 4.2.5, or as its successor: what a function costs is no less where it is not called.
  const { scaling = extrap === undefined ? 'weak-threaded' : 'weak' } = request;
  const recordingCost = extrap === undefined ? 'subtracted' : 'kept';
  const read = await readMeasurements({ paths: request.paths, scaling, recordingCost, ...context });
  const varying = withoutConstants(read.measurements);
  const { parameters, series, fixed } =
    extrap === undefined ? withEnoughValues(varying, request.predict?.[0]) : { ...varying, fixed: [] };
  // Extra-P knows no difference.
  const isAsked = (metric: string): boolean => extrap !== undefined || !isOfRecording(metric);
  const chosen = series.filter(
    ({ metric, callPath }) =>
      (request.metric === undefined ? isAsked(metric) : metric === request.metric) &&
      callPath.includes(request.callPath ?? ''),
  );
  if (chosen.length === 0) throw nothing(request, read.measurements);
  const points = pointsOf(request, parameters, fixed, chosen);
  const names = [...new Set([...parameters, ...read.measurements.parameters, ...read.constants.keys()])];
  const { expected, notes } = expectations(request, names, chosen);
  const modelled =
    request.extrap === undefined ? probable(measure, parameters.length) : asExtrap(measure, request.extrap);
  const wanted =
    request.only === undefined
      ? chosen
      : chosen.filter(({ metric, callPath }) => metric === 'time' || expected(callPath) !== undefined);
  const rows = ranked(
    await modelRows(wanted, (measured, callPath) => modelled(measured, points, expected(callPath)), context),
  );
  const run = request.paths.map((given) => path.basename(path.resolve(given))).join(', ');
  const about = { parameters, measure, scaling, run, point: at(points, 0), places: read.places };
  return {
    ...(extrap === undefined
      ? beyondModels(request, read, {
          varying: varying.parameters,
          parameters,
          fixed,
          rows,
          point: at(points, 0),
        })
      : {}),
    parameters,
    constants: [...read.constants, ...fixed.map(([name, value]) => [name, value] as const)],
    points,
    measure,
    mode: extrap === undefined ? 'probable' : 'extra-p',
    notes: [...fixed.map(([, , why]) => why), ...notes, ...unitNotes(chosen.map(({ metric }) => metric))],
    models: rows,
    properties: extrap === undefined ? modelProperties(rows, about) : [],
    places: read.places,
  };
}

/** @param model of the points of a call path */
async function modelRows(
  series: ParameterMeasurements['series'],
  model: (measured: readonly MeasuredPoint[], callPath: string) => ReturnType<Modelled>,
  context: ModelsContext,
): Promise<readonly ModelRow[]> {
  const rows: ModelRow[] = [];
  for (const { callPath, metric, points: measured } of series) {
    if (rows.length % portion === 0) {
      await turn(context);
      context.progress.report({ message: 'Making models', fraction: rows.length / series.length });
    }
    rows.push({ callPath, metric, measured, ...model(measured, callPath) });
  }
  return rows;
}

interface ModelledStudy {
  /** Parameters that vary in the measurements, and those of the models. */
  readonly varying: readonly string[];
  readonly parameters: readonly string[];
  readonly fixed: ComparableMeasurements['fixed'];
  readonly rows: readonly ModelRow[];
  /** The first point to predict. */
  readonly point: readonly number[];
}

/** What recording costs at the point, and what to measure next for it. */
function beyondModels(
  request: ModelsRequest,
  read: ReadMeasurements,
  { varying, parameters, fixed, rows, point }: ModelledStudy,
): Pick<ModelsReport, 'recording' | 'next'> {
  const values = new Map([
    ...fixed.map(([name, value]) => [name, value] as const),
    ...parameters.map((name, i) => [name, at(point, i)] as const),
  ]);
  // Without a formula along all parameters, only their values can be too few.
  const models = fixed.length === 0 ? rows : [];
  return present({
    recording: recordingReport(request, read, values),
    next: nextOf(read, varying, models, point),
  });
}

function nextOf(
  { study }: ReadMeasurements,
  parameters: readonly string[],
  models: readonly ModelRow[],
  target: readonly number[],
): NextPoint | undefined {
  if (study === undefined) return undefined;
  const points = study.points.map((point) => ({
    coordinates: point.coordinates,
    seconds: point.runs.map(({ spentSeconds }) => spentSeconds),
    failed: point.failure !== undefined,
    isUnfinished: isUnfinished(point, study),
  }));
  return nextPoint({
    parameters,
    points,
    steady: steadyNames(study),
    models: models
      .filter(({ metric }) => metric === 'time')
      .map(({ smape, ...model }) => ({ ...model, miss: smape / 100 })),
    target,
  });
}

/** Undefined when only some call paths are asked for. @param values of parameters at the point */
function recordingReport(
  { callPath, overheadPercent: limit }: ModelsRequest,
  { recorded, measurements }: ReadMeasurements,
  values: ReadonlyMap<string, number>,
): RecordingReport | undefined {
  if (callPath !== undefined || recorded === undefined) return undefined;
  const model = recordingModel(recorded.runs, recorded.pairs);
  const predicted = model?.predict(measurements.parameters.map((name) => values.get(name) ?? NaN));
  if (model === undefined || predicted === undefined) return undefined;
  const { clock, costFactor } = model;
  const leaveOut = limit === undefined ? undefined : tooExpensive(predicted, limit);
  return { ...predicted, clock, costFactor, ...present({ limitPercent: limit, leaveOut }) };
}

/**
 * The expectations of call paths: of the whole text, or of the last region.
 * @param names of parameters: first those that models have, then those that are the same at all points
 */
function expectations(
  { expect = {} }: ModelsRequest,
  names: readonly string[],
  series: ParameterMeasurements['series'],
): { readonly expected: (callPath: string) => Expectation | undefined; readonly notes: readonly string[] } {
  const known = new Map(
    Object.entries(expect).map(([name, text]) => [name, parseExpectation(text, names)] as const),
  );
  const measured = new Set(series.flatMap(({ callPath }) => [callPath, regionsOf(callPath).at(-1) ?? '']));
  return {
    expected: (callPath) => known.get(callPath) ?? known.get(regionsOf(callPath).at(-1) ?? ''),
    notes: [...known.keys()]
      .filter((name) => !measured.has(name))
      .map((name) => `Nothing was measured of “${name}”, for which kymo.json expects a growth.`),
  };
}

type Modelled = (
  measured: readonly MeasuredPoint[],
  points: readonly (readonly number[])[],
  expectation: Expectation | undefined,
) => Omit<ModelRow, 'callPath' | 'metric' | 'measured'>;

function probable(measure: Measure, parameters: number): Modelled {
  const modeler = new GrowthModeler(measure);
  return (measured, points, expectation) => {
    const { probability, ...model } = modeler.model(measured);
    const predictions = points.map(model.predict);
    if (expectation === undefined) return { ...model, predictions };
    const worse = probability((formula) => isWorse(formula, expectation, parameters));
    return { ...model, predictions, expected: { expectation, worse } };
  };
}

function asExtrap(measure: Measure, options: ExtrapOptions): Modelled {
  const modeler = new ExtrapModeler(measure, options);
  const without = probable(measure, 0);
  return (measured, points) => {
    const verdict = dataVerdict(measured, measure);
    // Extra-P ends with an error for some of these, and predicts NaN for others.
    if (verdict?.kind === 'unusable') return without(measured, points, undefined);
    const model = modeler.model(measured);
    const predict = (point: readonly number[]) => ({ value: modelValue(model, point) });
    const fitted =
      verdict?.kind === 'not-enough-data' ? { verdict: { ...verdict, fitted: true as const } } : {};
    const formula = 'formula' in model ? model.formula : at(model.segments, 0).formula;
    return { ...model, formula, ...fitted, predict, predictions: points.map(predict) };
  };
}

function pointsOf(
  { predict = [] }: ModelsRequest,
  parameters: readonly string[],
  fixed: ComparableMeasurements['fixed'],
  series: ParameterMeasurements['series'],
): readonly (readonly number[])[] {
  const measured = series.flatMap(({ points }) => points.map(({ point }) => point));
  if (predict.length === 0) return [farPoint(measured, 10)];
  return predict.map((given) => {
    const unknown = Object.keys(given).find(
      (name) =>
        !parameters.includes(name) && !fixed.some(([same, value]) => same === name && value === given[name]),
    );
    const missing = parameters.find((name) => !Object.hasOwn(given, name));
    if (unknown === undefined && missing === undefined) return parameters.map((name) => given[name] ?? NaN);
    throw new KymoError(
      'usage',
      `A point to predict needs a value of each parameter, and of nothing else: ${[parameters.map((name) => `${name}=…`).join(','), ...fixed.map(([, , why]) => why.replace(/\.$/, ''))].join('. ')}.`,
    );
  });
}

/** By metric, and then by the share of the first prediction. */
function ranked(models: readonly ModelRow[]): readonly ModelRow[] {
  const first = ({ predictions }: ModelRow) => Math.max(0, predictions[0]?.value ?? 0);
  const totals = new Map<string, number>();
  for (const model of models) totals.set(model.metric, (totals.get(model.metric) ?? 0) + first(model));
  const order = [...totals.keys()];
  return models
    .map((model) => {
      const total = totals.get(model.metric) ?? 0;
      return total > 0 && Number.isFinite(total) ? { ...model, share: first(model) / total } : model;
    })
    .sort((a, b) => order.indexOf(a.metric) - order.indexOf(b.metric) || first(b) - first(a));
}

function nothing({ metric, callPath }: ModelsRequest, { series }: ParameterMeasurements): KymoError {
  const metrics = [...new Set(series.map((one) => one.metric))];
  const wanted = [
    ...(metric === undefined ? [] : [`metric “${metric}”`]),
    ...(callPath === undefined ? [] : [`call path with “${callPath}”`]),
  ].join(' and ');
  return new KymoError(
    'no-model',
    wanted === ''
      ? 'There are no measurements.'
      : `There is no ${wanted}. The metrics are: ${metrics.join(', ')}.`,
  );
}
