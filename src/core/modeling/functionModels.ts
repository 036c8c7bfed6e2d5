import { formatSeconds } from '../format';
import { getOrMake } from '../getOrMake';
import { present } from '../present';
import type { Aggregation } from '../selection/modelOptions';
import type { GrowthModeler, GrowthModel } from './choice';
import { isWorse, type Expectation } from './expectations';
import { readableModel } from './formulaText';
import type { MeasuredPoint } from './measurements';
import type { Verdict } from './verdict';

/** Computing time and visits of a call path at the points of a study. */
export interface CallPathSeries {
  /** Of the function that the call path ends in. */
  readonly key: string;
  readonly seconds: readonly MeasuredPoint[];
  readonly visits: readonly MeasuredPoint[];
}

/** What the model of a call path says of a point that was not measured. */
export interface CallPathModel {
  readonly key: string;
  readonly formula: string;
  readonly isConstant: boolean;
  /** Why the prediction cannot be relied on; absent: it can. */
  readonly doubt?: Verdict['kind'];
  /** Predicted and largest measured seconds and visits. */
  readonly seconds: Extrapolated;
  readonly visits: Extrapolated;
  /** Probability that it grows faster than a limit; absent without one, and for models in doubt. */
  readonly faster?: number;
}

interface Extrapolated {
  /** Undefined where the model cannot be relied on. */
  readonly predicted: number | undefined;
  readonly measured: number;
}

/** What the models of a function's call paths say together. */
export interface FunctionModel {
  readonly seconds: number;
  readonly visits: number;
  /** Of the call path with the most time, and the number of the others. */
  readonly formula: string;
  readonly otherPaths: number;
  /** All call paths have constant models. */
  readonly isConstant: boolean;
  /** Of the call path with the most time: its prediction is its largest measured time, grown as its visits or as the program. */
  readonly doubt?: Verdict['kind'];
  /** The largest probability of a call path. */
  readonly faster?: number;
}

/** The models of a program at one point. */
export interface ModelledProgram {
  readonly functions: ReadonlyMap<string, FunctionModel>;
  /** Predicted seconds of all functions. */
  readonly totalSeconds: number;
  /** Predicted by measured time of the program. */
  readonly growth: number;
}

/** @param limit the growth that `faster` is about */
export function callPathModel(
  modeler: GrowthModeler,
  { key, seconds, visits }: CallPathSeries,
  point: readonly number[],
  parameters: readonly string[],
  limit?: Expectation,
): CallPathModel {
  const model = modeler.model(seconds);
  const doubt = doubtOf(model);
  const faster =
    limit === undefined || doubt !== undefined
      ? undefined
      : model.probability((formula) => isWorse(formula, limit, parameters.length));
  return {
    key,
    formula: readableModel(model, parameters, formatSeconds),
    isConstant: model.segments === undefined && model.formula.terms.length === 0,
    seconds: extrapolated(model, seconds, point),
    visits: extrapolated(modeler.model(visits), visits, point),
    ...present({ doubt, faster }),
  };
}

/** Two regimes predict by the second one, and an ambiguous model by the more probable formula: both describe what was measured. */
const reliable: ReadonlySet<Verdict['kind']> = new Set<Verdict['kind']>([
  'clear',
  'two-regimes',
  'ambiguous',
]);

function doubtOf({ verdict: { kind } }: GrowthModel): Verdict['kind'] | undefined {
  return reliable.has(kind) ? undefined : kind;
}

/** The value at a point of a model; where it cannot be relied on, the largest measured value times a growth. */
export function extrapolated(
  model: GrowthModel,
  measured: readonly MeasuredPoint[],
  point: readonly number[],
): Extrapolated {
  const value = model.predict(point).value;
  const isReliable = doubtOf(model) === undefined && Number.isFinite(value);
  return {
    predicted: isReliable ? Math.max(0, value) : undefined,
    measured: measured.reduce((most, { mean }) => Math.max(most, mean), 0),
  };
}

export function valueWith(growth: number, { predicted, measured }: Extrapolated): number {
  return predicted ?? growth * measured;
}

/**
 * By function. Where the model of a call path cannot be relied on, its largest time is taken to grow as its visits do, or as the program, whichever is more:
 * the function with the most time is often the one with the most noise, and the few others say nothing about its growth.
 * @param program the time of runs of the whole program; without a model that can be relied on, the reliable call paths stand for it
 */
export function combineModels(
  paths: readonly CallPathModel[],
  aggregation: Aggregation,
  program?: Extrapolated,
): ModelledProgram {
  const growth = growthOf(program) ?? growthOf(...paths.map(({ seconds }) => seconds)) ?? 1;
  const byKey = new Map<string, CallPathModel[]>();
  for (const one of paths) getOrMake(byKey, one.key, () => []).push(one);
  const functions = new Map([...byKey].map(([key, own]) => [key, combined(own, growth, aggregation)]));
  const totalSeconds = [...functions.values()].reduce((sum, { seconds }) => sum + seconds, 0);
  return { functions, totalSeconds, growth };
}

/** Predicted by measured values of those that can be relied on, together. */
function growthOf(...values: readonly (Extrapolated | undefined)[]): number | undefined {
  let [predicted, measured] = [0, 0];
  for (const value of values) {
    if (value?.predicted === undefined) continue;
    predicted += value.predicted;
    measured += value.measured;
  }
  return measured > 0 ? predicted / measured : undefined;
}

function combined(paths: readonly CallPathModel[], growth: number, aggregation: Aggregation): FunctionModel {
  const seconds = paths.map((one) => valueWith(Math.max(growth, growthOf(one.visits) ?? 0), one.seconds));
  const main = paths[seconds.indexOf(Math.max(...seconds))];
  const probabilities = paths.flatMap(({ faster }) => (faster === undefined ? [] : [faster]));
  return {
    seconds: aggregate(seconds, aggregation),
    // Each visit is recorded, however times are aggregated.
    visits: paths.reduce((sum, one) => sum + valueWith(growth, one.visits), 0),
    formula: main?.formula ?? '',
    otherPaths: paths.length - 1,
    isConstant: paths.every(({ isConstant, doubt }) => isConstant && doubt === undefined),
    ...present({ doubt: main?.doubt }),
    ...(probabilities.length === 0 ? {} : { faster: Math.max(...probabilities) }),
  };
}

function aggregate(values: readonly number[], aggregation: Aggregation): number {
  const sum = values.reduce((total, value) => total + value, 0);
  switch (aggregation) {
    case 'sum':
      return sum;
    case 'average':
      return sum / values.length;
    case 'maximum':
      return Math.max(...values);
    case 'first':
      return values[0] ?? 0;
  }
}
