import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isKymoError } from '../../core/errors';
import type { NamedSource } from '../../formats/byteSource';
import type { Append } from '../../formats/trace-index/output';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { writeError } from '../../measurement/files/disk';
import { scratchFolder, temporaryName } from '../../measurement/files/leftovers';
import { makeOwnFolder, requireOwn, resultsFolder } from '../../measurement/files/ownFiles';
import { writeAll } from '../messages/scratchFile';

/** An index that can be read; `close` ends that. */
export interface IndexFile {
  readonly source: NamedSource;
  close(): void;
}

/** The index beside a trace: `.kymo/traces.otf2.timeline`. */
export function indexPath(anchor: string): string {
  return path.join(path.dirname(anchor), resultsFolder, `${path.basename(anchor)}.timeline`);
}

/** @throws KymoError `results-linked`, `file-missing`, `file-unusable` */
export function openIndexFile(file: string): IndexFile {
  const opened = openProfileFile(file);
  return { source: { file, ...opened.source }, close: () => opened.close() };
}

/** Never throws: an index that stays is found to be damaged again. */
export function removeIndexFile(anchor: string): void {
  const file = indexPath(anchor);
  try {
    requireOwn(file);
    rmSync(file, { force: true });
  } catch {
    // The folder is not ours.
  }
}

export interface WrittenIndex {
  readonly file: IndexFile;
  /** Why the index is not beside the trace. */
  readonly note?: string;
}

/**
 * Writes the index beside the trace, or where that is not possible into a file that is gone when it is closed.
 * @throws KymoError `disk-full`, `write-failed`; what `make` throws
 */
export async function writeIndexFile(
  anchor: string,
  make: (append: Append) => Promise<void>,
): Promise<WrittenIndex> {
  const file = indexPath(anchor);
  try {
    await makeOwnFolder(path.dirname(file));
    await writeFile(file, make);
    return { file: openIndexFile(file) };
  } catch (error) {
    if (!isWriteError(error)) throw error;
    const note = `The index of the trace cannot be stored, and is made again each time: ${error.message}`;
    return { file: await unnamed(make), note };
  }
}

/** Errors of the file system, and those that say so. */
function isWriteError(error: unknown): error is Error {
  if (isKymoError(error)) return ['write-failed', 'disk-full', 'results-linked'].includes(error.reason);
  return isFileSystemError(error);
}

export function isFileSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** At any time the name refers to a whole index, or none. */
async function writeFile(file: string, make: (append: Append) => Promise<void>): Promise<void> {
  requireOwn(file);
  const temporary = temporaryName(file);
  let descriptor: number;
  try {
    descriptor = openSync(temporary, 'wx', 0o644);
  } catch (error) {
    throw writeError(file, error);
  }
  try {
    await make((bytes) => {
      try {
        writeAll(descriptor, bytes);
      } catch (error) {
        throw writeError(file, error);
      }
    });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

async function unnamed(make: (append: Append) => Promise<void>): Promise<IndexFile> {
  const folder = await scratchFolder('timeline');
  try {
    const file = path.join(folder, 'index');
    await writeFile(file, make);
    return openIndexFile(file);
  } finally {
    // The open file stays until it is closed.
    rmSync(folder, { recursive: true, force: true });
  }
}
