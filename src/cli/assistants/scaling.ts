import { KymoError } from '../../core/errors';
import { growthText, readableModel } from '../../core/modeling/formulaText';
import { metricUnit } from '../../core/modeling/metricUnit';
import { verdictText } from '../../core/modeling/verdict';
import { formatValue } from '../../core/format';
import { shareOf } from '../../core/functions/share';
import { present } from '../../core/present';
import { functionModels } from '../../core/views/models/functionModels';
import { pointText } from '../../core/modeling/scalingProperties';
import { expectedModels } from '../../workflows/expectedModels';
import type { ModelsReport } from '../../workflows/models';
import { newestParameterStudy } from '../../workflows/models/newestParameterStudy';
import { listParameterStudies } from '../../workflows/study/listParameterStudies';
import { findingAnswer, percent, placeText } from './answers';
import { nothing } from './results';
import type { ServedFolder } from './servedFolder';
import { Inputs, inputs, tool, type ToolContext } from './tool';

interface ScalingArguments {
  readonly target?: string;
  readonly result?: string;
  readonly metric?: string;
  readonly predict?: Readonly<Record<string, number>>;
  readonly most?: number;
}

export const scaling = tool(
  {
    name: 'scaling',
    title: 'Does it scale?',
    description:
      'How the time of each function grows with the parameters of a study (problem size, ranks p, threads t): formula, growth such as O(n · log₂ n), the value predicted for a larger run and its 95 % range, how far the model can be relied on, and functions that grow faster than kymo.json expects.',
    readOnly: true,
  },
  new Inputs<ScalingArguments>({
    target: inputs.target,
    result: inputs.result('a study over parameters; default: the newest'),
    metric: inputs.text('default: time; others are visits and those that list_results and the profiles name'),
    predict: {
      type: 'object',
      description:
        'point to predict: a number for each parameter of the study; default: ten times the largest measured values',
      maxProperties: 20,
      additionalProperties: { type: 'number', exclusiveMinimum: 0, maximum: 1e18 },
    },
    most: inputs.most,
  }),
  async ({ most = 10, metric = 'time', predict, ...which }, context) => {
    const { served, signal, progress } = context;
    const directory = await studyOf(which, context);
    const request = { paths: [directory], metric, ...(predict === undefined ? {} : { predict: [predict] }) };
    const report = await expectedModels(request, { signal, progress });
    const models = modelAnswers(report, served);
    const worse = report.properties.filter(({ kind }) => kind !== 'growth');
    return {
      result: served.shown(directory),
      parameters: report.parameters,
      ...(report.constants.length === 0 ? {} : { always: Object.fromEntries(report.constants) }),
      predictedFor: pointText(report.parameters, report.points[0] ?? []),
      metric,
      models: models.slice(0, most),
      ...(models.length > most ? { moreModels: models.length - most } : {}),
      ...(worse.length === 0
        ? {}
        : { findings: worse.slice(0, most).map((one) => findingAnswer(one, served)) }),
      ...present({ measureNext: report.next }),
      notes: report.notes,
    };
  },
);

/** @throws KymoError `no-result` */
async function studyOf(
  { target, result }: Pick<ScalingArguments, 'target' | 'result'>,
  context: ToolContext,
): Promise<string> {
  const { served, signal } = context;
  if (result !== undefined) return served.existing(result);
  const newest =
    target === undefined
      ? await newestParameterStudy(served.folder, { signal })
      : (await listParameterStudies(served.folder, { signal })).studies.find(
          (one) => one.target === target && one.done > 1,
        )?.directory;
  if (newest === undefined) throw await nothing(context, target, 'study');
  return served.existing(newest);
}

/** One for each function, those with the largest predicted value first. */
function modelAnswers(report: ModelsReport, served: ServedFolder): readonly object[] {
  const { parameters, measure, points, places } = report;
  const [point] = points;
  if (point === undefined) throw new KymoError('no-model', 'There is no point to predict.');
  const models = functionModels(report.models, measure)
    .map((model) => ({ model, prediction: model.predict(point) }))
    .sort((a, b) => b.prediction.value - a.prediction.value);
  const total = models.reduce((sum, { prediction }) => sum + Math.max(0, prediction.value), 0);
  return models.map(({ model, prediction: { value, low, high } }) => {
    const { callPath: name, metric, formula, segments, verdict, expected, smape, measured } = model;
    const unit = metricUnit(metric);
    const isMean = verdict?.kind === 'unusable' || verdict?.kind === 'not-enough-data';
    const terms = formula.terms.map(({ factors }) => factors);
    return {
      function: name,
      place: placeText(places.get(name) ?? {}, served),
      ...(isMean
        ? {}
        : {
            growth: `O(${terms.length === 0 ? '1' : growthText(terms, parameters)})`,
            formula: readableModel({ formula, ...present({ segments }) }, parameters, (number) =>
              formatValue(number, unit),
            ),
            predicted: formatValue(value, unit),
            ...(low === undefined || high === undefined || !Number.isFinite(high - low)
              ? {}
              : { range95: `${formatValue(low, unit)} … ${formatValue(high, unit)}` }),
            percentOfPredicted: percent(shareOf(value, { seconds: total })),
            meanErrorPercent: smape,
          }),
      measuredPoints: measured.length,
      ...(verdict === undefined || verdict.kind === 'clear'
        ? {}
        : { doubt: verdictText(verdict, parameters) }),
      ...(expected === undefined
        ? {}
        : {
            expected: expected.expectation.text,
            growsFasterWithProbabilityPercent: percent(expected.worse),
          }),
    };
  });
}
