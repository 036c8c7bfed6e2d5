import { createHash } from 'node:crypto';
import path from 'node:path';
import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import {
  predictedShares,
  type ModelCurve,
  type ModelDetail,
  type ModelPlane,
  type ModelPredictions,
  type ModelsHeader,
  type ModelTableRow,
} from '../../core/views/models/modelPieces';
import { functionModels } from '../../core/views/models/functionModels';
import { ServedModels, type Served } from '../../core/views/models/servedModels';
import { modelExport, type ModelExport } from '../../formats/model-exports';
import { modelDocument } from '../../formats/model-exports/document';
import { writeFileAtomically } from '../../measurement/files/disk';
import type { ModelsReport, ModelsRequest } from '../models';
import { expectedModels } from '../expectedModels';
import { RecentResults } from '../opened/recentResults';
import type { Cancellable } from '../running/turn';

/** A viewer's request for models. */
export interface ModelsQuestion {
  readonly request: ModelsRequest;
  /** Other measurements, whose models are shown beside these: as `paths` of the request. */
  readonly compared?: readonly string[];
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
  /** Of the measurements that these are compared with. */
  readonly isCompared?: boolean;
}

export interface OpenedModels {
  readonly header: ModelsHeader;
  /** Names of the inputs. */
  readonly title: string;
}

interface Made {
  readonly report: ModelsReport;
  readonly paths: ServedModels;
  readonly functions: ServedModels;
}

/** What was made, and the part of it that a request names. */
interface Named extends Made {
  readonly served: ServedModels;
}

interface ModelsContext extends Cancellable {
  readonly progress: ProgressSink;
}

export const savedModelFormats = ['csv', 'json', 'python', 'latex', 'javascript'] as const;

const recent = new RecentResults<Made>(1);

/** Makes models, or returns those that were made for the same question. @throws KymoError the errors of `makeModels` */
export async function openModels(question: ModelsQuestion, context: ModelsContext): Promise<OpenedModels> {
  const { paths, functions } = await made(question, context);
  return { header: paths.header(functions), title: inputTitle(question.request.paths) };
}

/** Names of inputs: `study-1 and 2 more`. */
export function inputTitle([first = '', ...more]: readonly string[]): string {
  return `${path.basename(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
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
  return served.detail(given.row, checked(given.point, report), given.isCompared) ?? unknownModel();
}

/** @throws KymoError `no-such-model` */
export async function modelCurve(
  given: ModelAtPoint & { readonly parameter: number },
  context: ModelsContext,
): Promise<ModelCurve> {
  const { report, served } = await named(given, context);
  const { row, parameter, point, isCompared } = given;
  return served.curve(row, parameter, checked(point, report), isCompared) ?? unknownModel();
}

/** @throws KymoError `no-such-model` */
export async function modelPlane(
  given: ModelAtPoint & {
    readonly parameters: readonly [number, number];
    readonly logarithmic: readonly [boolean, boolean];
  },
  context: ModelsContext,
): Promise<ModelPlane> {
  const { report, served } = await named(given, context);
  const { row, parameters, point, logarithmic } = given;
  return served.plane(row, parameters, checked(point, report), logarithmic) ?? unknownModel();
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

function savedText({ report, paths }: Made, point: readonly number[], format: 'json' | ModelExport): string {
  if (format !== 'json') return modelExport(report.models, report.parameters, format);
  const predictions = report.models.map((model) => model.predict(point));
  const shares = paths.metrics().flatMap(({ first, count }) => {
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

async function named({ question, id }: ModelsName, context: ModelsContext): Promise<Named> {
  const all = await made(question, context);
  const served = [all.paths, all.functions].find((candidate) => candidate.id === id);
  if (served !== undefined) return { ...all, served };
  throw new KymoError('models-changed', 'The models were made again, and are other ones now.');
}

function made(question: ModelsQuestion, context: ModelsContext): Promise<Made> {
  return recent.get(
    JSON.stringify(question),
    async (shared) => {
      const { request, compared } = question;
      const report = await expectedModels(request, { ...context, ...shared });
      const other =
        compared && (await expectedModels({ ...request, paths: compared }, { ...context, ...shared }));
      const facts = [report, ...(other === undefined ? [] : [other])].map(({ models }) =>
        models.map(({ callPath, metric, formula, smape }) => [callPath, metric, formula, smape]),
      );
      const id = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
      const title = inputTitle(compared ?? []);
      const serve = (name: string, of: (report: ModelsReport) => Served): ServedModels =>
        other === undefined
          ? new ServedModels(name, of(report))
          : new ServedModels(name, of(report), { title, models: new ServedModels(name, of(other)) });
      const byFunction = (one: ModelsReport): Served => ({
        ...one,
        models: functionModels(one.models, one.measure),
      });
      return {
        report,
        paths: serve(id, (one) => one),
        functions: serve(`${id}-functions`, byFunction),
      };
    },
    context,
  );
}

function unknownModel(): never {
  throw new KymoError('no-such-model', 'There is no such model any more. Show the models again.');
}
