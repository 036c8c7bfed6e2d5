import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, rmSync, type Dirent } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { isGone, processStart } from './processIdentity';

/** Folders further down hold nothing that is made for a moment. */
const deepest = 6;

/**
 * Names the process in what it makes for a moment: id, start, and where ids mean the same (host and PID namespace). What a process that
 * was killed leaves can be told from what a live one uses.
 */
export function ownerMark(): string {
  return (own ??= markOf(process.pid));
}

let own: string | undefined;

export function markOf(pid: number): string {
  return `p${pid}.${short(processStart(pid))}.${short(placeOfIds())}`;
}

/** A new folder `kymo-<kind>-…` for temporary files; who makes it removes it. */
export function scratchFolder(kind: string, folder: string = tmpdir()): Promise<string> {
  return mkdtemp(path.join(folder, scratchPrefix(kind)));
}

/** Of the names of such folders; what follows makes them unique. */
export function scratchPrefix(kind: string): string {
  return `kymo-${kind}-${ownerMark()}.`;
}

/**
 * Removes what killed processes of this user left: `kymo-*` and `*.tmp` that carry the mark of a process that is gone. `below`: also in
 * the folders below. Never throws.
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
    // What cannot be removed stays.
  }
}

/** Processes of other users cannot always be seen. */
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
      // No Linux: ids mean the same on all of the host.
    }
    place = `${hostname()} ${namespace}`;
  }
  return place;
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
