import { constants } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { buildFolder } from './draft';

/** Configuring reads sources, not data: larger files are copied as zeros of the same size. */
const wholeFileBytes = 16 << 20;
const limits = { files: 100_000, bytes: 1 << 30, depth: 64 };
const skipped = new Set(['.git', '.hg', '.svn', '.kymo', 'node_modules', buildFolder]);

/**
 * Copies a source tree with its modes and times, so that queries of its build system cannot change it. Links within the tree remain links; a
 * file behind any other link is copied, and a folder is omitted, so that nothing in the copy leads out of it. Built programs are not copied,
 * so that the build shows how it makes them.
 * @throws KymoError `tree-too-large` or `cancelled`
 */
export async function copyTree(root: string, destination: string, signal?: AbortSignal): Promise<void> {
  const left = { files: limits.files, bytes: limits.bytes };
  const queue: { readonly folder: string; readonly depth: number }[] = [{ folder: '', depth: 0 }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { folder, depth } = next;
    if (signal?.aborted === true) throw new KymoError('cancelled', 'Looking for the build was cancelled.');
    await mkdir(path.join(destination, folder), { recursive: true });
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])) {
      if (skipped.has(entry.name)) continue;
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < limits.depth) queue.push({ folder: name, depth: depth + 1 });
      } else {
        left.files--;
        left.bytes -= await copyEntry(root, destination, name).catch(unreadable);
      }
      if (left.files < 0 || left.bytes < 0)
        throw new KymoError(
          'tree-too-large',
          `${root} has more than ${String(limits.files)} files or ${String(limits.bytes >> 20)} MiB of sources: too much to copy.`,
        );
    }
  }
}

/** Unreadable files cannot be built either, and the build reports them. */
function unreadable(error: unknown): number {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
  return 0;
}

/** Copies an entry and returns the number of bytes written. */
async function copyEntry(root: string, destination: string, name: string): Promise<number> {
  const source = path.join(root, name);
  const target = path.join(destination, name);
  if ((await lstat(source)).isSymbolicLink()) {
    const link = await readlink(source);
    const inside = path.relative(root, path.resolve(path.dirname(source), link));
    if (!path.isAbsolute(link) && !/^\.\.(\/|$)/.test(inside)) {
      await symlink(link, target);
      return 0;
    }
  }
  const facts = await stat(source);
  if (!facts.isFile() || ((facts.mode & 0o111) !== 0 && (await isProgram(source)))) return 0;
  const isWhole = facts.size <= wholeFileBytes;
  if (isWhole) await copyFile(source, target, constants.COPYFILE_FICLONE);
  else {
    await writeFile(target, '', { mode: facts.mode });
    await truncate(target, facts.size);
  }
  await utimes(target, facts.atime, facts.mtime);
  return isWhole ? facts.size : 0;
}

/** An ELF file (https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html) that is executed, not linked. */
async function isProgram(file: string): Promise<boolean> {
  if (/\.so(\.|$)/.test(path.basename(file))) return false;
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(18), 0, 18, 0);
    return buffer.toString('latin1', 0, 4) === '\x7fELF' && [2, 3].includes(buffer.readUInt16LE(16));
  } finally {
    await handle.close();
  }
}
