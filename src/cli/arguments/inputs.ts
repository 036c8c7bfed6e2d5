import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Profile } from '../../core/profile/profile';
import { readCube } from '../../formats/cube4/read';
import { isStream } from '../../measurement/files/disk';
import { explainFileError, fileError } from '../../measurement/files/explainFileError';
import { typicalProfileOf } from '../../workflows/studies/profileFiles';
import { profileOrigin, type ProfileOrigin } from '../../workflows/studies/profileOrigin';

/** A profile and its origin. */
export interface ProfileInput {
  readonly file: string;
  readonly profile: Profile;
  readonly origin: ProfileOrigin;
}

export async function readText(file: string): Promise<string> {
  return explained(file, () => readFile(file, 'utf8'));
}

/** @throws KymoError `file-unusable` for a folder where a file is to be written; renaming would fail after all work was done */
export function requireNoFolder(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true && !file.endsWith(path.sep)) return;
  throw new KymoError('file-unusable', `“${file}” is a folder; give the name of a file to write.`, { file });
}

/** Writes beside the file and renames, so that nobody sees half a file. @returns the number of bytes */
export function writeWhole(file: string, pieces: Iterable<string | Uint8Array>): number {
  return explainFileError(file, 'written', () => {
    const whole = new WholeFile(file);
    try {
      for (const piece of pieces) whole.write(piece);
      return whole.finish();
    } catch (error) {
      whole.discard();
      throw error;
    }
  });
}

/** The same for long work, which `between` may cancel after each piece. */
export async function writePieces(
  file: string,
  pieces: Iterable<string>,
  between: () => Promise<void>,
): Promise<number> {
  const whole = explainFileError(file, 'written', () => new WholeFile(file));
  try {
    for (const piece of pieces) {
      whole.write(piece);
      await between();
    }
    return whole.finish();
  } catch (error) {
    whole.discard();
    // What `between` throws is no error of the file.
    throw error instanceof Error && 'syscall' in error ? fileError(file, 'written', error) : error;
  }
}

/** A file that is written beside its name; a device or a pipe is written to. */
class WholeFile {
  readonly #temporary: string | undefined;
  readonly #descriptor: number;
  #total = 0;

  constructor(private readonly file: string) {
    requireNoFolder(file);
    this.#temporary = isStream(file) ? undefined : `${file}.${process.pid}.tmp`;
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    this.#descriptor = this.#temporary === undefined ? openSync(file, 'w') : openSync(this.#temporary, 'wx');
  }

  write(piece: string | Uint8Array): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let written = 0; written < bytes.length;) written += writeSync(this.#descriptor, bytes, written);
    this.#total += bytes.length;
  }

  /** @returns the number of bytes */
  finish(): number {
    closeSync(this.#descriptor);
    if (this.#temporary !== undefined) renameSync(this.#temporary, this.file);
    return this.#total;
  }

  discard(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }
}

/**
 * The profile of a `.cubex` or of an experiment's folder; for a study's or round's folder, that of the typical run of its last measured
 * round.
 */
export async function readProfileInput(given: string): Promise<ProfileInput> {
  const file = await typicalProfileOf(given);
  const bytes = await explained(file, () => readFile(file));
  const profile = readCube(bytes, file);
  return { file, profile, origin: await profileOrigin(file, profile) };
}

/** `explainFileError` for asynchronous actions. */
function explained<T>(file: string, action: () => Promise<T>): Promise<T> {
  return action().catch((error: unknown) => {
    throw fileError(file, 'read', error);
  });
}

/** The last part of the path that tells inputs apart. */
export function nameAmong(given: string, all: readonly string[]): string {
  const parts = path.resolve(given).split(path.sep);
  for (let count = 1; count < parts.length; count++) {
    const name = parts.slice(-count).join('/');
    if (all.filter((other) => path.resolve(other).endsWith(`${path.sep}${name}`)).length === 1) return name;
  }
  return given;
}
