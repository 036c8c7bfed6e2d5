import { at } from '../../core/at';
import { farPoint } from '../../core/modeling/choice';
import type { Measure } from '../../core/modeling/measurements';
import type { FunctionPlace, Scaling } from '../../core/modeling/profilesAsMeasurements';
import { scalingProperties, type ModelledFunction } from '../../core/modeling/scalingProperties';
import { present } from '../../core/present';
import { regionsOf } from '../../core/modeling/regionsOf';
import type { Property } from '../../core/properties/property';
import { functionModels } from '../../core/views/models/functionModels';
import type { ServedModel } from '../../core/views/models/servedModels';

/** A property with the last line of its function, if known. */
export interface PlacedProperty extends Property {
  readonly endLine?: number;
}

interface AboutModels {
  readonly parameters: readonly string[];
  readonly measure: Measure;
  readonly scaling: Scaling;
  /** The point to predict. */
  readonly point: readonly number[];
  /** Name of the study, or of the files. */
  readonly run: string;
  readonly places: ReadonlyMap<string, FunctionPlace>;
}

const valuesOf: Readonly<Record<Scaling, string>> = {
  weak: 'mean of all ranks and threads',
  'weak-threaded': 'mean of the ranks and threads that take part',
  strong: 'sum of all ranks and threads',
};

/** What models show of functions. */
export function modelProperties(
  models: readonly ServedModel[],
  about: AboutModels,
): readonly PlacedProperty[] {
  if (models.length === 0) return [];
  const { parameters, measure, point, run, scaling, places } = about;
  const largest = largestPoint(models);
  const functions = functionModels(models, measure);
  const predicted = sharesOf(functions, (model) => model.predict(point).value);
  const measured = sharesOf(functions, (model) => measuredAt(model, largest, measure));
  const callPaths = new Map(models.map(({ callPath }) => [regionsOf(callPath).at(-1), callPath]));
  const modelled = functions.map((model): ModelledFunction => {
    const { callPath: name, callPaths: count = 1, ...rest } = model;
    const { file, line } = places.get(name) ?? {};
    return {
      ...rest,
      region: { name, ...present({ file, line }) },
      points: model.measured.length,
      callPaths: count,
      prediction: model.predict(point),
      ...present({
        share: predicted(model),
        measuredShare: measured(model),
        callPath: count === 1 ? callPaths.get(name) : undefined,
      }),
    };
  });
  const study = { parameters, point, largest, run, values: valuesOf[scaling] };
  return scalingProperties(modelled, study).map((property) => ({
    ...property,
    ...present({ endLine: places.get(property.region?.name ?? '')?.endLine }),
  }));
}

/** The measured point with the largest values. */
function largestPoint(models: readonly ServedModel[]): readonly number[] {
  const points = models.flatMap(({ measured }) => measured.map(({ point }) => point));
  const most = farPoint(points, 1);
  const size = (point: readonly number[]): number =>
    point.reduce((sum, value, i) => sum + value / (at(most, i) || 1), 0);
  return points.reduce((largest, point) => (size(point) > size(largest) ? point : largest));
}

function measuredAt({ measured }: ServedModel, wanted: readonly number[], measure: Measure): number {
  return measured.find(({ point }) => point.every((value, i) => value === wanted[i]))?.[measure] ?? 0;
}

/** Shares in the sum over all functions of the metric; undefined without a sum. Negative values count as 0. */
function sharesOf(
  functions: readonly ServedModel[],
  valueOf: (model: ServedModel) => number,
): (model: ServedModel) => number | undefined {
  const values = new Map(functions.map((model) => [model, Math.max(0, valueOf(model))]));
  const totals = new Map<string, number>();
  for (const [{ metric }, value] of values) totals.set(metric, (totals.get(metric) ?? 0) + value);
  return (model) => {
    const total = totals.get(model.metric) ?? 0;
    return total > 0 && Number.isFinite(total) ? (values.get(model) ?? 0) / total : undefined;
  };
}
