import { createHash, randomInt } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { coordinatesKey, type StudyCoordinates } from '../../core/study/points';
import type { Target } from '../../measurement/config/config';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { parameterStudyFileName, studyDirectory } from '../../measurement/experiments/studies';
import { lockStudy, type StudyLock } from '../../measurement/experiments/studyLock';
import { makeOwnFolder } from '../../measurement/files/ownFiles';
import {
  isUnfinished,
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
  /** Go on with the study of this name and no other. */
  readonly named?: NamedStudy;
}

/** A study that goes on as it was planned, whatever `kymo.json` says now. */
export interface NamedStudy {
  readonly study: string;
  /** Measure only these points: those that failed again, and new ones. */
  readonly only: readonly StudyCoordinates[];
  /** Further runs of each point of `only`; default: those that the study lacks. */
  readonly furtherRuns?: number;
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
 * @throws KymoError `study-locked` while another process works on the target; `study-invalid`; `study-outdated` when a named study measured
 *   with other settings; `no-study` when there is none of that name
 */
export async function openParameterStudy(options: StudyToOpen): Promise<OpenParameterStudy> {
  const lock = await lockStudy(targetDirectoryOf(options));
  try {
    const { last, continues } = await foreseen(options);
    if (continues !== undefined) return await opened(options, lock, continues.directory, continues.file, []);
    const isOpen = last?.points.some((point) => isUnfinished(point, last)) === true;
    return await begun(options, lock, isOpen ? [otherSettings(last)] : []);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** What `openParameterStudy` would do; nothing is written. */
export interface ForeseenStudy {
  /** The newest study of the target, unless a new one is wanted. */
  readonly last?: ParameterStudyFile;
  /** The study that goes on, with the points of this command; absent if a new one begins. */
  readonly continues?: { readonly directory: string; readonly file: ParameterStudyFile };
}

/** @throws as `openParameterStudy`, but for the lock */
export async function foreseen(options: StudyToOpen): Promise<ForeseenStudy> {
  const { fresh, named } = options;
  if (fresh) return {};
  const directory = targetDirectoryOf(options);
  const last = named === undefined ? await lastStudy(directory) : await studyNamed(directory, named.study);
  if (last === undefined) return {};
  if (last.file.fingerprint === fingerprintOf(options)) {
    const file = await continued(options, last.directory, last.file);
    return { last: last.file, continues: { directory: last.directory, file } };
  }
  if (named !== undefined) throw outdated(last.file, 'settings');
  return { last: last.file };
}

/** A study of the target by the name of its folder. @throws KymoError `no-study`, `study-invalid` */
export async function studyNamed(targetDirectory: string, study: string): Promise<StudyOnDisk> {
  const directory = path.join(targetDirectory, study);
  const file = path.basename(directory) === study ? await readParameterStudy(directory) : undefined;
  if (file !== undefined) return { directory, file };
  throw new KymoError('no-study', `${targetDirectory} has no study ${JSON.stringify(study)}.`, {
    file: targetDirectory,
  });
}

function targetDirectoryOf({ workspace, target }: Pick<StudyToOpen, 'workspace' | 'target'>): string {
  return path.dirname(studyDirectory(workspace, target.name, 'x'));
}

interface StudyOnDisk {
  readonly directory: string;
  readonly file: ParameterStudyFile;
}

function otherSettings({ study, target }: ParameterStudyFile): string {
  return `${study} was not complete, but measured with other settings of ${target} (kymo.json or options), so a new study has begun.`;
}

function otherProgram({ study }: ParameterStudyFile): string {
  return `The program or the recorded functions differ from those that ${study} measured, so a new study has begun.`;
}

/** The newest study over parameters by its name, which is when it began. */
export async function lastStudy(targetDirectory: string): Promise<StudyOnDisk | undefined> {
  const entries = await readdir(targetDirectory, { withFileTypes: true }).catch(() => []);
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
  const { workspace, target, variant } = options;
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
    ...planOf(options, []),
    seed: randomInt(2 ** 31),
  };
  await makeOwnFolder(directory);
  await saveParameterStudy(directory, file);
  return opened(options, lock, directory, file, notes);
}

/** The file with the points of this command, and what is measured of them. */
async function continued(
  options: StudyToOpen,
  directory: string,
  file: ParameterStudyFile,
): Promise<ParameterStudyFile> {
  const again = new Set(options.named?.only.map(coordinatesKey));
  const isForgiven = ({ coordinates }: PointState): boolean =>
    options.retry || again.has(coordinatesKey(coordinates));
  const points = await Promise.all(
    file.points.map(async (before): Promise<PointState> => {
      const { failure, ...point } = before;
      return {
        ...point,
        runs: await existingRuns(directory, point.runs),
        ...(isForgiven(before) ? {} : present({ failure })),
      };
    }),
  );
  return { ...file, ...planOf(options, points) };
}

type UnplannedPoint = Omit<PointState, 'planned'>;

function planOf(
  { plan, named }: StudyToOpen,
  before: readonly PointState[],
): Pick<ParameterStudyFile, 'design' | 'repetitions' | 'points' | 'ranksName' | 'threadsName' | 'constants'> {
  const { design, repetitions, points, ranksName, threadsName, constants } = plan;
  const known = new Map(before.map((point) => [coordinatesKey(point.coordinates), point]));
  const more = new Set(named?.only.map(coordinatesKey));
  const wanted = ({ coordinates, runs }: UnplannedPoint, own: number | undefined): number | undefined => {
    if (named?.furtherRuns !== undefined && more.has(coordinatesKey(coordinates)))
      return runs.length + named.furtherRuns;
    // A plan of all points wants at least its own number of each.
    return named !== undefined || (own ?? 0) > repetitions ? own : undefined;
  };
  const planned = points.map((coordinates): PointState => {
    const key = coordinatesKey(coordinates);
    const before: UnplannedPoint = known.get(key) ?? { coordinates, runs: [] };
    const { repetitions: own, ...point } = before;
    known.delete(key);
    return { ...point, planned: true, ...present({ repetitions: wanted(point, own) }) };
  });
  const others = [...known.values()].filter(({ runs }) => runs.length > 0);
  return {
    design,
    repetitions,
    ...present({ ranksName, threadsName }),
    constants,
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
  const { name, build, executable, run, phase, pthreads, io, counters, backend, scorep } = target;
  // How long a run may take, and how it may end, can be corrected for points that failed.
  const { arguments: words, cwd, environment, input, files, launcher } = run;
  const settings = {
    name,
    build,
    executable,
    run: { words, cwd, environment, input, files },
    launcher: 'ranks' in launcher ? { ...launcher, ranks: [] } : launcher,
    phase,
    pthreads,
    // Absent when they are off, as before there were such settings.
    ...(io ? { io } : {}),
    ...(counters ? { counters } : {}),
    backend,
    scorep,
    variant,
    names: Object.keys(plan.points[0] ?? {}).sort(),
    constants: plan.constants,
  };
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
}

const otherThan = {
  program: 'The program is not the one that',
  selection: 'What would be recorded (the accepted selection or --filter) is not what',
  settings: 'The settings of the target (kymo.json or options) are not those with which',
} as const;

/** `study-outdated`: the program, what is recorded or the settings are not what the study measured so far. */
export function outdated(file: ParameterStudyFile, what: keyof typeof otherThan): KymoError {
  const subject = otherThan[what];
  return new KymoError(
    'study-outdated',
    `${subject} ${file.study} has measured so far, so its points could not be compared. Undo the change to go on with it, or begin a new study with --fresh.`,
    { file: parameterStudyFileName },
  );
}
