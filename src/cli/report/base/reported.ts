import { stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { hasTime } from '../../../core/profile/metrics';
import { makeContext, type PropertyInput } from '../../../core/problems/context/makeContext';
import type { PropertyContext } from '../../../core/problems/context/propertyContext';
import {
  isRound,
  listExperiments,
  listParameterStudyFolders,
  listStudyFolders,
} from '../../../measurement/experiments/studies';
import { fileError } from '../../../measurement/files/explainFileError';
import { resultsFolder } from '../../../measurement/files/ownFiles';
import { asMeasured } from '../../../workflows/studies/profileOrigin';
import { readStudy, type StudyFile } from '../../../workflows/studies/study';
import type { CompleteExperiment } from '../../../workflows/studies/typicalExperiment';
import { readParameterStudy, type ParameterStudyFile } from '../../../workflows/study/parameterStudyFile';
import type { CliContext } from '../../execution/context';
import { targetFolder } from '../../terminal/dynamics/dynamicsInputs';
import { readProfileInput, type ProfileInput } from '../../arguments/inputs';

/** What a report is about. */
export interface Reported {
  /** Absolute path: the folder of a study, a round or a run, or a profile. */
  readonly input: string;
  /** A refinement or a measurement as a whole. */
  readonly study?: StudyFile;
  readonly parameterStudy?: ParameterStudyFile;
  /** The typical run of it; absent for a study over parameters. */
  readonly run?: ReportedRun;
}

export interface ReportedRun extends ProfileInput {
  /** The profile as all analyses take it. */
  readonly measured: PropertyInput;
  /** Absent: the profile has no time. */
  readonly context?: PropertyContext;
  /** All runs of its round, with and without recording; empty for a profile that no study measured. */
  readonly round: readonly CompleteExperiment[];
}

/**
 * What is at the path; without one, the newest study of the target.
 * @throws KymoError `no-results`, `usage` for what no report can be made of, and the errors of reading
 */
export async function reportedAt(given: string | undefined, context: CliContext): Promise<Reported> {
  const input = await inputOf(given, context);
  const parameterStudy = await readParameterStudy(input);
  if (parameterStudy !== undefined) return { input, parameterStudy };
  const study = await readStudy(input);
  return { input, run: await runOf(input), ...(study === undefined ? {} : { study }) };
}

async function inputOf(given: string | undefined, context: CliContext): Promise<string> {
  const input = given === undefined ? await targetFolder(context) : path.resolve(given);
  const facts = await stat(input).catch((error: unknown) => {
    throw given === undefined ? noResults(input) : fileError(given, 'read', error);
  });
  if (!facts.isDirectory()) {
    if (input.toLowerCase().endsWith('.cubex')) return input;
    throw new KymoError(
      'usage',
      `There is no report on “${String(given)}”: give the folder of a study, a round or a run, or a .cubex file.`,
      { file: input },
    );
  }
  const isTarget = path.basename(path.dirname(input)) === resultsFolder;
  return isTarget ? newestOf(input) : input;
}

/** The study of a target that changed last, of those with a result. */
async function newestOf(target: string): Promise<string> {
  const workspace = path.dirname(path.dirname(target));
  const all = [...(await listStudyFolders(workspace)), ...(await listParameterStudyFolders(workspace))]
    .filter(({ directory }) => path.dirname(directory) === target)
    .sort((a, b) => b.changedAt - a.changedAt);
  for (const { directory } of all) if (await hasResult(directory)) return directory;
  throw noResults(target);
}

/** False for a damaged one. */
async function hasResult(directory: string): Promise<boolean> {
  const parameterStudy = await readParameterStudy(directory).catch(() => undefined);
  if (parameterStudy !== undefined) return parameterStudy.points.some(({ runs }) => runs.length > 0);
  return ((await readStudy(directory))?.iterations.length ?? 0) > 0;
}

function noResults(target: string): KymoError {
  return new KymoError(
    'no-results',
    `${target} has no finished measurement to report on. Run “kymo refine”, “kymo measure” or “kymo study” first.`,
    { file: target },
  );
}

async function runOf(input: string): Promise<ReportedRun> {
  const read = await readProfileInput(input);
  const measured = asMeasured(read.profile, read.origin);
  return {
    ...read,
    measured,
    ...(hasTime(read.profile) ? { context: makeContext(measured) } : {}),
    round: await roundOf(path.dirname(read.file)),
  };
}

async function roundOf(experiment: string): Promise<readonly CompleteExperiment[]> {
  const round = path.dirname(experiment);
  if (!isRound(path.basename(round))) return [];
  return (await listExperiments(path.dirname(round))).flatMap((entry) =>
    entry.kind === 'complete' && path.dirname(entry.directory) === round ? [entry] : [],
  );
}
