import { constants, lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { readRegularFile } from './regularFile';

/** Folder of the workspace that holds all results. */
export const resultsFolder = '.kymo';

/**
 * Refuses symbolic links in `.kymo` and below: a clone can contain a folder of results, and Kymo must neither read nor change files
 * elsewhere through it. Paths without such a folder are files that a user names; they may be links.
 * @throws KymoError `results-linked`
 */
export function requireOwn(file: string): void {
  const parts = path.resolve(file).split(path.sep);
  const first = parts.indexOf(resultsFolder);
  for (let length = first + 1; first >= 0 && length <= parts.length; length++) {
    const place = parts.slice(0, length).join(path.sep);
    const entry = lstatSync(place, { throwIfNoEntry: false });
    if (entry === undefined) return;
    if (entry.isSymbolicLink()) throw linked(place);
  }
}

/**
 * Creates a folder of results with all folders above it.
 * @throws KymoError `results-linked`; as `mkdir`
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  requireOwn(folder);
  await mkdir(folder, { recursive: true });
}

/**
 * A file of results as a text.
 * @throws KymoError `results-linked`; as `readRegularFile`
 */
export async function readOwnFile(file: string): Promise<string> {
  return (await readOwnBytes(file)).toString('utf8');
}

/** As `readOwnFile`, without decoding. */
export async function readOwnBytes(file: string): Promise<Buffer> {
  requireOwn(file);
  return readRegularFile(file, undefined, constants.O_NOFOLLOW).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'ELOOP' ? linked(file) : error;
  });
}

function linked(place: string): KymoError {
  return new KymoError(
    'results-linked',
    `${place} is a symbolic link, and Kymo does not follow links in its folder of results. Remove the link, or replace it by the file or folder itself.`,
    { file: place },
  );
}
