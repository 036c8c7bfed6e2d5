import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryName } from './leftovers';

/** Writes a file of a cache: other processes see it complete or not at all. A power failure may lose it, unlike `writeFileAtomically`. */
export function writeAtomically(file: string, text: string): void {
  makeFolder(path.dirname(file));
  const temporary = temporaryName(file);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes a folder and those above it. Node's own recursive form never ends where the system answers ENOENT, as below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!existsSync(folder)) throw error;
  }
}
