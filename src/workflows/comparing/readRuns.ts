import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Side } from '../../core/compare/sides';
import { KymoError } from '../../core/errors';
import { fileError } from '../../measurement/files/explainFileError';
import type { Profile } from '../../core/profile/profile';
import { readCube } from '../../formats/cube4/read';
import { listExperiments, isRound } from '../../measurement/experiments/studies';
import { functionRows } from '../studies/functionsFile';
import { profileOrigin, type ProfileOrigin } from '../studies/profileOrigin';
import { roundSelection } from '../studies/rounds';
import { measuredRuns } from '../studies/typicalExperiment';
import { turn, type Cancellable } from '../running/turn';

const profileFileName = 'profile.cubex';

/** A measured run. */
export interface MeasuredRun {
  readonly file: string;
  readonly profile: Profile;
  readonly origin: ProfileOrigin;
}

/**
 * All repetitions of what is given: a `.cubex`, the folder of an experiment, of a round, or of a study (its last measured round).
 * @throws KymoError `no-profile`, and the errors of reading
 */
export async function readRuns(given: string, context: Cancellable = {}): Promise<readonly MeasuredRun[]> {
  const runs: MeasuredRun[] = [];
  for (const file of await profilesOf(given)) {
    await turn(context);
    runs.push(await readRun(file));
  }
  return runs;
}

export async function readRun(file: string): Promise<MeasuredRun> {
  const bytes = await explained(file, () => readFile(file));
  const profile = readCube(bytes, file);
  return { file, profile, origin: await profileOrigin(file, profile) };
}

/** The profiles of the round that a profile is of; only itself where it is of no study. */
export async function profilesOfRound(file: string): Promise<readonly string[]> {
  const round = path.dirname(path.dirname(file));
  if (path.basename(file) !== profileFileName || !isRound(path.basename(round))) return [file];
  const all = await profilesOf(round).catch(() => [file]);
  return all.includes(file) ? all : [file];
}

/** The profiles of what `readRuns` is given. @throws KymoError `no-profile`, and the errors of reading */
export async function profilesOf(given: string): Promise<readonly string[]> {
  const facts = await explained(given, () => stat(given));
  if (!facts.isDirectory()) return [given];
  const own = path.join(given, profileFileName);
  if (existsSync(own)) return [own];
  const whole = path.resolve(given);
  const entries = isRound(path.basename(whole))
    ? (await listExperiments(path.dirname(whole))).filter(
        ({ directory }) => path.dirname(directory) === whole,
      )
    : await listExperiments(whole);
  const measured = measuredRuns(entries);
  if (measured.length === 0) throw noProfile(given);
  return measured.map(({ directory }) => path.join(directory, profileFileName));
}

function noProfile(given: string): KymoError {
  return new KymoError(
    'no-profile',
    `“${given}” has no profile: give a .cubex file, the folder of an experiment (with profile.cubex), of a round (i0, i1, …) or of a study.`,
    { file: given },
  );
}

/** How the runs were measured; undefined where that is not known of all. */
export function measuredHow(runs: readonly MeasuredRun[]): Side['measured'] {
  const known = runs.flatMap(({ origin: { experiment } }) => experiment ?? []);
  return known.length === runs.length ? known : undefined;
}

/** What a measurement was to record; undefined where it does not say. */
export async function recordedOf({
  studyDirectory,
  experiment,
}: Pick<ProfileOrigin, 'studyDirectory' | 'experiment'>): Promise<Side['isRecorded']> {
  if (studyDirectory === undefined || experiment === undefined) return undefined;
  try {
    const { decisions } = await roundSelection(studyDirectory, experiment.iteration);
    const byName = new Map<string, boolean | undefined>();
    for (const { key, name, file } of await functionRows(studyDirectory)) {
      const isSelected = decisions.get(key)?.selected;
      const known = nameInFile(name, file);
      byName.set(known, byName.has(known) && byName.get(known) !== isSelected ? undefined : isSelected);
    }
    return ({ key, name, file }) => decisions.get(key)?.selected ?? byName.get(nameInFile(name, file));
  } catch {
    return undefined;
  }
}

/** Lines and folders differ from build to build. */
function nameInFile(name: string, file: string | undefined): string {
  return `${name}@${file === undefined ? '' : path.basename(file)}`;
}

/** `explainFileError` for asynchronous actions. */
function explained<T>(file: string, action: () => Promise<T>): Promise<T> {
  return action().catch((error: unknown) => {
    throw fileError(file, 'read', error);
  });
}
