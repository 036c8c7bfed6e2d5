import path from 'node:path';
import { assertNever } from '../core/errors';
import { csvLines } from '../formats/exports/csv';
import { profileJson } from '../formats/exports/json';
import { speedscopeFile } from '../formats/exports/speedscope';
import { writeFileAtomically } from '../measurement/experiments/disk';
import { cachedProfile, type CachedProfile } from './profileView/profileCache';

export type ProfileFormat = 'csv' | 'json' | 'speedscope';

/**
 * Writes an opened profile in another format.
 * @throws KymoError `profile-changed`, `profile-missing`, `disk-full`, `write-failed`
 */
export async function convertProfile(options: {
  readonly file: string;
  readonly id: string;
  readonly format: ProfileFormat;
  /** Absolute. */
  readonly destination: string;
}): Promise<{ readonly callPaths: number }> {
  const opened = await cachedProfile(options.file, options.id);
  await writeFileAtomically(options.destination, converted(opened, options.format));
  return { callPaths: opened.profile.callPaths.count };
}

function converted({ profile, file }: CachedProfile, format: ProfileFormat): string {
  switch (format) {
    case 'csv':
      return Array.from(csvLines(profile)).join('');
    case 'json':
      return JSON.stringify(profileJson(profile));
    case 'speedscope':
      return JSON.stringify(speedscopeFile(profile, path.basename(file)));
    default:
      return assertNever(format);
  }
}
