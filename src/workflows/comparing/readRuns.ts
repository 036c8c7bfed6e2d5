import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Side } from '../../core/compare/sides';
import { fileError } from '../../measurement/files/explainFileError';
import { present } from '../../core/present';
import type { PropertyInput } from '../../core/problems/context/makeContext';
import type { Profile } from '../../core/profile/profile';
import { readCube } from '../../formats/cube4/read';
import { isRound } from '../../measurement/experiments/studies';
import { functionRows } from '../studies/functionsFile';
import { asMeasured, profileOrigin, type ProfileOrigin } from '../studies/profileOrigin';
import { roundSelection } from '../studies/rounds';
import { profileFileName, profilesOf } from '../studies/profileFiles';
import { turn, type Cancellable } from '../running/turn';

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

/** All of these runs as an input of a comparison. @param inputs of the analyses, in the order of the runs; default: the whole runs */
export async function compareInput(
  name: string,
  runs: readonly MeasuredRun[],
  inputs: readonly PropertyInput[] = runs.map(({ profile, origin }) => asMeasured(profile, origin)),
): Promise<Pick<Side, 'name' | 'isRecorded' | 'measured'> & { readonly runs: readonly PropertyInput[] }> {
  return {
    name,
    runs: inputs,
    ...present({ isRecorded: await recordedOf(runs[0]?.origin ?? {}), measured: measuredHow(runs) }),
  };
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
