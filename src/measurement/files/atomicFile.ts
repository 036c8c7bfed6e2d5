import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownerMark } from './leftovers';

/** Writes a file that others may read or write at the same time: they see it complete or not at all. */
export function writeAtomically(file: string, text: string): void {
  makeFolder(path.dirname(file));
  const temporary = `${file}.${ownerMark()}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes a folder and those above it. Node's own recursive form never ends where the system denies with ENOENT, as below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it in this moment.
    if (!existsSync(folder)) throw error;
  }
}
