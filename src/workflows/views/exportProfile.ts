import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { requireOwn } from '../../measurement/files/ownFiles';
import type { Profile } from '../../core/profile/profile';
import { readCube } from '../../formats/cube4/read';
import { csvLines } from '../../formats/exports/csv';
import { profileJson } from '../../formats/exports/json';
import { speedscopeFile } from '../../formats/exports/speedscope';
import { writeError, writeFileAtomically } from '../../measurement/files/disk';
import { turn, type Cancellable } from '../running/turn';
import { studyProfile } from './profileView';

const writers: readonly (readonly [
  ending: string,
  text: (profile: Profile, name: string) => string | Iterable<string>,
])[] = [
  ['.speedscope.json', (profile, name) => JSON.stringify(speedscopeFile(profile, name))],
  ['.json', (profile) => JSON.stringify(profileJson(profile))],
  ['.csv', (profile) => csvLines(profile)],
];

/**
 * Writes the profile of a round in the format of the file's extension; `.cubex` is the unchanged profile.
 * @throws KymoError `usage` for an unknown extension, `write-failed`, and the errors of `studyProfile`
 */
export async function exportProfile(
  studyDirectory: string,
  iteration: number,
  file: string,
  context: Cancellable = {},
): Promise<void> {
  const { file: profileFile } = await studyProfile(studyDirectory, iteration, context);
  requireOwn(profileFile);
  if (file.toLowerCase().endsWith('.cubex')) {
    await copyFile(profileFile, file).catch((cause: unknown) => {
      throw writeError(file, cause);
    });
    return;
  }
  const text = writers.find(([ending]) => file.toLowerCase().endsWith(ending))?.[1];
  if (text === undefined)
    throw new KymoError(
      'usage',
      `The ending of ${path.basename(file)} names no format. Use .cubex, ${writers.map(([ending]) => ending).join(', ')}.`,
      { file },
    );
  const bytes = await readFile(profileFile, context);
  const profile = readCube(bytes, profileFile);
  await turn(context);
  await writeFileAtomically(file, text(profile, `${path.basename(studyDirectory)} i${iteration}`));
}
