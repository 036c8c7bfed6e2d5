import { createHash } from 'node:crypto';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { isRecord, present } from '../../core/present';
import type { Target } from '../../measurement/config/config';
import { writeFileAtomically } from '../../measurement/files/disk';
import { listStudyFolders, studyDirectory } from '../../measurement/experiments/studies';
import { lockStudy, type StudyLock } from '../../measurement/experiments/studyLock';
import type { RefineRound, RefineResult } from './refine.types';
import { makeOwnFolder, readOwnFile } from '../../measurement/files/ownFiles';

export const studyFileName = 'study.json';

/** `study.json`: a refinement and its progress. Rewritten as a whole after each round. */
export interface StudyFile {
  readonly kymoStudy: 1;
  /** `measurement`: `kymo measure` wrote it, as a study of one round; absent: a refinement. */
  readonly kind?: 'measurement';
  readonly target: string;
  readonly study: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly state: 'running' | 'complete' | 'failed';
  /** Hash of all settings that decide what the study measures, without the program itself. */
  readonly fingerprint: string;
  /** Build id of the executable with sites, hex; empty until it is built. */
  readonly buildId: string;
  readonly buildSeconds: number;
  /** Target overhead, percent. Absent in studies of earlier versions. */
  readonly overheadPercent?: number;
  readonly stopReason?: RefineResult['stopReason'];
  /** With `failed`: the error that ended it, one line. Absent in studies of earlier versions. */
  readonly failure?: string;
  readonly iterations: readonly RefineRound[];
  /** Number of the final selection if no round measured it; its folder `i<N>` then has only the selection. */
  readonly finalIteration?: number | undefined;
  /** What the refinement says of the overhead of its final selection, and of idle patch points, as `RefineResult`. Absent in studies of earlier versions. */
  readonly verdict?: RefineResult['verdict'] | undefined;
  readonly offCost?: RefineResult['offCost'] | undefined;
  readonly vanilla?: RefineResult['vanilla'] | undefined;
}

/** A study that this process writes. */
export interface OpenStudy {
  readonly directory: string;
  /** The file as read from disk on resuming. */
  readonly file: StudyFile;
  readonly resumed: boolean;
  save(file: StudyFile): Promise<void>;
  /** Ends the study in this state, without a way to resume it, and begins a new one. */
  replaced(end: StudyFile): Promise<OpenStudy>;
  close(): Promise<void>;
}

/** `stopped`: resume the last study of the target if it was stopped and measures the same; `last`: require that study, complete or not. */
export type GoOn = 'never' | 'stopped' | 'last';

/**
 * Resumes the last study of the target, or begins a new one.
 * @throws KymoError `study-locked` if another process is refining this target; with `last` `study-missing`, `study-outdated`
 */
export async function openStudy(options: {
  readonly workspace: string;
  readonly target: Target;
  readonly fingerprint: string;
  readonly goOn: GoOn;
}): Promise<OpenStudy> {
  const { workspace, target, fingerprint, goOn } = options;
  // A target has one refinement at a time, because several would overwrite each other's builds.
  const targetLock = await lockStudy(path.dirname(studyDirectory(workspace, target.name, 'x')));
  try {
    const begin = (): Promise<OpenStudy> => begunStudy(workspace, target, fingerprint, targetLock);
    const last = goOn === 'never' ? undefined : await lastStudy(workspace, target.name);
    if (goOn === 'last') {
      const { directory, file } = requireSame(target.name, fingerprint, last);
      return await openedStudy({ directory, file, resumed: true }, targetLock, begin);
    }
    if (last?.file.state === 'running' && last.file.fingerprint === fingerprint)
      return await openedStudy({ ...last, resumed: true }, targetLock, begin);
    return await begin();
  } catch (error) {
    await targetLock.release();
    throw error;
  }
}

/**
 * Begins a measurement: a study of one round, which no refinement continues.
 * @throws KymoError `study-locked` when another process works on this target
 */
export async function openMeasurement(workspace: string, target: Target): Promise<OpenStudy> {
  const lock = await lockStudy(path.dirname(studyDirectory(workspace, target.name, 'x')));
  try {
    return await begunStudy(workspace, target, '', lock, 'measurement');
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function begunStudy(
  workspace: string,
  target: Target,
  fingerprint: string,
  lock: StudyLock,
  kind?: StudyFile['kind'],
): Promise<OpenStudy> {
  const startedAt = new Date().toISOString();
  const study = await newStudyName(
    workspace,
    target.name,
    kind === undefined ? 'refine' : 'measure',
    startedAt,
  );
  const directory = studyDirectory(workspace, target.name, study);
  const file: StudyFile = {
    kymoStudy: 1,
    ...present({ kind }),
    target: target.name,
    study,
    startedAt,
    state: 'running',
    fingerprint,
    overheadPercent: target.refinement.overheadPercent,
    buildId: '',
    buildSeconds: 0,
    iterations: [],
  };
  await makeOwnFolder(path.join(directory, 'i0'));
  await saveStudy(directory, file);
  const again = (): Promise<OpenStudy> => begunStudy(workspace, target, fingerprint, lock);
  return openedStudy({ directory, file, resumed: false }, lock, again);
}

type LastStudy = Awaited<ReturnType<typeof lastStudy>>;

function requireSame(target: string, fingerprint: string, last: LastStudy): Exclude<LastStudy, undefined> {
  if (last === undefined || last.file.iterations.length === 0)
    throw new KymoError(
      'study-missing',
      `${target} has no study with a finished round to continue. Refine it first.`,
    );
  if (last.file.fingerprint === fingerprint) return last;
  throw new KymoError(
    'study-outdated',
    `${last.file.study} was measured with other settings of ${target} (kymo.json or options), so another round could not be compared with its own. Refine again: that begins a new study.`,
    { file: last.directory },
  );
}

async function openedStudy(
  study: Pick<OpenStudy, 'directory' | 'file' | 'resumed'>,
  lock: StudyLock,
  begin: () => Promise<OpenStudy>,
): Promise<OpenStudy> {
  const { directory, file } = study;
  await lock.nameStudy(file.study);
  return {
    ...study,
    save: (changed) => saveStudy(directory, changed),
    replaced: async (end) => {
      await saveStudy(directory, end);
      return begin();
    },
    close: () => lock.release(),
  };
}

/** `study.json` of a folder, or undefined if there is no readable one. */
export async function readStudy(directory: string): Promise<StudyFile | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(path.join(directory, studyFileName)));
    return isStudyFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The settings that must be equal to resume a study: the target as configured, and the refinement's settings except for its length. */
export function studyFingerprint(target: Target, rest: Readonly<Record<string, unknown>>): string {
  return createHash('sha256')
    .update(
      JSON.stringify([{ ...target, refinement: withoutLimits(target.refinement), study: undefined }, rest]),
    )
    .digest('hex')
    .slice(0, 16);
}

function withoutLimits(refinement: Target['refinement']): object {
  const { strategy, base, mode, overheadPercent, imbalance, model } = refinement;
  return {
    strategy,
    ...(strategy === 'agor' ? { base } : {}),
    mode,
    overheadPercent,
    ...(strategy === 'imbalance' ? { imbalance } : {}),
    ...(strategy === 'model' ? { model } : {}),
  };
}

async function lastStudy(
  workspace: string,
  target: string,
): Promise<{ readonly directory: string; readonly file: StudyFile } | undefined> {
  const folders = (await listStudyFolders(workspace)).filter((entry) => entry.target === target);
  const studies = await Promise.all(
    folders.map(async ({ directory }) => ({ directory, file: await readStudy(directory) })),
  );
  return studies
    .flatMap(({ directory, file }) =>
      file === undefined || file.kind === 'measurement' ? [] : [{ directory, file }],
    )
    .sort((a, b) => b.file.startedAt.localeCompare(a.file.startedAt))[0];
}

/** A name from the start time in seconds; a further study in the same second gets a number. */
async function newStudyName(
  workspace: string,
  target: string,
  prefix: string,
  startedAt: string,
): Promise<string> {
  const stem = `${prefix}-${startedAt.slice(0, 19).replace(/[:]/g, '-')}`;
  const taken = new Set(
    (await listStudyFolders(workspace)).filter((e) => e.target === target).map((e) => e.study),
  );
  let name = stem;
  for (let n = 2; taken.has(name); n++) name = `${stem}-${n}`;
  return name;
}

async function saveStudy(directory: string, file: StudyFile): Promise<void> {
  await writeFileAtomically(path.join(directory, studyFileName), `${JSON.stringify(file, undefined, 2)}\n`);
}

function isStudyFile(value: unknown): value is StudyFile {
  if (typeof value !== 'object' || value === null) return false;
  const file = value as Partial<Record<keyof StudyFile, unknown>>;
  return (
    file.kymoStudy === 1 &&
    (file.kind === undefined || file.kind === 'measurement') &&
    typeof file.target === 'string' &&
    typeof file.study === 'string' &&
    typeof file.startedAt === 'string' &&
    typeof file.fingerprint === 'string' &&
    typeof file.buildId === 'string' &&
    typeof file.state === 'string' &&
    hasJudgement(file) &&
    Array.isArray(file.iterations) &&
    file.iterations.every(isRound)
  );
}

/** Whether what a refinement says of its overhead can be shown, if it is there. */
function hasJudgement({ verdict, offCost, vanilla }: Partial<Record<keyof StudyFile, unknown>>): boolean {
  return (
    [verdict, offCost, vanilla].every((part) => part === undefined || isRecord(part)) &&
    (!isRecord(verdict) || typeof verdict.sentence === 'string')
  );
}

const roundNumbers = [
  'index',
  'instrumented',
  'executed',
  'visits',
  'medianSeconds',
  'baselineSeconds',
  'overheadPercent',
  'changed',
] as const satisfies readonly (keyof RefineRound)[];

function isRound(value: unknown): value is RefineRound {
  if (typeof value !== 'object' || value === null) return false;
  const iteration = value as Partial<Record<keyof RefineRound, unknown>>;
  return (
    roundNumbers.every((name) => typeof iteration[name] === 'number') &&
    ['number', 'undefined'].includes(typeof iteration.noisePercent) &&
    (iteration.runs === undefined || (Number.isInteger(iteration.runs) && Number(iteration.runs) > 0))
  );
}
