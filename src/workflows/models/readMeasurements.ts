import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { measuredPoint, type ParameterMeasurements } from '../../core/modeling/measurements';
import {
  ProfilesAsMeasurements,
  type FunctionPlace,
  type Scaling,
} from '../../core/modeling/profilesAsMeasurements';
import type { RecordedPair } from '../../core/modeling/recording/recordingModel';
import type { RecordedRun } from '../../core/modeling/recording/recordedRun';
import { present } from '../../core/present';
import type { Experiment } from '../../core/profile/experiment';
import type { Profile } from '../../core/profile/profile';
import type { ProgressSink } from '../../core/progress';
import type { StudyCoordinates } from '../../core/study/points';
import { experimentPoints, type ParameterValues } from '../../formats/extrap/experimentPoints';
import { parseExperimentFolder } from '../../formats/extrap/folderName';
import { joinMeasurements, type MeasurementsOf } from '../../formats/extrap/join';
import { readParameterMeasurements } from '../../formats/extrap/read';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { listExperiments } from '../../measurement/experiments/studies';
import { fileError } from '../../measurement/files/explainFileError';
import { turn, type Cancellable } from '../running/turn';
import { readFolded, recordedIn, undisturbed } from '../studies/measuredProfile';
import { measuredRuns } from '../studies/typicalExperiment';
import { pairFolder, readParameterStudy, type ParameterStudyFile } from '../study/parameterStudyFile';

export interface MeasurementsInput extends Cancellable {
  /**
   * Files of measurements (formats/extrap), profiles, folders of experiments with profiles, folders of such folders, studies over
   * parameters, and refinements, of which the last measured round is read.
   */
  readonly paths: readonly string[];
  /** How values of a profile's locations become those of a point. */
  readonly scaling: Scaling;
  /** `kept`: in the times of functions, as other tools have them; `subtracted`, where it is known. */
  readonly recordingCost: 'kept' | 'subtracted';
  readonly progress: ProgressSink;
}

export interface ReadMeasurements {
  readonly measurements: ParameterMeasurements;
  /** Where functions are, by their names, as profiles say. */
  readonly places: ReadonlyMap<string, FunctionPlace>;
  /** Parameters of profiles that are the same in all of them, and so are none of the measurements. */
  readonly constants: ReadonlyMap<string, number | string>;
  /** What runs of Kymo's own measurements show of the cost of their recording; only if nothing else was read. */
  readonly recorded?: RecordedRuns;
  /** The study over parameters, if nothing else was read. */
  readonly study?: ParameterStudyFile;
}

interface RecordedRuns {
  readonly runs: readonly RecordedRun[];
  readonly pairs: readonly RecordedPair[];
}

type ProfileInFolder = ParameterValues<string>;

/**
 * Reads what performance models are made from. Names of folders say the parameters of profiles (`mm.x1y2.r1`), and for studies
 * `experiment.json` does.
 * @throws KymoError `measurements-invalid`, `no-profile`, and the errors of reading files and profiles
 */
export async function readMeasurements(input: MeasurementsInput): Promise<ReadMeasurements> {
  const profiles: ProfileInFolder[] = [];
  const read: MeasurementsOf[] = [];
  let constants: ReadMeasurements['constants'] = new Map();
  let places: ReadMeasurements['places'] = new Map();
  const studies: { readonly study: ParameterStudyFile; readonly folder: string }[] = [];
  for (const given of input.paths) {
    const facts = await explained(given, () => stat(given));
    const study = facts.isDirectory() ? await readParameterStudy(given) : undefined;
    if (study !== undefined) studies.push({ study, folder: given });
    if (study?.variant === 'vanilla') {
      const times = runTimes(study, given);
      constants = times.constants;
      read.push({ file: given, measurements: times.measurements });
    } else if (study !== undefined) profiles.push(...profilesOf(study, given));
    else if (facts.isDirectory()) profiles.push(...(await profilesBelow(given, input.progress)));
    else if (isProfile(given)) profiles.push(profileAt(given));
    else {
      if (!facts.isFile()) throw new KymoError('file-unusable', `“${given}” is not a file.`, { file: given });
      const bytes = await explained(given, () => readFile(given, input));
      read.push({ file: given, measurements: readParameterMeasurements(bytes, given) });
    }
    await turn(input);
  }
  const [first, ...others] = profiles;
  const [only] = input.paths.length === 1 ? studies : [];
  let recorded: RecordedRuns | undefined;
  if (first !== undefined) {
    const ofProfiles = await measureProfiles([first, ...others], input);
    ({ constants, places } = ofProfiles);
    read.push({ file: path.dirname(first.file), measurements: ofProfiles.measurements });
    if (input.paths.length === 1)
      recorded = {
        runs: ofProfiles.runs,
        pairs: await recordedPairs(only, ofProfiles.measurements.parameters),
      };
  }
  const [one, ...more] = read;
  if (one === undefined) throw new KymoError('usage', 'Give a file or folder with measurements.');
  return {
    measurements: joinMeasurements([one, ...more]),
    places,
    constants,
    ...present({ recorded, study: only?.study }),
  };
}

/** Runs in turns with some that record nothing. Those whose files are gone do not count. */
async function recordedPairs(
  only: { readonly study: ParameterStudyFile; readonly folder: string } | undefined,
  parameters: readonly string[],
): Promise<readonly RecordedPair[]> {
  const pairs = (only?.study.pairs ?? []).map(async ({ coordinates, baseline, measured }) => {
    const parent = path.join(only?.folder ?? '', pairFolder);
    const point = parameters.map((name) => Number(coordinates[name]));
    try {
      const file = path.join(parent, measured, 'profile.cubex');
      const run = await recordedIn(file, readFolded(file), point);
      return run === undefined
        ? []
        : [{ ...run, baseline: await readExperiment(path.join(parent, baseline)) }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(pairs)).flat();
}

const mostReports = 10;

async function measureProfiles(
  profiles: readonly [ProfileInFolder, ...ProfileInFolder[]],
  input: MeasurementsInput,
): Promise<ReadMeasurements & { readonly runs: readonly RecordedRun[] }> {
  const { parameters, constants, points } = experimentPoints(profiles);
  const measurements = new ProfilesAsMeasurements(parameters, input.scaling);
  const runs: RecordedRun[] = [];
  let done = 0;
  for (const { point, experiments } of points) {
    const repetitions: Profile[] = [];
    for (const file of experiments) {
      await turn(input);
      // Not each of hundreds of small files is worth a line where progress is one.
      if (done % Math.ceil(profiles.length / mostReports) === 0)
        input.progress.report({ message: `Reading ${file}`, fraction: done / profiles.length });
      done++;
      const profile = readFolded(file);
      repetitions.push(input.recordingCost === 'kept' ? profile : await undisturbed(file, profile));
      const run = await recordedIn(file, profile, point);
      if (run !== undefined) runs.push(run);
    }
    measurements.addPoint(point, repetitions);
  }
  return {
    measurements: measurements.measurements(),
    places: measurements.functionPlaces(),
    constants,
    runs,
  };
}

/** The complete runs of a study over parameters; what was interrupted beside them does not count. */
function profilesOf({ points, study }: ParameterStudyFile, folder: string): readonly ProfileInFolder[] {
  const profiles = points.flatMap(({ coordinates, runs }) =>
    runs.map((run): ProfileInFolder => {
      const file = path.join(folder, run.folder, 'profile.cubex');
      return { experiment: file, file, parameters: valuesOf(coordinates) };
    }),
  );
  if (profiles.length > 0) return profiles;
  throw nothingMeasured(study, folder);
}

/** Times of whole runs, of a program that was built without Kymo. */
function runTimes({ target, study, points }: ParameterStudyFile, folder: string): ReadMeasurements {
  const [first, ...others] = points.flatMap(({ coordinates, runs }) =>
    runs.length === 0 ? [] : [{ experiment: runs, file: folder, parameters: valuesOf(coordinates) }],
  );
  if (first === undefined) throw nothingMeasured(study, folder);
  const { parameters, constants, points: measured } = experimentPoints([first, ...others]);
  const series = {
    callPath: target,
    metric: 'time',
    points: measured.map(({ point, experiments }) =>
      measuredPoint(
        point,
        experiments.flat().map(({ wallSeconds }) => wallSeconds),
      ),
    ),
  };
  return { measurements: { parameters, series: [series] }, places: new Map(), constants };
}

function nothingMeasured(study: string, folder: string): KymoError {
  return new KymoError(
    'no-profile',
    `${study} has no complete run. Run “kymo study” again to go on with it.`,
    {
      file: folder,
    },
  );
}

function valuesOf(coordinates: StudyCoordinates): ReadonlyMap<string, number | string> {
  return new Map(Object.entries(coordinates).map(([name, text]) => [name, numberOr(text)]));
}

/** The profiles of a study, of an experiment's folder, or of the folders in a folder; of PIRA's iterations, those of the last one. */
async function profilesBelow(folder: string, progress: ProgressSink): Promise<readonly ProfileInFolder[]> {
  const studied = measuredRuns(await listExperiments(folder));
  if (studied.length > 0)
    return studied.map(({ directory, experiment }) => ofStudy(directory, experiment, studied));
  const entries = await entriesOf(folder);
  const own = profileFiles(folder, entries);
  if (own.length > 0) return own.map(profileAt);
  const files = await profilesInside(folder, entries);
  if (files.length > 0) return files.map(profileAt);
  for (const name of iterationsOf(entries)) {
    const iteration = path.join(folder, name);
    const inIteration = await profilesInside(iteration, await entriesOf(iteration));
    if (inIteration.length === 0) continue;
    progress.log(`Reading ${iteration}, the last iteration; give another one by its folder.`);
    return inIteration.map(profileAt);
  }
  throw new KymoError(
    'no-profile',
    `“${folder}” has no profiles: give a folder with folders such as “app.p4n100.r1” that have a .cubex file, folders of iterations with these (i0, i1, …), or a study of Kymo.`,
    { file: folder },
  );
}

async function profilesInside(folder: string, entries: readonly Dirent[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of entries) {
    const inside = path.join(folder, entry.name);
    if (!replaced.test(entry.name) && (await isFolder(entry, inside)))
      files.push(...profileFiles(inside, await entriesOf(inside)));
  }
  return files;
}

/** What PIRA makes of the name of an experiment's folder before it measures the same again. */
const replaced = /\.pofi\.r\d+_/;

/** Folders of iterations as PIRA names them, the last one first. */
function iterationsOf(entries: readonly Dirent[]): readonly string[] {
  const names = entries.map(({ name }) => name).filter((name) => /^i\d+$/.test(name));
  return names.sort((a, b) => Number(b.slice(1)) - Number(a.slice(1)));
}

function profileAt(file: string): ProfileInFolder {
  const folder = path.basename(path.dirname(path.resolve(file)));
  const parsed = parseExperimentFolder(folder);
  if (parsed === undefined)
    throw new KymoError(
      'measurements-invalid',
      `“${file}”: a folder with the names and values of parameters, such as “app.p4n100.r1”, was expected, but “${folder}” was found. Rename it.`,
      { file },
    );
  return {
    experiment: file,
    file,
    parameters: new Map(parsed.parameters.map(({ name, value }) => [name, value])),
  };
}

/** The ranks are the parameter `p`, as in the names of folders, if there are several of them anywhere. */
function ofStudy(
  directory: string,
  { parameters, ranks }: Experiment,
  studied: readonly { readonly experiment: Experiment }[],
): ProfileInFolder {
  const file = path.join(directory, 'profile.cubex');
  const values = Object.entries(parameters).map(([name, text]) => [name, numberOr(text)] as const);
  const hasRanks = studied.some(({ experiment }) => experiment.ranks > 1) && !Object.hasOwn(parameters, 'p');
  return { experiment: file, file, parameters: new Map(hasRanks ? [['p', ranks], ...values] : values) };
}

function numberOr(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? text : value;
}

function profileFiles(folder: string, entries: readonly Dirent[]): string[] {
  return entries.flatMap(({ name }) =>
    isProfile(name) && !name.startsWith('.') ? [path.join(folder, name)] : [],
  );
}

function isProfile(name: string): boolean {
  return name.toLowerCase().endsWith('.cubex');
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await explained(folder, () => readdir(folder, { withFileTypes: true }));
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function isFolder(entry: Dirent, file: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(file).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/** `explainFileError` for asynchronous actions. */
function explained<T>(file: string, action: () => Promise<T>): Promise<T> {
  return action().catch((error: unknown) => {
    throw fileError(file, 'read', error);
  });
}
