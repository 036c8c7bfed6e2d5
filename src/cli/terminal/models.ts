import { formatPercent, formatValue } from '../../core/format';
import type { Factor } from '../../core/modeling/formula';
import { formulaText, readableFormula, segmentsText } from '../../core/modeling/formulaText';
import { fractionText } from '../../core/modeling/fraction';
import { verdictText } from '../../core/modeling/verdict';
import { getOrMake } from '../../core/getOrMake';
import { present } from '../../core/present';
import type { ModelRow, ModelsReport } from '../../workflows/models';
import { table } from './table';

/** What `--json` prints of models. */
export function modelsDocument({
  parameters,
  constants,
  points,
  models,
  properties,
  notes,
  measure,
  mode,
}: ModelsReport): unknown {
  return {
    parameters,
    constants: Object.fromEntries(constants),
    measure,
    mode,
    models: models.map((row) => ({
      callPath: row.callPath,
      metric: row.metric,
      formula: textOf(row, parameters),
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
    properties,
    notes,
  };
}

function terms({ constant, terms: all }: ModelRow['formula'], parameters: readonly string[]): object {
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

function textOf({ formula, segments }: ModelRow, parameters: readonly string[]): string {
  return segments === undefined ? formulaText(formula, parameters) : segmentsText(segments, parameters);
}

/** @param most number of rows of each metric */
export function modelsText(report: ModelsReport, most: number): string {
  const { parameters, points, models, constants } = report;
  const [point = []] = points;
  const where = parameters.map((name, i) => `${name} = ${point[i] ?? ''}`).join(', ');
  const metrics = [...new Set(models.map(({ metric }) => metric))];
  return [
    ...(constants.length === 0
      ? []
      : [`Always: ${constants.map(([name, value]) => `${name} = ${value}`).join(', ')}.`, '']),
    ...metrics.flatMap((metric) => {
      const all = models.filter((row) => row.metric === metric);
      const rows = all.filter(({ predictions }) => predictions[0]?.value !== 0);
      const omitted = rows.length - most;
      const zeros = all.length - rows.length;
      return [
        `${metric === '' ? 'Values' : metric}, predicted for ${where}:`,
        '',
        modelTable(rows.slice(0, most), report),
        ...(omitted > 0 ? [`${omitted} more models: --models ${rows.length}`] : []),
        ...(zeros > 0 ? [`${zeros} ${zeros === 1 ? 'call path has' : 'call paths have'} none.`] : []),
        '',
      ];
    }),
    ...report.notes,
    ...report.properties.map(({ title }) => `${title}.`),
    ...remarks(models, parameters),
  ].join('\n');
}

function modelTable(rows: readonly ModelRow[], { parameters, points }: ModelsReport): string {
  const cells = rows.map((row) => {
    const value = (number: number) => formatValue(number, unitOf(row.metric));
    const [prediction] = row.predictions;
    const { low = NaN, high = NaN } = prediction ?? {};
    const range = Number.isFinite(high - low) ? `${value(low)} … ${value(high)}` : '';
    return [
      row.share === undefined ? '' : formatPercent(row.share),
      prediction === undefined ? '' : value(prediction.value),
      range,
      `${row.smape.toFixed(1)} %`,
      readable(row, parameters, value),
      shortPath(row.callPath),
      row.verdict === undefined || row.verdict.kind === 'clear' ? '' : row.verdict.kind,
    ];
  });
  const heads = [
    'share',
    points.length > 1 ? 'first point' : 'predicted',
    '95 % range',
    'SMAPE',
    'model',
    'call path',
    'verdict',
  ];
  return table(heads, cells, 4);
}

function readable(
  { formula, segments }: ModelRow,
  parameters: readonly string[],
  value: (number: number) => string,
): string {
  if (segments === undefined) return readableFormula(formula, parameters, value);
  return segments.map((segment) => readableFormula(segment.formula, parameters, value)).join(', then ');
}

/** What is wrong with models that are not clear, each sentence once. */
function remarks(models: readonly ModelRow[], parameters: readonly string[]): readonly string[] {
  const doubtful = models.filter(({ verdict }) => verdict !== undefined && verdict.kind !== 'clear');
  const byText = new Map<string, string[]>();
  for (const { callPath, verdict } of doubtful)
    if (verdict !== undefined) getOrMake(byText, verdictText(verdict, parameters), () => []).push(callPath);
  const texts = [...byText];
  return [
    ...texts.slice(0, mostRemarks).map(([text, [first = '', ...others]]) => {
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      return `${shortPath(first)}${more}: ${text}`;
    }),
    ...(texts.length > mostRemarks ? [`${texts.length - mostRemarks} more remarks: --json`] : []),
  ];
}

const longestPath = 64;

/** The end of a call path, which tells it from others. */
function shortPath(callPath: string): string {
  return callPath.length <= longestPath ? callPath : `…${callPath.slice(1 - longestPath)}`;
}

const mostRemarks = 10;

/** The unit of metrics whose names say it, as Score-P, Kymo and Cube name them. */
function unitOf(metric: string): string {
  if (/^((min|max)_)?time$/.test(metric)) return 'sec';
  return metric.startsWith('bytes') ? 'bytes' : '';
}
