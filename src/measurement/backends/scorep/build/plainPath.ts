import { copyFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scratchFolder } from '../../../files/leftovers';

/** No shell splits or expands it. */
const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Runs `use` with a path of the file that has no blank and nothing else that a shell takes for more than a letter: Score-P 8 hands options
 * to a shell unquoted, and a filter that the compiler then does not find filters everything, without a word.
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
