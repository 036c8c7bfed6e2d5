import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Profile } from '../../core/profile/profile';
import { readCube } from '../../formats/cube4/read';
import { listExperiments } from '../../measurement/experiments/studies';
import { profileOrigin, type ProfileOrigin } from '../../workflows/studies/profileOrigin';

/** A profile with what is known of the run that made it. */
export interface ProfileInput {
  readonly file: string;
  readonly profile: Profile;
  /** What is known of the run. */
  readonly origin: ProfileOrigin;
}

export async function readText(file: string): Promise<string> {
  return explained(file, 'read', () => readFile(file, 'utf8'));
}

/** Writes beside the file and renames, so that nobody meets half a file. */
export async function writeText(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await explained(file, 'written', async () => {
    try {
      await mkdir(path.dirname(path.resolve(file)), { recursive: true });
      await writeFile(temporary, text, { flag: 'wx' });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/**
 * The profiles that a name stands for: a `.cubex`; an experiment's folder; a study's or iteration's folder, whose last
 * measured iteration is taken (the repetition with the median wall time).
 */
export async function readProfiles(given: string): Promise<ProfileInput> {
  const facts = await explained(given, 'read', () => stat(given));
  if (!facts.isDirectory()) return readProfile(given);
  if (await exists(path.join(given, 'profile.cubex'))) return readProfile(path.join(given, 'profile.cubex'));
  const measured = (await listExperiments(given)).flatMap((entry) =>
    entry.kind === 'complete' && entry.experiment.variant === 'measured' ? [entry] : [],
  );
  const last = Math.max(...measured.map((entry) => entry.experiment.iteration));
  const repetitions = measured
    .filter((entry) => entry.experiment.iteration === last)
    .sort((a, b) => a.experiment.wallSeconds - b.experiment.wallSeconds);
  const typical = repetitions[(repetitions.length - 1) >> 1];
  if (typical !== undefined) return readProfile(path.join(typical.directory, 'profile.cubex'));
  throw new KymoError(
    'no-profile',
    `“${given}” has no profile: give a .cubex file, the folder of an experiment (with profile.cubex) or of a study (with i0, i1, …).`,
    { file: given },
  );
}

async function readProfile(file: string): Promise<ProfileInput> {
  const bytes = await explained(file, 'read', () => readFile(file));
  const profile = readCube(bytes, file);
  return { file, profile, origin: await profileOrigin(file, profile) };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function explained<T>(file: string, verb: 'read' | 'written', action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof KymoError || !(error instanceof Error)) throw error;
    const missing = 'code' in error && error.code === 'ENOENT';
    throw new KymoError(
      missing ? 'file-missing' : 'file-unusable',
      `“${file}” cannot be ${verb}: ${missing ? 'there is no such file or folder' : error.message}.`,
      { file },
      { cause: error },
    );
  }
}
