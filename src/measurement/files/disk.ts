import { statSync } from 'node:fs';
import { open, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { temporaryName } from './leftovers';
import { requireOwn } from './ownFiles';

/** Whether the name is that of a device, pipe or socket, which is written to and never replaced. */
export function isStream(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/**
 * Writes a file so that at any time, also after SIGKILL or on a full disk, its name refers to either the whole old or the whole new
 * content. Small pieces are joined before writing.
 * @throws KymoError `results-linked`, `disk-full` or `write-failed`
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array | Iterable<string> | Iterable<Uint8Array>,
): Promise<void> {
  requireOwn(file);
  const isReplaced = !isStream(file);
  const temporary = isReplaced ? temporaryName(file) : file;
  try {
    const handle = await open(temporary, isReplaced ? 'wx' : 'w');
    try {
      await writeFile(
        handle,
        typeof content === 'string' || content instanceof Uint8Array ? content : inPieces(content),
      );
      if (isReplaced) await handle.sync();
    } finally {
      await handle.close();
    }
    if (isReplaced) await rename(temporary, file);
  } catch (cause) {
    if (isReplaced) await rm(temporary, { force: true }).catch(() => undefined);
    throw writeError(file, cause);
  }
}

const pieceLength = 1 << 20;

/** @param parts all of the same kind */
function* inPieces(parts: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  let piece: (string | Uint8Array)[] = [];
  let length = 0;
  for (const part of parts) {
    piece.push(part);
    length += part.length;
    if (length < pieceLength) continue;
    yield joined(piece);
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield joined(piece);
}

function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  return parts.every((part) => typeof part === 'string')
    ? parts.join('')
    : Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** Explains why a write failed and what to do; a `KymoError` is returned unchanged. */
export function writeError(file: string, cause: unknown): KymoError {
  if (cause instanceof KymoError) return cause as KymoError;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new KymoError(
      'disk-full',
      `${code === 'ENOSPC' ? 'The disk is full' : 'The disk quota is used up'}: cannot write ${file}. Free some space (old studies in .kymo can go) and run the same command again; complete results stay.`,
      { file },
      { cause },
    );
  return new KymoError(
    'write-failed',
    `Cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}. Check that the folder exists and is writable.`,
    { file },
    { cause },
  );
}

/**
 * Checks before a run whether its results will fit.
 * @param folder an existing folder of the file system in question
 * @throws KymoError `disk-full` when fewer than `bytes` are free
 */
export async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  let free: number;
  try {
    const { bavail, bsize } = await statfs(folder);
    free = bavail * bsize;
  } catch {
    // Some file systems do not report it; then writing fails later.
    return;
  }
  if (free >= bytes) return;
  throw new KymoError(
    'disk-full',
    `Only ${megabytes(free)} are free for ${path.resolve(folder)}, and a run needs ${megabytes(bytes)}. Free some space (old studies in .kymo can go) and run the same command again.`,
    { file: folder },
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
