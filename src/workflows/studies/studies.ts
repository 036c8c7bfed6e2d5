import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { listParameterStudyFolders, listStudyFolders } from '../../measurement/experiments/studies';
import { type LockHolder, studyLockHolder } from '../../measurement/experiments/studyLock';
import { turn, type Cancellable } from '../running/turn';
import { forgetAccepted, readAccepted } from './acceptedFile';
import { readStudy, studyFileName, type StudyFile } from './study';
import type { RefineRound, RefineResult } from './refine.types';
import { readOwnFile, requireOwn } from '../../measurement/files/ownFiles';

/** A refinement or a measurement that is on disk. */
export interface StudySummary {
  readonly target: string;
  readonly study: string;
  /** `study`: a refinement; `measurement`: one round by `kymo measure`. */
  readonly kind: 'study' | 'measurement';
  readonly directory: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** `running`: a live process runs it; `interrupted`: it was stopped and can be resumed; `failed`: an error ended it. */
  readonly state: 'running' | 'complete' | 'interrupted' | 'failed';
  /** If `failed`: the error, one line. */
  readonly failure?: string;
  /** If `running`: the process, which may be one of this window. */
  readonly runBy?: RunBy;
  readonly stopReason?: RefineResult['stopReason'];
  /** Target overhead, percent. */
  readonly targetPercent?: number;
  readonly iterations: readonly RefineRound[];
  /** The round with the accepted selection (`acceptRound`), in at most one study per target. */
  readonly accepted?: number;
}

/** The live process of a study. */
export type RunBy = Omit<LockHolder, 'study'>;

/** All refinements of a workspace, the newest first. */
export async function listStudies(
  workspace: string,
  context: Cancellable = {},
): Promise<readonly StudySummary[]> {
  const folders = await listStudyFolders(workspace);
  const studies = await Promise.all(
    folders.map(async ({ directory }): Promise<StudySummary | undefined> => {
      await turn(context);
      const file = await readStudy(directory);
      if (file === undefined) return undefined;
      const accepted = await readAccepted(path.dirname(directory));
      const runBy = file.state === 'running' ? await runnerOf(directory, file.study) : undefined;
      return {
        target: file.target,
        study: file.study,
        kind: file.kind ?? 'study',
        directory,
        startedAt: file.startedAt,
        state: stateOf(file, runBy),
        iterations: file.iterations,
        ...present({
          runBy,
          stopReason: file.stopReason,
          failure: file.state === 'failed' ? file.failure : undefined,
          targetPercent: file.overheadPercent,
          accepted: accepted?.study === file.study ? accepted.iteration : undefined,
        }),
      };
    }),
  );
  return studies
    .filter((study) => study !== undefined)
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

function stateOf({ state }: StudyFile, runBy: RunBy | undefined): StudySummary['state'] {
  if (state !== 'running') return state;
  return runBy === undefined ? 'interrupted' : 'running';
}

/** The process that runs the study. The lock belongs to the target, so its holder may work on a newer study, or only measure or build. */
export async function runnerOf(directory: string, study: string): Promise<RunBy | undefined> {
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
  /** The error and its fix. */
  readonly message: string;
}

/** Folders that `listStudies` skips, with reasons. */
export async function listDamagedStudies(
  workspace: string,
  context: Cancellable = {},
): Promise<readonly DamagedStudy[]> {
  const folders = await listStudyFolders(workspace);
  const damaged = await Promise.all(
    folders.map(async ({ target, study, directory }): Promise<DamagedStudy | undefined> => {
      await turn(context);
      return (await readStudy(directory)) === undefined
        ? { target, study, directory, message: await whatIsWrong(directory) }
        : undefined;
    }),
  );
  return damaged.filter((study) => study !== undefined);
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

/** Removes a study with all its experiments, even a damaged one; a missing one is no error. */
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
  const workspace = path.resolve(directory, '../../..');
  const folders = [...(await listStudyFolders(workspace)), ...(await listParameterStudyFolders(workspace))];
  return folders.some((entry) => entry.directory === path.resolve(directory));
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
