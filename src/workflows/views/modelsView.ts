import { createHash } from 'node:crypto';
import path from 'node:path';
import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import {
  predictedShares,
  type ModelCurve,
  type ModelDetail,
  type ModelPredictions,
  type ModelsHeader,
  type ModelTableRow,
} from '../../core/views/modelPieces';
import { ServedModels } from '../../core/views/servedModels';
import { modelExport, type ModelExport } from '../../formats/model-exports';
import { modelDocument } from '../../formats/model-exports/document';
import { writeFileAtomically } from '../../measurement/files/disk';
import { makeModels, type ModelsReport, type ModelsRequest } from '../models';
import { RecentResults } from '../opened/recentResults';
import type { Cancellable } from '../running/turn';

/** A viewer's request for models. */
export interface ModelsQuestion {
  readonly request: ModelsRequest;
  /** Another number makes the models again: measurements may have been added. */
  readonly revision: number;
}

/** Id of the models; if it has changed, the request fails (`models-changed`). */
export interface ModelsName {
  readonly question: ModelsQuestion;
  readonly id: string;
}

export interface ModelsRange extends ModelsName {
  readonly first: number;
  readonly count: number;
}

/** One model, and a value for each parameter. */
interface ModelAtPoint extends ModelsName {
  readonly row: number;
  readonly point: readonly number[];
}

export interface OpenedModels {
  readonly header: ModelsHeader;
  /** Names of the inputs. */
  readonly title: string;
}

interface Made {
  readonly report: ModelsReport;
  readonly served: ServedModels;
}

interface ModelsContext extends Cancellable {
  readonly progress: ProgressSink;
}

export const savedModelFormats = ['csv', 'json', 'python', 'latex', 'javascript'] as const;

const recent = new RecentResults<Made>(1);

/** Makes models, or returns those that were made for the same question. @throws KymoError the errors of `makeModels` */
export async function openModels(question: ModelsQuestion, context: ModelsContext): Promise<OpenedModels> {
  const { served } = await made(question, context);
  const [first = '', ...more] = question.request.paths;
  const title = `${path.basename(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return { header: served.header(), title };
}

export async function modelRows(
  range: ModelsRange,
  context: ModelsContext,
): Promise<readonly ModelTableRow[]> {
  return (await named(range, context)).served.rows(range.first, range.count);
}

export async function modelPredictions(
  range: ModelsRange & { readonly point: readonly number[] },
  context: ModelsContext,
): Promise<ModelPredictions> {
  const { report, served } = await named(range, context);
  return served.predictions(range.first, range.count, checked(range.point, report));
}

/** @throws KymoError `no-such-model` */
export async function modelDetail(given: ModelAtPoint, context: ModelsContext): Promise<ModelDetail> {
  const { report, served } = await named(given, context);
  return served.detail(given.row, checked(given.point, report)) ?? unknownModel();
}

/** @throws KymoError `no-such-model` */
export async function modelCurve(
  given: ModelAtPoint & { readonly parameter: number },
  context: ModelsContext,
): Promise<ModelCurve> {
  const { report, served } = await named(given, context);
  return served.curve(given.row, given.parameter, checked(given.point, report)) ?? unknownModel();
}

/** The last region of a row's call path. @throws KymoError `no-such-model` */
export async function modelRegion(
  given: ModelsName & { readonly row: number },
  context: ModelsContext,
): Promise<string> {
  return (await named(given, context)).served.regionOf(given.row) ?? unknownModel();
}

/** Writes all models as the command line does. @throws KymoError `write-failed` */
export async function saveModels(
  given: ModelsName & {
    readonly format: (typeof savedModelFormats)[number];
    readonly point: readonly number[];
    readonly file: string;
  },
  context: ModelsContext,
): Promise<void> {
  const models = await named(given, context);
  const point = checked(given.point, models.report);
  await writeFileAtomically(given.file, savedText(models, point, given.format));
}

function savedText({ report, served }: Made, point: readonly number[], format: 'json' | ModelExport): string {
  if (format !== 'json') return modelExport(report.models, report.parameters, format);
  const predictions = report.models.map((model) => model.predict(point));
  const shares = served.header().metrics.flatMap(({ first, count }) => {
    const values = Float64Array.from(predictions.slice(first, first + count), ({ value }) => value);
    return [...(predictedShares(values) ?? values.fill(NaN))];
  });
  const models = report.models.map((model, position) => {
    const [prediction, share] = [at(predictions, position), at(shares, position)];
    return { ...model, predictions: [prediction], share };
  });
  return `${JSON.stringify(modelDocument({ ...report, points: [point], models }), undefined, 2)}\n`;
}

function checked(point: readonly number[], { parameters }: ModelsReport): readonly number[] {
  if (point.length === parameters.length) return point;
  throw new KymoError('usage', `A point needs a value of each parameter: ${parameters.join(', ')}.`);
}

async function named({ question, id }: ModelsName, context: ModelsContext): Promise<Made> {
  const models = await made(question, context);
  if (models.served.id !== id)
    throw new KymoError('models-changed', 'The models were made again, and are other ones now.');
  return models;
}

function made(question: ModelsQuestion, context: ModelsContext): Promise<Made> {
  return recent.get(
    JSON.stringify(question),
    async (shared) => {
      const report = await makeModels(question.request, { ...context, ...shared });
      const facts = report.models.map(({ callPath, metric, formula, smape }) => [
        ...[callPath, metric, formula, smape],
      ]);
      const id = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
      return { report, served: new ServedModels(id, report) };
    },
    context,
  );
}

function unknownModel(): never {
  throw new KymoError('no-such-model', 'There is no such model any more. Show the models again.');
}
