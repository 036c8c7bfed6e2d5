import { randomBytes } from 'node:crypto';
import { link, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { isRecord, present } from '../../core/present';
import { removeLeftovers, temporaryName } from '../files/leftovers';
import { isGone, processStart } from '../files/processIdentity';
import { writeError, writeFileAtomically } from '../files/disk';
import { makeOwnFolder, readOwnFile } from '../files/ownFiles';

/** The live process that holds a lock, for messages. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** Name of the study that it writes; absent while it measures or builds without a study, or has not chosen one yet. */
  readonly study?: string;
}

/** Content of a lock file. `processStart` distinguishes a process from a later one with the same id. */
interface Holder extends LockHolder {
  readonly processStart: string;
  readonly nonce: string;
}

export interface StudyLock {
  /** Writes the name of the study into the lock, so that others do not show an older one. */
  nameStudy(study: string): Promise<void>;
  /** Releases the study; harmless when called twice. */
  release(): Promise<void>;
}

const lockName = 'lock';
/** Time during which another process may still be writing an unreadable lock file. */
const writingMilliseconds = 5000;

/**
 * Makes this process the only one that writes to the study; creates the folder if needed. Takes over the lock of a process that has ended
 * and removes its unfinished files. If two processes try simultaneously, one succeeds.
 * @throws KymoError `study-locked`, `disk-full` or `write-failed`
 */
export async function lockStudy(study: string): Promise<StudyLock> {
  const file = path.join(study, lockName);
  const ownHolder: Holder = {
    pid: process.pid,
    host: hostname(),
    processStart: processStart(process.pid),
    nonce: randomBytes(8).toString('hex'),
    since: new Date().toISOString(),
  };
  try {
    await makeOwnFolder(study);
    for (let attempt = 0; attempt < 50; attempt++) {
      if (await createWhole(file, JSON.stringify(ownHolder))) {
        removeLeftovers(study, true);
        return {
          // The lock is this process's own, so that nobody else replaces it meanwhile.
          nameStudy: (name) => writeFileAtomically(file, JSON.stringify({ ...ownHolder, study: name })),
          release: () => release(file, ownHolder),
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

/** The live process, or the process on another host, that holds the lock; undefined when there is none, or it is just taking the lock. */
export async function studyLockHolder(study: string): Promise<LockHolder | undefined> {
  const holder = await readHolder(path.join(study, lockName)).catch(() => 'gone' as const);
  if (typeof holder !== 'object' || !isAlive(holder)) return undefined;
  const { pid, host, since, study: name } = holder;
  return { pid, host, since, ...present({ study: name }) };
}

/**
 * Removes a lock whose process does not run on this machine: of another host, or of a copied folder. For a user who confirms that nobody
 * works on it.
 * @throws KymoError `study-locked` when its process lives on this host
 */
export async function removeForeignLock(study: string): Promise<void> {
  const file = path.join(study, lockName);
  const holder = await readHolder(file);
  if (holder === 'gone') return;
  if (typeof holder === 'object' && livesHere(holder)) throw lockedBy(study, file, holder);
  await removeStale(file, typeof holder === 'object' ? holder.nonce : 'unreadable');
}

/** Creates the file with all its content or not at all; false when it exists. */
async function createWhole(file: string, content: string): Promise<boolean> {
  const temporary = temporaryName(file);
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
 * Removes the lock with this nonce. A file named after it lets one process at a time do so. That process reads the lock again, so that
 * a newer lock is never removed.
 */
async function removeStale(file: string, nonce: string): Promise<void> {
  const claim = `${file}.${nonce}.takeover`;
  if (!(await createPlain(claim, String(process.pid)))) {
    const { mtimeMs } = await stat(claim).catch(() => ({ mtimeMs: Date.now() }));
    // A process needs it for microseconds only: its owner was killed.
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
  if (!isRecord(value)) return false;
  const { pid, host, processStart: start, nonce, since, study } = value;
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

/** A lock of another host counts as held: its process cannot be checked. */
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

async function release(file: string, ownHolder: Holder): Promise<void> {
  const holder = await readHolder(file).catch(() => 'gone' as const);
  if (typeof holder === 'object' && holder.nonce === ownHolder.nonce)
    await unlink(file).catch(() => undefined);
}

function lockedBy(study: string, file: string, holder: Holder | undefined): KymoError {
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  return new KymoError(
    'study-locked',
    `${study} is being written by ${who}. Wait for it or stop it; if you are certain that it has ended, remove ${file}.`,
    { file },
  );
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
