import { createHash } from 'node:crypto';
import path from 'node:path';
import { AnalysisPieces } from '../../core/views/analysisPieces';
import type {
  DynamicsHeader,
  MapPiece,
  PropertyRow,
  ReportPiece,
  RuleCheck,
  SeriesDetail,
  SeriesRow,
} from '../../core/views/dynamicsPieces';
import { KymoError } from '../../core/errors';
import { dynamicsReport, type ReportFormat } from '../../formats/dynamics-report';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { experimentTitle, startTime } from '../opened/titles';
import { readStudy } from '../studies/study';
import { contentIdentity, RecentResults } from '../opened/recentResults';
import { runDynamics } from '../dynamics';
import { readLive } from '../studies/liveFile';
import type { DynamicsContext, DynamicsRequest, DynamicsRun } from '../dynamics/dynamics.types';

/** A viewer's request for an analysis of dynamics. Equal requests have equal answers while the inputs do not change. */
export interface DynamicsQuestion {
  readonly request: DynamicsRequest;
  /** Absolute path. */
  readonly workspace: string;
}

/** Id of the analysis; if it has changed, the request fails (`analysis-changed`). */
export interface DynamicsName {
  readonly question: DynamicsQuestion;
  readonly id: string;
}

export interface DynamicsRange extends DynamicsName {
  readonly first: number;
  readonly count: number;
}

/** Overview, before rows and values are requested. */
export interface OpenedDynamics {
  readonly header: DynamicsHeader;
  /** File names of the inputs, or target and experiment. */
  readonly title: string;
  /** Absolute paths of the files read. */
  readonly files: readonly string[];
  /** The study of the experiment, if it belongs to one. */
  readonly studyDirectory?: string;
}

interface Analysis {
  readonly run: DynamicsRun;
  readonly pieces: AnalysisPieces;
  readonly opened: OpenedDynamics;
}

/** The context of a new or repeated analysis. */
type AnalysisContext = Pick<DynamicsContext, 'signal' | 'progress'>;

/** Maximum number of cached analyses: a second one is for comparison, or has the previous settings. */
const mostAnalyses = 2;

const recent = new RecentResults<Analysis>(mostAnalyses);

/**
 * Analyses inputs, or returns the cached analysis of the same inputs.
 * @throws KymoError the errors of `runDynamics`
 */
export async function openDynamics(
  question: DynamicsQuestion,
  context: AnalysisContext,
): Promise<OpenedDynamics> {
  return (await cachedAnalysis(question, context)).opened;
}

export async function dynamicsPropertyRows(
  range: DynamicsRange,
  context: AnalysisContext = {},
): Promise<readonly PropertyRow[]> {
  return (await named(range, context)).pieces.properties(range.first, range.count);
}

export async function dynamicsSeriesRows(
  range: DynamicsRange,
  context: AnalysisContext = {},
): Promise<readonly SeriesRow[]> {
  return (await named(range, context)).pieces.series(range.first, range.count);
}

export async function dynamicsReportRows(
  range: DynamicsRange,
  context: AnalysisContext = {},
): Promise<readonly ReportPiece[]> {
  return (await named(range, context)).pieces.report(range.first, range.count);
}

/** @throws KymoError `no-such-series` */
export async function dynamicsValues(
  name: DynamicsName & { readonly series: number },
  context: AnalysisContext = {},
): Promise<SeriesDetail> {
  return (await named(name, context)).pieces.values(name.series) ?? fail('series');
}

/** @throws KymoError `no-such-map` */
export async function dynamicsMap(
  range: DynamicsRange & { readonly map: number },
  context: AnalysisContext = {},
): Promise<MapPiece> {
  return (await named(range, context)).pieces.map(range.map, range.first, range.count) ?? fail('map');
}

export async function dynamicsTrace(
  name: DynamicsName & { readonly series: number },
  context: AnalysisContext = {},
): Promise<readonly RuleCheck[]> {
  return (await named(name, context)).pieces.trace(name.series);
}

/** The definition of a row's region, as the input names it. */
export async function dynamicsRegion(
  name: DynamicsName & { readonly of: 'property' | 'series' | 'report'; readonly row: number },
  context: AnalysisContext = {},
): Promise<{ readonly name: string; readonly file?: string; readonly line?: number }> {
  return (await named(name, context)).pieces.regionOf(name.of, name.row) ?? fail('row');
}

/** The complete analysis, for reports. */
export async function dynamicsRun(name: DynamicsName, context: AnalysisContext = {}): Promise<DynamicsRun> {
  return (await named(name, context)).run;
}

/**
 * Writes the report as the command line does; tables only with rows of at least `threshold` (0…1).
 * @throws KymoError `write-failed`
 */
export async function saveDynamicsReport(
  given: DynamicsName & {
    readonly format: ReportFormat;
    readonly threshold: number;
    readonly file: string;
  },
  context: AnalysisContext = {},
): Promise<void> {
  const { format, threshold } = given;
  const { result, log } = (await named(given, context)).run;
  const isSevere = ({ severity = 0 }: { readonly severity?: number }): boolean => severity >= threshold;
  const shown = format === 'json' ? result : { ...result, rows: result.rows.filter(isSevere) };
  await writeFileAtomically(given.file, dynamicsReport(shown, log, format));
}

async function named({ question, id }: DynamicsName, context: AnalysisContext): Promise<Analysis> {
  const analysis = await cachedAnalysis(question, context);
  if (analysis.pieces.id !== id)
    throw new KymoError('analysis-changed', 'The run was analysed again, and there are other results now.');
  return analysis;
}

async function cachedAnalysis(question: DynamicsQuestion, context: AnalysisContext): Promise<Analysis> {
  const key = JSON.stringify([question, await Promise.all(question.request.inputs.map(identity))]);
  return recent.get(key, (shared) => analyse(question, { ...context, ...shared }), context);
}

/** A text that changes with a file. For folders it is imprecise: the analysis determines the newest experiment. */
function identity(file: string): Promise<string> {
  return contentIdentity(file).catch(() => '');
}

async function analyse(
  { request, workspace }: DynamicsQuestion,
  context: AnalysisContext,
): Promise<Analysis> {
  const run = await runDynamics(request, { ...context, workspace });
  const id = createHash('sha256').update(JSON.stringify(run.log)).digest('hex').slice(0, 16);
  const pieces = new AnalysisPieces(id, run.result);
  const files = run.log.inputs.map(({ file }) => file);
  const study = await studyOf(files[0]);
  return {
    run,
    pieces,
    opened: {
      header: pieces.header(),
      title: await titleOf(files, study),
      files,
      ...(study === undefined ? {} : { studyDirectory: study }),
    },
  };
}

/** `<study>/i<N>/<experiment>/<file>` */
async function studyOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const study = path.dirname(path.dirname(path.dirname(file)));
  return (await readStudy(study)) === undefined ? undefined : study;
}

/** `tiny · iteration 2 · run 1`, `tiny · measured 2026-11-21 17:05`, `tiny · running`; of other files their names. */
async function titleOf(files: readonly string[], study: string | undefined): Promise<string> {
  const [first = ''] = files;
  const experiment = await readExperiment(path.dirname(first)).catch(() => undefined);
  if (experiment !== undefined && files.length === 1)
    return study === undefined
      ? `${experiment.target} · measured ${startTime(experiment)}`
      : experimentTitle(experiment);
  const live = await readLive(path.dirname(first));
  if (live !== undefined && files.length === 1) return `${live.target} · running`;
  const name = path.basename(first);
  const shown = /^(profile\.cubex|iterations\.kymo)$/.test(name)
    ? `${path.basename(path.dirname(first))}/${name}`
    : name;
  return files.length === 1 ? shown : `${shown} and ${files.length - 1} more`;
}

function fail(what: 'series' | 'map' | 'row'): never {
  throw new KymoError(`no-such-${what}`, `The analysis has no such ${what}. Show it again.`);
}
