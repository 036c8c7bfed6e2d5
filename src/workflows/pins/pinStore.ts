import path from 'node:path';
import { KymoError } from '../../core/errors';
import { writeFileAtomically } from '../../measurement/files/disk';
import { lockStudy, type StudyLock } from '../../measurement/experiments/studyLock';
import { noPins, parsePins, pinsText, type PinFile } from './pinFile';
import { makeOwnFolder, readOwnFile, resultsFolder } from '../../measurement/files/ownFiles';

/** Patience for another window's change, which takes milliseconds. */
const patienceMilliseconds = 3000;
const pollMilliseconds = 20;

/** `<workspace>/.kymo/pins.json` */
export function pinsFile(workspace: string): string {
  return path.join(path.resolve(workspace), resultsFolder, 'pins.json');
}

/**
 * The file's content; empty if there is no file yet.
 * @throws KymoError `pins-invalid` if it cannot be read
 */
export async function readPinFile(
  workspace: string,
): Promise<{ readonly file: PinFile; readonly problems: readonly string[] }> {
  const name = pinsFile(workspace);
  let text: string;
  try {
    text = await readOwnFile(name);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      return { file: noPins, problems: [] };
    throw unreadable(name, cause);
  }
  try {
    const { file, problems } = parsePins(text);
    return { file, problems: problems.map((problem) => `${name}: ${problem}.`) };
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/**
 * Reads, changes and writes the file as one step, even if several windows and command lines do so simultaneously.
 * @throws KymoError `pins-invalid`: a damaged file is never overwritten, because a user may have written it
 */
export async function changePinFile(workspace: string, change: (file: PinFile) => PinFile): Promise<PinFile> {
  const name = pinsFile(workspace);
  // The folder is nested so that watchers of studies do not take it for one.
  const lock = await lockPins(path.join(path.dirname(name), '.pins', 'writing'));
  try {
    const { file } = await readPinFile(workspace);
    const changed = change(file);
    if (changed !== file) {
      await makeOwnFolder(path.dirname(name));
      await writeFileAtomically(name, pinsText(changed));
    }
    return changed;
  } finally {
    await lock.release();
  }
}

async function lockPins(folder: string): Promise<StudyLock> {
  for (let waited = 0; ; waited += pollMilliseconds) {
    try {
      return await lockStudy(folder);
    } catch (error) {
      const busy = error instanceof KymoError && error.reason === 'study-locked';
      if (!busy || waited >= patienceMilliseconds) throw error;
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
  }
}

function unreadable(file: string, cause: unknown): KymoError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KymoError(
    'pins-invalid',
    `${file} cannot be read (${why}), so Kymo does not know which functions are pinned in or out. Fix it, or remove it to start without pins.`,
    { file, line: 1 },
    { cause },
  );
}
