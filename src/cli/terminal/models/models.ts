import { formatPercent, formatSeconds, formatValue } from '../../../core/format';
import { readableModel } from '../../../core/modeling/formulaText';
import { pointText } from '../../../core/modeling/scalingProperties';
import { metricUnit } from '../../../core/modeling/metricUnit';
import { verdictMeanings, verdictText } from '../../../core/modeling/verdict';
import { recordingSentence, tooExpensiveSentence } from '../../../core/modeling/recording/recordingWords';
import { regionsOf } from '../../../core/modeling/regionsOf';
import { foldTemplates } from '../../../core/names/foldTemplates';
import { unqualifiedName } from '../../../core/names/unqualifiedName';
import { getOrMake } from '../../../core/getOrMake';
import type { ModelRow, ModelsReport } from '../../../workflows/models';
import { pointName } from '../../../core/study/texts';
import { rowsText, type Rows } from '../table';

/** @param most number of rows of each metric */
export function modelsText(report: ModelsReport, most: number): string {
  const { parameters, points, models, constants } = report;
  const [point = []] = points;
  const where = pointText(parameters, point);
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
        ...(rows.length === 0 ? [] : [rowsText(modelRows(rows.slice(0, most), report))]),
        ...(omitted > 0 ? [`${omitted} more models: --models ${rows.length}`] : []),
        ...(zeros > 0 ? [`${zeros} ${zeros === 1 ? 'call path has' : 'call paths have'} none.`] : []),
        '',
      ];
    }),
    ...modelsLegend(report),
    ...recordingText(report),
    ...nextText(report),
    ...(points.length > 1
      ? [
          `The other ${points.length === 2 ? 'point is' : `${points.length - 1} points are`} in the output of --json.`,
        ]
      : []),
    ...report.notes,
    // How functions grow is in the table.
    ...report.properties.filter(({ kind }) => kind !== 'growth').map(({ title }) => `${title}.`),
    ...remarks(models, parameters),
  ].join('\n');
}

/** What the columns and the verdicts that occur mean. */
export function modelsLegend({ parameters, constants, models }: ModelsReport): readonly string[] {
  const kinds = new Set(models.flatMap(({ verdict }) => verdict?.kind ?? []));
  const names = new Set([...parameters, ...constants.map(([name]) => name)]);
  const letters = [
    ...(names.has('p') ? ['p: number of ranks.'] : []),
    ...(names.has('t') ? ['t: number of threads.'] : []),
  ];
  const columns = [
    'Predicted: at ten times the largest measured values, or at the point of --predict.',
    '95 % range: where the value lies with this probability, if the program goes on as it did.',
    'SMAPE: mean distance of the measured points from the formula (0 %: they lie on it).',
  ];
  const verdicts = [...kinds].flatMap((kind) =>
    kind === 'clear' ? [] : [`${kind}: ${verdictMeanings[kind]}.`],
  );
  return models.every(({ predictions }) => predictions[0]?.value === 0)
    ? []
    : [[...columns, ...letters].join(' '), ...verdicts, ''];
}

/** The point to measure next, and how. */
export function nextText({ next }: ModelsReport): readonly string[] {
  if (next === undefined) return [];
  const where = pointName(next.coordinates);
  const seconds =
    next.expectedSeconds === undefined ? '' : `, about ${formatSeconds(next.expectedSeconds)} of runs`;
  return [
    `Measure next: ${where}${seconds} (kymo study --next, with the options of the study). ${next.why}`,
    '',
  ];
}

/** What recording costs at the predicted point, and which functions cause it. */
export function recordingText({ recording, parameters, points }: ModelsReport): readonly string[] {
  if (recording === undefined) return [];
  const { clock, limitPercent, leaveOut } = recording;
  const [point = []] = points;
  const place = parameters.map((name, i) => `${name} = ${point[i] ?? ''}`).join(', ');
  return [
    recordingSentence(place, recording, clock),
    ...(limitPercent === undefined || leaveOut === undefined
      ? []
      : [tooExpensiveSentence(leaveOut, limitPercent)]),
    '',
  ];
}

/** A row for each model. */
export function modelRows(rows: readonly ModelRow[], { parameters, points }: ModelsReport): Rows {
  const cells = rows.map((row) => {
    const value = (number: number) => formatValue(number, metricUnit(row.metric));
    const [prediction] = row.predictions;
    const { low = NaN, high = NaN } = prediction ?? {};
    const range = Number.isFinite(high - low) ? `${value(low)} … ${value(high)}` : '';
    const isMean = isOnlyMean(row);
    return [
      row.share === undefined || isMean ? '' : formatPercent(row.share),
      prediction === undefined || isMean ? '' : value(prediction.value),
      range,
      `${row.smape.toFixed(1)} %`,
      `${isMean ? 'mean ' : ''}${readableModel(row, parameters, value)}`,
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
  return { heads, cells, numbers: 4 };
}

/** The mean of what was measured, which is no prediction, stands in the place of a formula. */
export function isOnlyMean({ verdict }: ModelRow): boolean {
  return verdict?.kind === 'unusable' || (verdict?.kind === 'not-enough-data' && verdict.fitted !== true);
}

/** What is wrong with models that are not clear, each sentence once. @param command what prints all, where that is not the one at hand */
export function remarks(
  models: readonly ModelRow[],
  parameters: readonly string[],
  command = '',
): readonly string[] {
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
    ...(texts.length > mostRemarks ? [`${texts.length - mostRemarks} more remarks: ${command}--json`] : []),
  ];
}

const longestPath = 64;
/** Of a last function with a longer name, what tells it from others: where it begins, and the end of its parameters. */
const ends = { first: 40, last: 23 };

/** The end of a call path, which tells it from others: the last function as it is called, and the names of its callers as far as there is room. */
export function shortPath(callPath: string): string {
  const callers = [...regionsOf(callPath)];
  const last = callers.pop() ?? '';
  if (last.length > longestPath) return `${last.slice(0, ends.first)}…${last.slice(-ends.last)}`;
  let path = last;
  for (let name = callers.pop(); name !== undefined; name = callers.pop()) {
    const longer = `${unqualifiedName(foldTemplates(name))}->${path}`;
    if (longer.length > longestPath) return `…->${path}`;
    path = longer;
  }
  return path;
}

const mostRemarks = 10;
