import { regionsOf } from '../../modeling/regionsOf';
import { at } from '../../at';
import { formatPercent, formatValue } from '../../format';
import type { WeighedFormula } from '../../modeling/choice';
import { formulaValue, type Formula, type Segment } from '../../modeling/formula';
import { growthClass, type GrowthClass } from '../../modeling/growthClass';
import { formulaStyles, modelText, readableFormula, readableModel } from '../../modeling/formulaText';
import type { Measure, MeasuredPoint } from '../../modeling/measurements';
import { metricUnit } from '../../modeling/metricUnit';
import { verdictText, type Verdict } from '../../modeling/verdict';
import { certainEnough } from '../../modeling/scalingProperties';
import { present } from '../../present';
import { ModelMatch } from './modelMatch';
import type { NextPoint } from '../../study/nextPoint';
import type {
  CurvePoint,
  ModelCurve,
  ModelDetail,
  ModelGrid,
  ModelMetric,
  ModelPlane,
  ModelPredictions,
  ModelsHeader,
  ModelTableRow,
} from './modelPieces';

export interface ServedModel {
  readonly callPath: string;
  readonly metric: string;
  readonly formula: Formula;
  readonly segments?: readonly Segment[];
  readonly formulas?: readonly WeighedFormula[];
  readonly verdict?: Verdict;
  readonly noise?: number;
  readonly smape: number;
  readonly ar2: number;
  readonly measured: readonly MeasuredPoint[];
  /** What was expected of its growth, and the probability that it grows faster. */
  readonly expected?: { readonly expectation: { readonly text: string }; readonly worse: number };
  /** Number of call paths that it is the sum of. */
  readonly callPaths?: number;
  readonly predict: (point: readonly number[]) => {
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
  };
}

export interface Served {
  readonly parameters: readonly string[];
  readonly constants: ModelsHeader['constants'];
  readonly points: readonly (readonly number[])[];
  readonly measure: Measure;
  /** Those of a metric are consecutive. */
  readonly models: readonly ServedModel[];
  readonly notes?: readonly string[];
  readonly next?: NextPoint;
}

/** A curve is smooth with this number of values, on linear and on logarithmic axes. */
const curveValues = 96;
/** A prediction of noisy measurements takes up to two milliseconds. */
const planeColumns = 40;
const planeRows = 28;

/** Measurements that others are compared with. */
export interface Partner {
  readonly title: string;
  readonly models: ServedModels;
}

/** The pieces of performance models that a viewer asks for. */
export class ServedModels {
  private readonly match: ModelMatch | undefined;

  constructor(
    readonly id: string,
    private readonly served: Served,
    private readonly partner?: Partner,
  ) {
    this.match = partner && new ModelMatch(served, partner.models.served);
  }

  header(functions: ServedModels): ModelsHeader {
    const { parameters, constants, points, models, notes = [], next } = this.served;
    const values = parameters.map((_, parameter) =>
      ascending(models.flatMap(({ measured }) => measured.map(({ point }) => at(point, parameter)))),
    );
    const compared = this.match && {
      title: this.partner?.title ?? '',
      ...this.match.facts(),
    };
    return {
      id: this.id,
      parameters,
      constants,
      values,
      point: at(points, 0),
      metrics: this.metrics(),
      functions: { id: functions.id, metrics: functions.metrics() },
      notes: [...notes, ...(this.partner?.models.served.notes ?? [])],
      ...present({ compared, next }),
    };
  }

  metrics(): readonly ModelMetric[] {
    return metricsOf(this.served.models);
  }

  rows(first: number, count: number): readonly ModelTableRow[] {
    const { models, parameters } = this.served;
    return models.slice(first, first + count).map((model, position) => {
      const { callPath, smape, verdict, callPaths } = model;
      const growth = growthClass(model, parameters);
      return {
        callPath,
        formula: readableModel(model, parameters, valueIn(model)),
        growth,
        smape,
        ...present({
          verdict: verdict && { kind: verdict.kind, message: verdictText(verdict, parameters) },
          expected: expectedOf(model, growth),
          compared: this.other(first + position, (models, row) => models.formula(row)),
          callPaths,
        }),
      };
    });
  }

  /** @param point a value for each parameter */
  predictions(first: number, count: number, point: readonly number[]): ModelPredictions {
    const chosen = this.served.models.slice(first, first + count);
    const { match } = this;
    const there = match?.pointThere(point) ?? [];
    return {
      ...predictionsOf(chosen.map(({ predict }) => predict(point))),
      ...(match !== undefined && {
        compared: Float64Array.from(
          chosen,
          (_, position) =>
            this.other(
              first + position,
              (models, row) => at(models.served.models, row).predict(there).value,
            ) ?? NaN,
        ),
      }),
    };
  }

  /** @param isCompared of the measurements that these are compared with */
  detail(row: number, point: readonly number[], isCompared = false): ModelDetail | undefined {
    if (isCompared)
      return this.other(row, (models, there) => models.detail(there, this.match?.pointThere(point) ?? []));
    const model = this.served.models[row];
    if (model === undefined) return undefined;
    const { parameters } = this.served;
    const { noise, smape, ar2, formulas = [], measured } = model;
    const [text, python, latex, javascript] = formulaStyles.map((style) =>
      modelText(model, parameters, style),
    );
    return {
      formulas: { text: text ?? '', python: python ?? '', latex: latex ?? '', javascript: javascript ?? '' },
      compared: formulas.map(({ formula, probability }) => ({
        formula: readableFormula(formula, parameters, valueIn(model)),
        probability,
        value: formulaValue(formula, point),
      })),
      smape,
      ar2,
      points: measured.length,
      ...present({ noise }),
    };
  }

  /**
   * The model along a parameter, from its smallest measured value to its largest one or to that of `point`.
   * @param point where the other parameters are fixed
   * @param isCompared as in `detail`
   */
  curve(
    row: number,
    parameter: number,
    point: readonly number[],
    isCompared = false,
  ): ModelCurve | undefined {
    if (isCompared) {
      const there = this.match?.parameterThere(parameter) ?? -1;
      return this.other(row, (models, other) =>
        there < 0 ? undefined : models.curve(other, there, this.match?.pointThere(point) ?? []),
      );
    }
    const model = this.served.models[row];
    if (model === undefined || parameter >= this.served.parameters.length) return undefined;
    const { measured, predict, segments = [] } = model;
    const { values: measuredValues, range } = measuredAlong(model, parameter);
    const [smallest, largest] = range;
    const borders = segments.flatMap(({ from, to }) => [from, to].filter((border) => border !== undefined));
    const end = Math.max(largest, at(point, parameter));
    const values = curveArguments(smallest, end, borders, measuredValues);
    const predicted = predictionsOf(values.map((value) => predict(point.with(parameter, value))));
    return {
      measured: measured
        .filter((one) => isAt(one, point, [parameter]))
        .map((one) => this.curvePoint(one, parameter)),
      range,
      at: Float64Array.from(values),
      ...predicted,
    };
  }

  /**
   * The model over the plane of two parameters, from their smallest measured values to their largest ones or to those of `point`.
   * @param point where the other parameters are fixed
   * @param logarithmic whether cells have equal ratios instead of equal differences; only of positive values
   */
  plane(
    row: number,
    parameters: readonly [horizontal: number, vertical: number],
    point: readonly number[],
    logarithmic: readonly [horizontal: boolean, vertical: boolean],
  ): ModelPlane | undefined {
    const model = this.served.models[row];
    const [one, other] = parameters;
    const { length } = this.served.parameters;
    if (model === undefined || one === other || one >= length || other >= length) return undefined;
    const axis = (parameter: number, isLogarithmic: boolean, count: number) => {
      const { values, range } = measuredAlong(model, parameter);
      const end = Math.max(range[1], at(point, parameter));
      return {
        range,
        stops: Float64Array.from(ascending([...values, end])),
        cells: cellMiddles(range[0], end, isLogarithmic, count),
      };
    };
    const horizontal = axis(one, logarithmic[0], planeColumns);
    const vertical = axis(other, logarithmic[1], planeRows);
    const grid = (columns: Float64Array, rows: Float64Array): ModelGrid => ({
      horizontal: columns,
      vertical: rows,
      ...predictionsOf(
        Array.from(rows).flatMap((y) =>
          Array.from(columns, (x) => model.predict(point.with(one, x).with(other, y))),
        ),
      ),
    });
    return {
      cells: grid(horizontal.cells, vertical.cells),
      stops: grid(horizontal.stops, vertical.stops),
      ranges: [horizontal.range, vertical.range],
      measured: model.measured
        .filter((measured) => isAt(measured, point, parameters))
        .map((measured) => ({
          horizontal: at(measured.point, one),
          vertical: at(measured.point, other),
          value: measured[this.served.measure],
        })),
    };
  }

  private formula(row: number): string {
    const model = at(this.served.models, row);
    return readableModel(model, this.served.parameters, valueIn(model));
  }

  /** Asks the measurements that these are compared with about the same call path; undefined if they do not have it. */
  private other<Answer>(row: number, ask: (models: ServedModels, row: number) => Answer): Answer | undefined {
    const there = this.match?.rowThere(row);
    return there === undefined || this.partner === undefined ? undefined : ask(this.partner.models, there);
  }

  /** The last region of a row's call path. */
  regionOf(row: number): string | undefined {
    const callPath = this.served.models[row]?.callPath;
    return callPath === undefined ? undefined : regionsOf(callPath).at(-1);
  }

  private curvePoint(one: MeasuredPoint, parameter: number): CurvePoint {
    return {
      at: at(one.point, parameter),
      value: one[this.served.measure],
      repetitions: one.values ?? (one.repetitions > 1 ? [one.minimum, one.maximum] : []),
    };
  }
}

/** The measured values of a parameter, and their ends. */
function measuredAlong(
  { measured }: ServedModel,
  parameter: number,
): { readonly values: readonly number[]; readonly range: readonly [number, number] } {
  const values = ascending(measured.map(({ point }) => at(point, parameter)));
  return { values, range: [at(values, 0), at(values, values.length - 1)] };
}

/** Whether a point has the values of another one, except those of some parameters. */
function isAt({ point: own }: MeasuredPoint, point: readonly number[], without: readonly number[]): boolean {
  return own.every((value, parameter) => without.includes(parameter) || value === at(point, parameter));
}

/** The middles of cells that lie side by side between two values. */
function cellMiddles(from: number, to: number, isLogarithmic: boolean, count: number): Float64Array {
  const ratio = to / from;
  return Float64Array.from({ length: count }, (_, cell) => {
    const share = (cell + 0.5) / count;
    return isLogarithmic && from > 0 ? from * ratio ** share : from + share * (to - from);
  });
}

function expectedOf({ expected }: ServedModel, growth: GrowthClass): ModelTableRow['expected'] {
  if (expected === undefined) return undefined;
  const { expectation, worse } = expected;
  const isWorse = worse >= certainEnough;
  const message = isWorse
    ? `It grows with ${growth.text}, and ${expectation.text} is expected (${formatPercent(worse)} certain).`
    : `${expectation.text} is expected; the probability that it grows faster is ${formatPercent(worse)}.`;
  return { isWorse, message };
}

function metricsOf(models: readonly ServedModel[]): readonly ModelMetric[] {
  const metrics: { name: string; unit: string; first: number; count: number }[] = [];
  models.forEach(({ metric }, position) => {
    const last = metrics.at(-1);
    if (last?.name === metric) last.count += 1;
    else metrics.push({ name: metric, unit: metricUnit(metric), first: position, count: 1 });
  });
  return metrics;
}

function predictionsOf(predicted: readonly ReturnType<ServedModel['predict']>[]): ModelPredictions {
  return {
    values: Float64Array.from(predicted, ({ value }) => value),
    low: Float64Array.from(predicted, ({ low = -Infinity }) => low),
    high: Float64Array.from(predicted, ({ high = Infinity }) => high),
  };
}

/** Values of a parameter in equal steps and, for logarithmic axes, in equal ratios; with those that were measured, and those where segments begin and end. */
function curveArguments(
  from: number,
  to: number,
  borders: readonly number[],
  measured: readonly number[],
): readonly number[] {
  const steps = Array.from({ length: curveValues }, (_, step) => step / (curveValues - 1));
  const linear = steps.map((share) => from + share * (to - from));
  const geometric = from > 0 ? steps.map((share) => Math.min(to, from * (to / from) ** share)) : [];
  // Where one segment has ended and the next one has not begun.
  const gaps = borders.slice(1).map((border, position) => (border + at(borders, position)) / 2);
  return ascending(
    [...linear, ...geometric, ...borders, ...gaps, ...measured, to].filter(
      (value) => value >= from && value <= to,
    ),
  );
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function valueIn({ metric }: ServedModel): (value: number) => string {
  return (value) => formatValue(value, metricUnit(metric));
}
