import { randomBytes } from 'node:crypto';
import { link, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { ownerMark, removeLeftovers } from '../files/leftovers';
import { isGone, processStart } from '../files/processIdentity';
import { writeError } from '../files/disk';
import { makeOwnFolder, readOwnFile } from '../files/ownFiles';

/** Who holds a study. `processStart` tells a process from a later one with the same id (Linux: field 22 of /proc/<pid>/stat). */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly processStart: string;
  readonly nonce: string;
  readonly since: string;
  /** What it works on; absent while it measures or builds without a study, or has not found its study yet. */
  readonly study?: string;
}

/** The live process that holds a lock, as people are told. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** The study that it writes to, by name. */
  readonly study?: string;
}

export interface StudyLock {
  /** Says in the lock which study is worked on, so that others do not take an older one for it. */
  nameStudy(study: string): Promise<void>;
  /** Gives the study free; harmless when called twice. */
  release(): Promise<void>;
}

const lockName = 'lock';
/** A lock file whose content cannot be read belongs to somebody who is just writing it, for at most so long. */
const writingMilliseconds = 5000;

/**
 * Makes this process the only one that writes to the study; the folder is made if need be. The lock of a process that is gone
 * is taken over, and what it left unfinished is removed; two that try so at once do not both succeed.
 * @throws KymoError `study-locked`, `disk-full` or `write-failed`
 */
export async function lockStudy(study: string): Promise<StudyLock> {
  const file = path.join(study, lockName);
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    processStart: processStart(process.pid),
    nonce: randomBytes(8).toString('hex'),
    since: new Date().toISOString(),
  };
  try {
    await makeOwnFolder(study);
    for (let attempt = 0; attempt < 50; attempt++) {
      if (await createWhole(file, JSON.stringify(mine), mine.nonce)) {
        removeLeftovers(study, true);
        return {
          nameStudy: (name) => nameStudy(file, { ...mine, study: name }),
          release: () => release(file, mine),
        };
      }
      const theirs = await readHolder(file);
      if (theirs === 'gone') continue;
      if (theirs === 'being-written') {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      if (theirs !== 'unreadable' && isAlive(theirs)) throw lockedBy(study, file, theirs);
      await removeStale(file, theirs === 'unreadable' ? 'unreadable' : theirs.nonce);
    }
  } catch (error) {
    throw writeError(file, error);
  }
  throw lockedBy(study, file, undefined);
}

/** Who holds the lock of the folder: a live process, or one on another host. Undefined: nobody, or somebody who is just taking it. */
export async function studyLockHolder(study: string): Promise<LockHolder | undefined> {
  const holder = await readHolder(path.join(study, lockName)).catch(() => 'gone' as const);
  if (typeof holder !== 'object' || !isAlive(holder)) return undefined;
  const { pid, host, since, study: name } = holder;
  return { pid, host, since, ...(name === undefined ? {} : { study: name }) };
}

/**
 * Removes a lock whose process this machine knows nothing of: of another host, or of a file that came with a copy of the folder. For a user who
 * says that nobody works on it.
 * @throws KymoError `study-locked` when its process lives on this host
 */
export async function removeForeignLock(study: string): Promise<void> {
  const file = path.join(study, lockName);
  const holder = await readHolder(file);
  if (holder === 'gone') return;
  if (typeof holder === 'object' && livesHere(holder)) throw lockedBy(study, file, holder);
  await removeStale(file, typeof holder === 'object' ? holder.nonce : 'unreadable');
}

/** Replaces the lock as a whole. It is this process's own, so nobody else removes or replaces it meanwhile. */
async function nameStudy(file: string, mine: Holder): Promise<void> {
  const temporary = `${file}.${ownerMark()}.${mine.nonce}.tmp`;
  try {
    await writeFile(temporary, JSON.stringify(mine), { flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeError(file, error);
  }
}

/** Creates the file with all its content or not at all; false when it exists. */
async function createWhole(file: string, content: string, nonce: string): Promise<boolean> {
  const temporary = `${file}.${ownerMark()}.${nonce}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await link(temporary, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // File systems without hard links.
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) return await createPlain(file, content);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function createPlain(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the lock with this nonce. A file named after it lets one process at a time do so, and under it the lock is read
 * again: the lock of somebody who was faster is never removed.
 */
async function removeStale(file: string, nonce: string): Promise<void> {
  const claim = `${file}.${nonce}.takeover`;
  if (!(await createPlain(claim, String(process.pid)))) {
    const { mtimeMs } = await stat(claim).catch(() => ({ mtimeMs: Date.now() }));
    // Its owner needs microseconds; this one was killed there.
    if (Date.now() - mtimeMs > writingMilliseconds) await rm(claim, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 50));
    return;
  }
  try {
    const now = await readHolder(file);
    const still = now === 'unreadable' ? 'unreadable' : typeof now === 'object' ? now.nonce : undefined;
    if (still === nonce) await rm(file, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

async function readHolder(file: string): Promise<Holder | 'gone' | 'being-written' | 'unreadable'> {
  try {
    const value: unknown = JSON.parse(await readOwnFile(file));
    if (isHolder(value)) return value;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'gone';
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > writingMilliseconds ? 'unreadable' : 'being-written';
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const {
    pid,
    host,
    processStart: start,
    nonce,
    since,
    study,
  } = value as Partial<Record<keyof Holder, unknown>>;
  return (
    Number.isSafeInteger(pid) &&
    typeof host === 'string' &&
    typeof since === 'string' &&
    (study === undefined || typeof study === 'string') &&
    typeof start === 'string' &&
    typeof nonce === 'string' &&
    /^[0-9a-f]{16}$/.test(nonce)
  );
}

/** Of another host nothing can be known: its lock counts as held. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  if (isGone(holder.pid)) return false;
  const start = processStart(holder.pid);
  return start === '' || holder.processStart === '' || start === holder.processStart;
}

/** Whether this very process runs here. */
function livesHere({ host, pid, processStart: start }: Holder): boolean {
  return host === hostname() && start !== '' && !isGone(pid) && start === processStart(pid);
}

async function release(file: string, mine: Holder): Promise<void> {
  const holder = await readHolder(file).catch(() => 'gone' as const);
  if (typeof holder === 'object' && holder.nonce === mine.nonce) await unlink(file).catch(() => undefined);
}

function lockedBy(study: string, file: string, holder: Holder | undefined): KymoError {
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  return new KymoError(
    'study-locked',
    `${study} is being written by ${who}. Wait for it or stop it; if it is certain that it is gone, remove ${file}.`,
    { file },
  );
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
