import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isLeftover, scratchPrefix, temporaryName } from './leftovers';
import { makeFolder } from './atomicFile';

/** How long one process waits for another that builds. */
const patienceMilliseconds = 120_000;

/**
 * Creates a folder of the cache that many processes of one `make -j` may need simultaneously: one creates it, the others wait; the complete
 * folder appears under its name in one step.
 * @param waits false: processes that find another one at work continue without the folder
 */
export async function buildOnce(
  folder: string,
  make: (target: string) => Promise<void>,
  waits = true,
): Promise<void> {
  makeFolder(path.dirname(folder));
  const lock = `${folder}.lock`;
  const begin = Date.now();
  let hasLock = tryLock(lock);
  while (waits && !hasLock && !existsSync(folder) && Date.now() - begin < patienceMilliseconds) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    hasLock = tryLock(lock);
  }
  if (!waits && !hasLock) return;
  if (existsSync(folder)) {
    if (hasLock) rmSync(lock, { recursive: true, force: true });
    return;
  }
  const target = temporaryName(folder);
  try {
    mkdirSync(target);
    await make(target);
    if (!existsSync(folder)) renameSync(target, folder);
  } finally {
    rmSync(target, { recursive: true, force: true });
    if (hasLock) rmSync(lock, { recursive: true, force: true });
  }
}

/** A lock is a folder. The lock of a killed process is removed. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
  } catch {
    try {
      const isStale = Date.now() - statSync(lock).mtimeMs > patienceMilliseconds;
      if (isStale || readdirSync(lock).some(isLeftover)) rmSync(lock, { recursive: true, force: true });
    } catch {
      // Another process has just released it.
    }
    return false;
  }
  try {
    writeFileSync(path.join(lock, scratchPrefix('lock')), '');
  } catch {
    // Without this file, other processes wait for the whole time if this one is killed.
  }
  return true;
}
