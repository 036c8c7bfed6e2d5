import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isLeftover, ownerMark, scratchPrefix } from './leftovers';
import { makeFolder } from './atomicFile';

/** How long one process waits for another that builds. */
const patienceMilliseconds = 120_000;

/**
 * Makes a folder of the cache that many processes of one `make -j` may want at once: one makes it, the others wait; the finished
 * folder appears under its name in one step. `waits` false: who comes second does not wait, and goes on without it.
 */
export async function buildOnce(
  folder: string,
  make: (target: string) => Promise<void>,
  waits = true,
): Promise<void> {
  makeFolder(path.dirname(folder));
  const lock = `${folder}.lock`;
  const begin = Date.now();
  let mine = tryLock(lock);
  while (waits && !mine && !existsSync(folder) && Date.now() - begin < patienceMilliseconds) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    mine = tryLock(lock);
  }
  if (!waits && !mine) return;
  if (existsSync(folder)) {
    if (mine) rmSync(lock, { recursive: true, force: true });
    return;
  }
  const target = `${folder}.${ownerMark()}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(target);
    await make(target);
    if (!existsSync(folder)) renameSync(target, folder);
  } finally {
    rmSync(target, { recursive: true, force: true });
    if (mine) rmSync(lock, { recursive: true, force: true });
  }
}

/** A lock is a folder; one whose maker was killed is taken over. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
  } catch {
    try {
      const isStale = Date.now() - statSync(lock).mtimeMs > patienceMilliseconds;
      if (isStale || readdirSync(lock).some(isLeftover)) rmSync(lock, { recursive: true, force: true });
    } catch {
      // Released in this moment.
    }
    return false;
  }
  try {
    writeFileSync(path.join(lock, scratchPrefix('lock')), '');
  } catch {
    // Then others wait for their whole patience should this process be killed.
  }
  return true;
}
