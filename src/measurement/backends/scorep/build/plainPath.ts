import { copyFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scratchFolder } from '../../../files/leftovers';

/** A path that no shell splits or expands. */
const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Runs `use` with a path of the file without blanks and other special characters of shells: Score-P 8 passes options to a shell unquoted,
 * and when the compiler then does not find the filter, everything is silently filtered.
 */
export async function withPlainPath<Result>(
  file: string,
  use: (plainPath: string) => Promise<Result>,
): Promise<Result> {
  if (plain.test(file)) return use(file);
  const folder = await scratchFolder('filter', plain.test(tmpdir()) ? tmpdir() : '/tmp');
  try {
    const copy = path.join(folder, 'scorep.filter');
    await copyFile(file, copy);
    return await use(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
