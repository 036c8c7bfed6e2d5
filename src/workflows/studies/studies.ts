import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Base } from '../../core/functions/base';
import type { SiteKind } from '../../core/cost/pairCost';
import type { Rule } from '../../core/selection/selection';
import { listStudyFolders } from '../../measurement/experiments/studies';
import { type LockHolder, studyLockHolder } from '../../measurement/experiments/studyLock';
import { forgetAccepted, readAccepted } from './acceptedFile';
import { readStudy, studyFileName } from './study';
import type { RefineIteration, RefineResult } from './refine.types';
import { readOwnFile, requireOwn } from '../../measurement/files/ownFiles';

/** A refinement that is on disk. */
export interface StudySummary {
  readonly target: string;
  readonly study: string;
  readonly directory: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** `running`: by a live process; `interrupted`: it was stopped and can be gone on with. */
  readonly state: 'running' | 'complete' | 'interrupted';
  /** Of `running`: the process that refines it, which may be one of this window. */
  readonly runBy?: RunBy;
  readonly stopReason?: RefineResult['stopReason'];
  /** The target for the overhead, percent. */
  readonly targetPercent?: number;
  readonly iterations: readonly RefineIteration[];
  /** The iteration whose selection is the target's own (`acceptIteration`); of one study per target at most. */
  readonly accepted?: number;
  /** What a profile is called that is shown in place of a study; `directory` is its file then. Never set for a study on disk. */
  readonly profile?: string;
}

/** A live process. */
export type RunBy = Omit<LockHolder, 'study'>;

/** What is known of one function after the last iteration of a study. */
export interface FunctionReport {
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string;
  /** Absolute. */
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly selected: boolean;
  /** Absent: not known when the selection was made. */
  readonly rule?: Rule;
  /** A sentence. */
  readonly reason: string;
  readonly hasSite: boolean;
  /** Why it has none, where that is not that it was inlined: what follows its name in a sentence. */
  readonly notRecorded?: string;
  /** Some of its copies were inlined where nothing records them: what is measured is of the others. */
  readonly inlinedToo?: true;
  /** Kind of the site; absent: it has none, or the study is older than this. */
  readonly site?: SiteKind;
  /** Over all threads and processes. */
  readonly visits?: number;
  /** About one in so many visits is timed, and the rest counted; absent: all are timed. */
  readonly timedOneIn?: number;
  /** Shares (0…1) of `base`; the run time for a study of an earlier version, which has none. */
  readonly inclusiveShare?: number;
  readonly exclusiveShare?: number;
  /** The run, clock and time that the shares are of. */
  readonly base?: Base;
  /** They are of an earlier iteration: the last one did not record the function. */
  readonly earlier?: true;
  /** Waiting in it and in what it calls, which no share contains. */
  readonly waitingSeconds?: number;
  /** Predicted cost of recording it: visits × calibrated pair, percent of the run time. */
  readonly overheadPercent?: number;
  /** Positions in this table of the functions that call it; at most 50. */
  readonly callers?: readonly number[];
  /** It runs, and is not recorded: positions of the nearest recorded callers, whose time holds its own; at most 50. */
  readonly timeIn?: readonly number[];
  /** It is recorded, and its time holds that of these, which are not; what most probably matters first. */
  readonly contains?: ContainedFunctions;
  /** It is worth recording and has no site. */
  readonly missed?: true;
}

export interface ContainedFunctions {
  readonly count: number;
  /** Positions in the table, at most 50. */
  readonly functions: readonly number[];
}

export const functionsFileName = 'functions.json';

/** All refinements of a workspace, the newest first. */
export async function listStudies(workspace: string): Promise<readonly StudySummary[]> {
  const folders = await listStudyFolders(workspace);
  const studies = await Promise.all(
    folders.map(async ({ directory }): Promise<StudySummary | undefined> => {
      const file = await readStudy(directory);
      if (file === undefined) return undefined;
      const accepted = await readAccepted(path.dirname(directory));
      const runBy = file.state === 'running' ? await runnerOf(directory, file.study) : undefined;
      return {
        target: file.target,
        study: file.study,
        directory,
        startedAt: file.startedAt,
        state: file.state === 'complete' ? 'complete' : runBy === undefined ? 'interrupted' : 'running',
        ...(runBy === undefined ? {} : { runBy }),
        ...(file.stopReason === undefined ? {} : { stopReason: file.stopReason }),
        ...(file.overheadPercent === undefined ? {} : { targetPercent: file.overheadPercent }),
        iterations: file.iterations,
        ...(accepted?.study === file.study ? { accepted: accepted.iteration } : {}),
      };
    }),
  );
  return studies
    .filter((study) => study !== undefined)
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** Who refines the study. The lock is the target's, so its holder may work on a newer study, or only measure or build. */
async function runnerOf(directory: string, study: string): Promise<RunBy | undefined> {
  const holder = await studyLockHolder(path.dirname(directory));
  if (holder?.study !== study) return undefined;
  const { pid, host, since } = holder;
  return { pid, host, since };
}

/** A study folder whose `study.json` is missing or damaged. */
export interface DamagedStudy {
  readonly target: string;
  readonly study: string;
  readonly directory: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Folders of studies that `listStudies` leaves out, so that nobody wonders where they went. */
export async function listDamagedStudies(workspace: string): Promise<readonly DamagedStudy[]> {
  const folders = await listStudyFolders(workspace);
  const damaged = await Promise.all(
    folders.map(async ({ target, study, directory }): Promise<DamagedStudy | undefined> =>
      (await readStudy(directory)) === undefined
        ? { target, study, directory, message: await whatIsWrong(directory) }
        : undefined,
    ),
  );
  return damaged.filter((one) => one !== undefined);
}

async function whatIsWrong(directory: string): Promise<string> {
  const file = path.join(directory, studyFileName);
  const why = await readOwnFile(file).then(
    (text) => {
      try {
        JSON.parse(text);
        return 'it is no study of this version';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return `${file} cannot be read: ${why}. The profiles in the folder may still be good; delete it when they are not needed.`;
}

/**
 * The functions of a study: what was decided of each, and what was measured.
 * @throws KymoError `study-invalid` when the folder holds none
 */
export async function functionReport(studyDirectory: string): Promise<readonly FunctionReport[]> {
  const file = path.join(studyDirectory, functionsFileName);
  try {
    const value: unknown = JSON.parse(await readOwnFile(file));
    if (isFunctionsFile(value)) return value.functions;
    throw new Error('it has another shape');
  } catch (cause) {
    throw new KymoError(
      'study-invalid',
      `${studyDirectory} holds no finished iteration (${cause instanceof Error ? cause.message : String(cause)}). Run "kymo refine" again.`,
      { file },
      { cause },
    );
  }
}

/** Removes a study with all its experiments, also a damaged one; one that is gone already is what was wanted. */
export async function deleteStudy(studyDirectory: string): Promise<void> {
  requireOwn(studyDirectory);
  if (!(await exists(studyDirectory))) return;
  if (!(await isStudyFolder(studyDirectory)))
    throw new KymoError('study-invalid', `${studyDirectory} is not a study; nothing was removed.`, {
      file: studyDirectory,
    });
  await forgetAccepted(studyDirectory);
  await rm(studyDirectory, { recursive: true, force: true });
}

async function isStudyFolder(directory: string): Promise<boolean> {
  if ((await readStudy(directory)) !== undefined) return true;
  const folders = await listStudyFolders(path.resolve(directory, '../../..'));
  return folders.some((entry) => entry.directory === path.resolve(directory));
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function isFunctionsFile(value: unknown): value is { readonly functions: readonly FunctionReport[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { kymoFunctions?: unknown }).kymoFunctions === 1 &&
    Array.isArray((value as { functions?: unknown }).functions) &&
    (value as { functions: readonly unknown[] }).functions.every(isFunctionReport)
  );
}

/** What every reader relies on; the numbers may be missing. */
function isFunctionReport(value: unknown): value is FunctionReport {
  if (typeof value !== 'object' || value === null) return false;
  const { key, name, selected, reason, hasSite, file, line } = value as Partial<
    Record<keyof FunctionReport, unknown>
  >;
  return (
    [key, name, reason].every((text) => typeof text === 'string') &&
    [selected, hasSite].every((flag) => typeof flag === 'boolean') &&
    (file === undefined || typeof file === 'string') &&
    (line === undefined || typeof line === 'number')
  );
}
