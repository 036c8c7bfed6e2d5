import { createHash, randomInt } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { coordinatesKey } from '../../core/study/points';
import type { Target } from '../../measurement/config/config';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { studyDirectory } from '../../measurement/experiments/studies';
import { lockStudy, type StudyLock } from '../../measurement/experiments/studyLock';
import { makeOwnFolder } from '../../measurement/files/ownFiles';
import {
  isUnfinished,
  parameterStudyFileName,
  readParameterStudy,
  saveParameterStudy,
  type ParameterStudyFile,
  type PointState,
} from './parameterStudyFile';
import type { StudyPlan } from './planStudy';

export interface StudyToOpen {
  readonly workspace: string;
  readonly target: Target;
  readonly plan: StudyPlan;
  readonly variant: ParameterStudyFile['variant'];
  /** Begin a new study, also when the last one could go on. */
  readonly fresh: boolean;
  /** Forget failures: their points are run again. */
  readonly retry: boolean;
}

/** A study that this process writes. */
export interface OpenParameterStudy {
  readonly directory: string;
  /** As read and planned. */
  readonly file: ParameterStudyFile;
  /** Why an unfinished study was not continued. */
  readonly notes: readonly string[];
  readonly save: (file: ParameterStudyFile) => Promise<void>;
  /** A new study in place of this one, which stays as it is. */
  replaced(): Promise<OpenParameterStudy>;
  /** Releases the target; a study without any result is removed. */
  close(): Promise<void>;
}

/**
 * Goes on with the last study of the target if it measures the same thing, whether complete or not: what is measured stays, and points and
 * repetitions are added to it. Otherwise begins a new one.
 * @throws KymoError `study-locked` while another process works on the target; `study-invalid`
 */
export async function openParameterStudy(options: StudyToOpen): Promise<OpenParameterStudy> {
  const { workspace, target, fresh } = options;
  const targetDirectory = path.dirname(studyDirectory(workspace, target.name, 'x'));
  const lock = await lockStudy(targetDirectory);
  try {
    const last = fresh ? undefined : await lastStudy(targetDirectory);
    if (last === undefined) return await begun(options, lock, []);
    const { file, directory } = last;
    if (file.fingerprint !== fingerprintOf(options)) {
      const isOpen = file.points.some((point) => isUnfinished(point, file));
      return await begun(options, lock, isOpen ? [otherSettings(file)] : []);
    }
    return await opened(options, lock, directory, await continued(options, directory, file), []);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function otherSettings({ study, target }: ParameterStudyFile): string {
  return `${study} was not complete, but measured with other settings of ${target} (kymo.json or options), so a new study has begun.`;
}

function otherProgram({ study }: ParameterStudyFile): string {
  return `The program, or what is recorded, is not what ${study} measured, so a new study has begun.`;
}

/** The newest study over parameters by its name, which is when it began. */
export async function lastStudy(
  targetDirectory: string,
): Promise<{ readonly directory: string; readonly file: ParameterStudyFile } | undefined> {
  const entries = await readdir(targetDirectory, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    entry.isDirectory() && isStudyName(entry.name) ? [entry.name] : [],
  );
  for (const name of names.sort(newestFirst)) {
    const directory = path.join(targetDirectory, name);
    const file = await readParameterStudy(directory);
    if (file !== undefined) return { directory, file };
  }
  return undefined;
}

function isStudyName(name: string): boolean {
  return name.startsWith('study-');
}

/** `…-10` is newer than `…-9`. */
function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}

async function begun(
  options: StudyToOpen,
  lock: StudyLock,
  notes: readonly string[],
): Promise<OpenParameterStudy> {
  const { workspace, target, plan, variant } = options;
  const startedAt = new Date().toISOString();
  const parent = path.dirname(studyDirectory(workspace, target.name, 'x'));
  const taken = new Set(await readdir(parent));
  const stem = `study-${startedAt.slice(0, 19).replaceAll(':', '-')}`;
  let study = stem;
  for (let number = 2; taken.has(study); number++) study = `${stem}-${number}`;
  const directory = studyDirectory(workspace, target.name, study);
  const file: ParameterStudyFile = {
    kymoParameterStudy: 1,
    target: target.name,
    study,
    startedAt,
    variant,
    fingerprint: fingerprintOf(options),
    buildId: '',
    selection: '',
    ...planOf(plan, []),
    seed: randomInt(2 ** 31),
  };
  await makeOwnFolder(directory);
  await saveParameterStudy(directory, file);
  return opened(options, lock, directory, file, notes);
}

/** The file with the points of this command, and what is measured of them. */
async function continued(
  { plan, retry }: StudyToOpen,
  directory: string,
  file: ParameterStudyFile,
): Promise<ParameterStudyFile> {
  const points = await Promise.all(
    file.points.map(async ({ failure, ...point }) => ({
      ...point,
      runs: await existingRuns(directory, point.runs),
      ...(retry ? {} : present({ failure })),
    })),
  );
  return { ...file, ...planOf(plan, points) };
}

function planOf(
  { design, repetitions, points, ranksName, threadsName }: StudyPlan,
  before: readonly PointState[],
): Pick<ParameterStudyFile, 'design' | 'repetitions' | 'points' | 'ranksName' | 'threadsName'> {
  const known = new Map(before.map((point) => [coordinatesKey(point.coordinates), point]));
  const planned = points.map((coordinates): PointState => {
    const key = coordinatesKey(coordinates);
    const point = known.get(key) ?? { coordinates, runs: [] };
    known.delete(key);
    return { ...point, planned: true };
  });
  const others = [...known.values()].filter(({ runs }) => runs.length > 0);
  return {
    design,
    repetitions,
    ...present({ ranksName, threadsName }),
    points: [...planned, ...others.map((point) => ({ ...point, planned: false }))],
  };
}

/** Runs whose folders were removed are made again. */
async function existingRuns(directory: string, runs: PointState['runs']): Promise<PointState['runs']> {
  const exist = await Promise.all(
    runs.map(({ folder }) =>
      readExperiment(path.join(directory, folder)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return runs.filter((_, position) => exist[position]);
}

async function opened(
  options: StudyToOpen,
  lock: StudyLock,
  directory: string,
  file: ParameterStudyFile,
  notes: readonly string[],
): Promise<OpenParameterStudy> {
  await lock.nameStudy(file.study);
  return {
    directory,
    file,
    notes,
    save: (changed) => saveParameterStudy(directory, changed),
    replaced: () => begun(options, lock, [otherProgram(file)]),
    close: async () => {
      const written = await readParameterStudy(directory).catch(() => undefined);
      if (written?.points.every(({ runs, failure }) => runs.length === 0 && failure === undefined) === true)
        await rm(directory, { recursive: true, force: true });
      await lock.release();
    },
  };
}

/** What must be equal for runs to be of one study: the target, and the names of what changes, but not which values it has. */
function fingerprintOf({ target, plan, variant }: StudyToOpen): string {
  const { name, build, executable, run, phase, pthreads, backend, scorep } = target;
  // How long a run may take, and how it may end, can be corrected for points that failed.
  const { arguments: words, cwd, environment, input, launcher } = run;
  const settings = {
    name,
    build,
    executable,
    run: { words, cwd, environment, input },
    launcher: 'ranks' in launcher ? { ...launcher, ranks: [] } : launcher,
    phase,
    pthreads,
    backend,
    scorep,
    variant,
    names: Object.keys(plan.points[0] ?? {}).sort(),
    constants: plan.constants,
  };
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
}

/** @throws KymoError `study-outdated` when the program or what is recorded is not what the study measured so far */
export function outdated(file: ParameterStudyFile, what: 'program' | 'selection'): KymoError {
  const subject =
    what === 'program'
      ? 'The program is not the one that'
      : 'What would be recorded (the accepted selection or --filter) is not what';
  return new KymoError(
    'study-outdated',
    `${subject} ${file.study} has measured so far, so its points could not be compared. Undo the change to go on with it, or begin a new study with --fresh.`,
    { file: parameterStudyFileName },
  );
}
