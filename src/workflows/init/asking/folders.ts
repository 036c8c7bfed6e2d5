import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../../core/errors';

/** Folders of the system that many programs share. */
const shared = new Set(
  [
    'bin',
    'boot',
    'dev',
    'etc',
    'home',
    'lib',
    'media',
    'mnt',
    'opt',
    'proc',
    'root',
    'run',
    'sbin',
    'srv',
    'sys',
    'tmp',
    'usr',
    'var',
  ].map((name) => `/${name}`),
);

/** Whether a folder may belong to one program: it is not the home folder, a folder above it, or a folder of the system. */
export function isCopyable(folder: string): boolean {
  const isAbove = (inner: string): boolean => !path.relative(folder, inner).startsWith('..');
  return !isAbove(homedir()) && !isAbove(tmpdir()) && !shared.has(folder);
}

/** @throws KymoError `folder-too-wide` */
export async function requireProgramFolder(folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => folder);
  if (isCopyable(real)) return;
  throw new KymoError(
    'folder-too-wide',
    `${folder} is no folder of one program: it is the home folder, a folder of the system, or above one. Name the folder of the program with --workspace.`,
    { file: folder },
  );
}
