import { regionsOf } from '../modeling/regionsOf';
import { at } from '../at';
import { formatValue } from '../format';
import type { WeighedFormula } from '../modeling/choice';
import { formulaValue, type Formula, type Segment } from '../modeling/formula';
import { formulaStyles, modelText, readableFormula, readableModel } from '../modeling/formulaText';
import type { Measure, MeasuredPoint } from '../modeling/measurements';
import { metricUnit } from '../modeling/metricUnit';
import { verdictText, type Verdict } from '../modeling/verdict';
import { present } from '../present';
import type {
  CurvePoint,
  ModelCurve,
  ModelDetail,
  ModelMetric,
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

interface Served {
  readonly parameters: readonly string[];
  readonly constants: ModelsHeader['constants'];
  readonly points: readonly (readonly number[])[];
  readonly measure: Measure;
  /** Those of a metric are consecutive. */
  readonly models: readonly ServedModel[];
}

/** A curve is smooth with this number of values, on linear and on logarithmic axes. */
const curveValues = 96;

/** The pieces of performance models that a viewer asks for. */
export class ServedModels {
  constructor(
    readonly id: string,
    private readonly served: Served,
  ) {}

  header(): ModelsHeader {
    const { parameters, constants, points, models } = this.served;
    const values = parameters.map((_, parameter) =>
      ascending(models.flatMap(({ measured }) => measured.map(({ point }) => at(point, parameter)))),
    );
    return { id: this.id, parameters, constants, values, point: at(points, 0), metrics: metricsOf(models) };
  }

  rows(first: number, count: number): readonly ModelTableRow[] {
    const { models, parameters } = this.served;
    return models.slice(first, first + count).map((model) => {
      const { callPath, smape, verdict } = model;
      const judged = verdict && { kind: verdict.kind, message: verdictText(verdict, parameters) };
      return {
        callPath,
        formula: readableModel(model, parameters, valueIn(model)),
        smape,
        ...present({ verdict: judged }),
      };
    });
  }

  /** @param point a value for each parameter */
  predictions(first: number, count: number, point: readonly number[]): ModelPredictions {
    return predictionsOf(this.served.models.slice(first, first + count).map(({ predict }) => predict(point)));
  }

  detail(row: number, point: readonly number[]): ModelDetail | undefined {
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
   */
  curve(row: number, parameter: number, point: readonly number[]): ModelCurve | undefined {
    const model = this.served.models[row];
    if (model === undefined || parameter >= this.served.parameters.length) return undefined;
    const { measured, predict, segments = [] } = model;
    const measuredValues = ascending(measured.map((one) => at(one.point, parameter)));
    const [smallest, largest] = [at(measuredValues, 0), at(measuredValues, measuredValues.length - 1)];
    const borders = segments.flatMap(({ from, to }) => [from, to].filter((border) => border !== undefined));
    const end = Math.max(largest, at(point, parameter));
    const values = curveArguments(smallest, end, borders, measuredValues);
    const predicted = predictionsOf(values.map((value) => predict(point.with(parameter, value))));
    return {
      measured: measured
        .filter((one) => one.point.every((value, other) => other === parameter || value === at(point, other)))
        .map((one) => this.curvePoint(one, parameter)),
      range: [smallest, largest],
      at: Float64Array.from(values),
      ...predicted,
    };
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
