import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { isRound, listExperiments } from '../../measurement/experiments/studies';
import { fileError } from '../../measurement/files/explainFileError';
import { measuredRuns, typicalExperiment, type CompleteExperiment } from './typicalExperiment';

export const profileFileName = 'profile.cubex';

/**
 * All repetitions of what is given: a `.cubex`, the folder of an experiment, of a round, or of a study (its last measured round).
 * @throws KymoError `no-profile`, `file-missing`, and other errors of reading
 */
export async function profilesOf(given: string): Promise<readonly string[]> {
  const own = await ownProfile(given);
  return own === undefined ? (await runsOf(given)).map(profileOf) : [own];
}

/** The same, of the repetitions only the typical one. */
export async function typicalProfileOf(given: string): Promise<string> {
  const own = await ownProfile(given);
  if (own !== undefined) return own;
  const typical = await typicalExperiment(await runsOf(given));
  if (typical !== undefined) return profileOf(typical);
  throw noProfile(given);
}

/** The file, or that in the folder of an experiment; undefined for a folder of several. */
async function ownProfile(given: string): Promise<string | undefined> {
  const facts = await stat(given).catch((error: unknown) => {
    throw fileError(given, 'read', error);
  });
  if (!facts.isDirectory()) return given;
  const file = path.join(given, profileFileName);
  return existsSync(file) ? file : undefined;
}

async function runsOf(given: string): Promise<readonly CompleteExperiment[]> {
  const whole = path.resolve(given);
  const entries = isRound(path.basename(whole))
    ? (await listExperiments(path.dirname(whole))).filter(
        ({ directory }) => path.dirname(directory) === whole,
      )
    : await listExperiments(whole);
  const measured = measuredRuns(entries);
  if (measured.length === 0) throw noProfile(given);
  return measured;
}

function profileOf({ directory }: CompleteExperiment): string {
  return path.join(directory, profileFileName);
}

function noProfile(given: string): KymoError {
  return new KymoError(
    'no-profile',
    `“${given}” has no profile: give a .cubex file, the folder of an experiment (with profile.cubex), of a round (i0, i1, …) or of a study.`,
    { file: given },
  );
}
