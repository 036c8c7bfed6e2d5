import path from 'node:path';
import { JsonSchema } from '../../core/jsonSchema';
import { KymoError } from '../../core/errors';
import type { PlannedRun } from '../../core/study/order';
import type { StudyCoordinates, StudyDesign } from '../../core/study/points';
import { parameterStudyFileName } from '../../measurement/experiments/studies';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readOwnFile } from '../../measurement/files/ownFiles';
import schema from './parameterStudy.schema.json';

/** Of a study, with runs in pairs. */
export const pairFolder = 'baseline';

/** `parameter-study.json`: the plan of a study over parameters, and what of it is measured. Rewritten as a whole after each run. */
export interface ParameterStudyFile {
  readonly kymoParameterStudy: 1;
  readonly target: string;
  readonly study: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Whether functions are recorded, or the program is built without Kymo and only its run time is measured. */
  readonly variant: 'measured' | 'vanilla';
  /** Hash of all settings that decide what is measured at a point, without the program itself. */
  readonly fingerprint: string;
  /** Build id of the program, and id of what is recorded; empty until it is built. */
  readonly buildId: string;
  readonly selection: string;
  readonly design: StudyDesign;
  readonly repetitions: number;
  /** Determines the order of the runs. */
  readonly seed: number;
  readonly ranksName?: string;
  readonly threadsName?: string;
  /** Parameters that are a text and the same everywhere; files of earlier versions lack them. */
  readonly constants?: Readonly<Record<string, string>>;
  readonly points: readonly PointState[];
  /** The run that is being made; of an earlier process if none writes the study. */
  readonly current?: PlannedRun | undefined;
  /** Runs with and without recording at one point: they show what recording a visit costs in this program. */
  readonly pairs?: readonly StudyPair[];
}

/** Two runs of a point; names of their folders in `baseline`. */
export interface StudyPair {
  readonly coordinates: StudyCoordinates;
  readonly baseline: string;
  readonly measured: string;
}

export interface PointState {
  readonly coordinates: StudyCoordinates;
  /** False: an earlier command measured it, and the last one did not name it. */
  readonly planned: boolean;
  /** Number of runs that were asked of this point in place of the study's number. */
  readonly repetitions?: number;
  /** Complete runs. */
  readonly runs: readonly StudyRun[];
  /** The run that failed; no further ones are made at the point. */
  readonly failure?: PointFailure;
}

export interface StudyRun {
  /** From 1. */
  readonly repetition: number;
  /** Name of its folder in that of the study. */
  readonly folder: string;
  readonly wallSeconds: number;
  /** With all that belongs to the run: starting it, and reading its results. */
  readonly spentSeconds: number;
}

export interface PointFailure {
  readonly repetition: number;
  /** Of the `KymoError`. */
  readonly reason: string;
  readonly message: string;
}

export type PointStanding = 'done' | 'failed' | 'remaining';

export function standingOf(point: PointState, repetitions: number): PointStanding {
  if (point.failure !== undefined) return 'failed';
  return point.runs.length >= repetitionsOf(point, repetitions) ? 'done' : 'remaining';
}

/** Number of runs that a point of a study gets. @param repetitions those of the study */
export function repetitionsOf(point: PointState, repetitions: number): number {
  return point.repetitions ?? repetitions;
}

export function isUnfinished(point: PointState, { repetitions }: ParameterStudyFile): boolean {
  return point.planned && standingOf(point, repetitions) === 'remaining';
}

/** Names of the numbers of ranks and threads. */
export function steadyNames({
  ranksName,
  threadsName,
}: Pick<ParameterStudyFile, 'ranksName' | 'threadsName'>): ReadonlySet<string> {
  return new Set([ranksName, threadsName].filter((name) => name !== undefined));
}

export function saveParameterStudy(directory: string, file: ParameterStudyFile): Promise<void> {
  return writeFileAtomically(
    path.join(directory, parameterStudyFileName),
    `${JSON.stringify(file, undefined, 1)}\n`,
  );
}

/**
 * The study in a folder.
 * @returns undefined if the folder has no such file
 * @throws KymoError `study-invalid` for a damaged one, and one of a newer version
 */
export async function readParameterStudy(directory: string): Promise<ParameterStudyFile | undefined> {
  const file = path.join(directory, parameterStudyFileName);
  const text = await readOwnFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, `it is not valid JSON (${String(cause)})`);
  }
  if (parameterStudy.describes(value)) return value;
  const { place, rule } = parameterStudy.mistake;
  throw invalid(
    file,
    place === '/kymoParameterStudy' ? 'a newer Kymo wrote it' : `its content${place} ${rule}`,
  );
}

const parameterStudy = new JsonSchema<ParameterStudyFile>(schema);

function invalid(file: string, why: string): KymoError {
  return new KymoError(
    'study-invalid',
    `${file} cannot be used: ${why}. The profiles beside it may still be good; use --fresh to measure again.`,
    { file },
  );
}
