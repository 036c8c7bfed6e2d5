import { getOrMake } from '../../../core/getOrMake';
import type { MeasuredPoint } from '../../../core/modeling/measurements';
import { metricUnit } from '../../../core/modeling/metricUnit';
import { regionsOf } from '../../../core/modeling/regionsOf';
import { pointText } from '../../../core/modeling/scalingProperties';
import { counted, formatCount, formatValue } from '../../../core/format';
import { expectedModels } from '../../../workflows/expectedModels';
import type { ModelRow, ModelsReport } from '../../../workflows/models';
import type { CliContext } from '../../execution/context';
import {
  isOnlyMean,
  modelRows,
  modelsLegend,
  nextText,
  recordingText,
  remarks,
  shortPath,
} from '../../terminal/models/models';
import { propertyRows } from '../../terminal/propertyRows';
import { tableBlock, texts, without, type Block, type Chart, type Section } from '../base/document';
import type { Reported } from '../base/reported';

const mostModels = 15;
const mostCharts = 6;
/** Rows of metrics that are no time. */
const mostOthers = 5;
/** Metrics that Kymo's analyses need, and extremes of single visits; `kymo model` has them. */
const leftOut = /^(kymo|min|max)_/;
/** Fewer show no curve. */
const leastPoints = 3;
/** Places at which a curve is drawn. */
const steps = 60;

/**
 * How functions grow with parameters; undefined for anything but a study over parameters, or a refinement that measured several points.
 * @throws KymoError the errors of models
 */
export async function modelsSection(
  { input, study, parameterStudy }: Reported,
  context: CliContext,
): Promise<Section | undefined> {
  if (parameterStudy === undefined && study?.iterations.at(-1)?.points === undefined) return undefined;
  const report = await expectedModels({ paths: [input], measure: 'mean', predict: [] }, context);
  const { models, parameters, constants, points, notes, properties } = report;
  const shown = models.map(({ metric }) => metric).filter((metric) => !leftOut.test(metric));
  const metrics = [...new Set(['time', ...shown])];
  const [point = []] = points;
  return {
    id: 'models',
    title: 'Models',
    blocks: [
      ...texts(
        constants.length === 0
          ? []
          : [`Always: ${constants.map(([name, value]) => `${name} = ${value}`).join(', ')}.`],
      ),
      ...tableBlock(
        'Findings, the most severe first',
        without(propertyRows(properties), 'kind'),
        properties.map(({ severity = 0 }) => severity),
      ),
      ...metrics.flatMap((metric) => [
        ...metricBlocks(metric, report),
        ...(metric === 'time' ? charts(report, point) : []),
      ]),
      ...texts([
        ...modelsLegend(report),
        ...recordingText(report),
        ...nextText(report),
        ...remarks(models, parameters, 'kymo model '),
      ]),
      ...texts(notes, 'note'),
    ],
  };
}

function metricBlocks(metric: string, report: ModelsReport): readonly Block[] {
  const { models, parameters, points } = report;
  const all = models.filter((row) => row.metric === metric && row.predictions[0]?.value !== 0);
  const shown = all.slice(0, metric === 'time' ? mostModels : mostOthers);
  const what = `${metric === '' ? 'Values' : metric}, predicted for ${pointText(parameters, points[0] ?? [])}`;
  return [
    ...tableBlock(
      all.length > shown.length
        ? `${what}: the first ${shown.length} of ${counted(all.length, 'model')}`
        : what,
      modelRows(shown, report),
    ),
  ];
}

function charts({ models, parameters }: ModelsReport, predicted: readonly number[]): readonly Block[] {
  return models
    .filter((row) => row.metric === 'time' && !isOnlyMean(row) && row.predictions[0]?.value !== 0)
    .flatMap((row) =>
      parameters.flatMap((name, index) => {
        const chart = modelChart(row, { name, index, parameters }, predicted[index]);
        return chart === undefined ? [] : [{ kind: 'chart' as const, chart }];
      }),
    )
    .slice(0, mostCharts);
}

interface Parameter {
  readonly name: string;
  readonly index: number;
  /** All of them. */
  readonly parameters: readonly string[];
}

/** The model along one parameter, where the other ones have the values with the most points. */
function modelChart(row: ModelRow, parameter: Parameter, predicted: number | undefined): Chart | undefined {
  const { name, index } = parameter;
  const points = pointsAlong(row.measured, index);
  const [first] = points;
  if (first === undefined || points.length < leastPoints) return undefined;
  const xs = points.map(({ point }) => point[index] ?? 0);
  const [least, most] = [Math.min(...xs), Math.max(...xs, predicted ?? 0)];
  if (!(least > 0)) return undefined;
  const curve = Array.from({ length: steps + 1 }, (_, step) => {
    const x = least * (most / least) ** (step / steps);
    return { x, ...row.predict(first.point.map((value, other) => (other === index ? x : value))) };
  });
  const unit = metricUnit(row.metric);
  const values = points.map(({ point, mean }) => `${point[index] ?? 0}: ${formatValue(mean, unit)}`);
  const where = otherValues(first.point, parameter);
  const smallest = Math.min(...points.map(({ mean }) => mean), ...curve.map(({ value }) => value));
  // Nothing that is measured or predicted is less; a range may go down to nothing, which such an axis cannot show.
  const floor = smallest > 0 ? smallest / 3 : -Infinity;
  return {
    title: `${regionsOf(row.callPath).at(-1) ?? shortPath(row.callPath)} over ${name}${where}`,
    description: `Measured ${row.metric} by ${name}${where}: ${values.join('; ')}.`,
    x: { label: name, format: formatCount, scale: 'logarithmic' },
    y: {
      label: row.metric,
      format: (value) => formatValue(value, unit),
      scale: smallest > 0 ? 'logarithmic' : 'linear',
    },
    lines: [
      {
        name: 'measured, from the least to the most of the repetitions',
        style: 'points',
        points: points.map(({ point, mean, minimum, maximum }) => ({
          x: point[index] ?? 0,
          y: mean,
          low: Math.max(floor, minimum),
          high: maximum,
        })),
      },
      { name: 'model', style: 'line', points: curve.map(({ x, value }) => ({ x, y: value })) },
      ...(curve.every(({ low, high }) => low === undefined || high === undefined)
        ? []
        : [
            {
              name: '95 % range',
              style: 'band' as const,
              points: curve.map(({ x, value, low = value, high = value }) => ({
                x,
                y: value,
                low: Math.max(floor, low),
                high,
              })),
            },
          ]),
    ],
  };
}

/** The points that differ in this parameter only; of several such rows of points, the longest. */
function pointsAlong(measured: readonly MeasuredPoint[], index: number): readonly MeasuredPoint[] {
  const rows = new Map<string, MeasuredPoint[]>();
  for (const one of measured) {
    const others = one.point.filter((_, position) => position !== index);
    getOrMake(rows, others.join(), () => []).push(one);
  }
  return [...rows.values()].reduce<readonly MeasuredPoint[]>(
    (longest, row) => (row.length > longest.length ? row : longest),
    [],
  );
}

function otherValues(point: readonly number[], { index, parameters }: Parameter): string {
  const others = parameters.flatMap((name, position) =>
    position === index ? [] : [`${name} = ${point[position] ?? ''}`],
  );
  return others.length === 0 ? '' : ` with ${others.join(', ')}`;
}
