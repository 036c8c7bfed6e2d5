import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, rmSync, type Dirent } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { isGone, processStart } from './processIdentity';

/** Deeper folders contain no temporary files. */
const deepest = 6;

/**
 * Identifies the process in its temporary files: process id, start time, and a hash of host and PID namespace, in which ids are unique. It
 * distinguishes the files of killed processes from those of live ones.
 */
export function ownerMark(): string {
  return (mark ??= markOf(process.pid));
}

let mark: string | undefined;

export function markOf(pid: number): string {
  return `p${pid}.${short(processStart(pid))}.${short(placeOfIds())}`;
}

/** A new folder `kymo-<kind>-…` for temporary files, which the caller removes. */
export function scratchFolder(kind: string, folder: string = tmpdir()): Promise<string> {
  return mkdtemp(path.join(folder, scratchPrefix(kind)));
}

/** Beginning of the names of such folders; a suffix makes them unique. */
export function scratchPrefix(kind: string): string {
  return `kymo-${kind}-${ownerMark()}.`;
}

/** A unique name beside `file` for incomplete content. */
export function temporaryName(file: string): string {
  return `${file}.${ownerMark()}.${randomBytes(6).toString('hex')}.tmp`;
}

/**
 * Removes the temporary files (`kymo-*` and `*.tmp`) of killed processes of this user. Never throws.
 * @param below whether to search the folders below, too
 */
export function removeLeftovers(folder: string, below: boolean, depth = 0): void {
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    if (isLeftover(entry.name) && isOurs(file)) remove(file);
    else if (below && entry.isDirectory() && depth < deepest) removeLeftovers(file, below, depth + 1);
  }
}

/** Whether a name carries the mark of a process that is gone. */
export function isLeftover(name: string): boolean {
  if (!name.startsWith('kymo-') && !name.endsWith('.tmp')) return false;
  const [, pid, start, place] = /[-.]p(\d{1,10})\.([0-9a-f]{8})\.([0-9a-f]{8})\./.exec(name) ?? [];
  if (pid === undefined || place !== short(placeOfIds())) return false;
  return isGone(Number(pid)) || start !== short(processStart(Number(pid)));
}

function remove(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // A file that cannot be removed stays.
  }
}

/** Whether the file belongs to this user: processes of other users are not always visible. */
function isOurs(file: string): boolean {
  try {
    return lstatSync(file).uid === process.getuid?.();
  } catch {
    return false;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

let place: string | undefined;

function placeOfIds(): string {
  if (place === undefined) {
    let namespace = '';
    try {
      namespace = readlinkSync('/proc/self/ns/pid');
    } catch {
      // Not Linux: ids are unique on the host.
    }
    place = `${hostname()} ${namespace}`;
  }
  return place;
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
