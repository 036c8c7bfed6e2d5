import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { NamedSource } from '../../formats/byteSource';
import { explainFileError, fileError } from './explainFileError';

/** Files of a folder that are open for reading; at most some of them at once, however many are read in turns. */
export interface FolderFiles {
  /** @returns undefined where there is no such file; its size is that of the moment when it was opened */
  open(relative: string): NamedSource | undefined;
  close(): void;
}

/** Far below the usual limit of 1024 descriptors per process. */
const mostOpen = 200;

/** @throws KymoError `file-unusable`, … (`explainFileError`), also while files are read */
export function folderFiles(folder: string): FolderFiles {
  /** The one that was used least recently first. */
  const open = new Map<string, number>();
  const descriptorOf = (file: string): number => {
    const known = open.get(file);
    if (known !== undefined) {
      open.delete(file);
      open.set(file, known);
      return known;
    }
    const [oldest] = open;
    if (oldest !== undefined && open.size >= mostOpen) {
      open.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    // A pipe without a writer would block.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    open.set(file, descriptor);
    return descriptor;
  };
  const read = (file: string, offset: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(Math.max(0, length));
    return explainFileError(file, 'read', () => {
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(descriptorOf(file), bytes, filled, bytes.length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    });
  };
  return {
    open(relative) {
      const file = path.join(folder, relative);
      try {
        const facts = fstatSync(descriptorOf(file));
        if (!facts.isFile()) throw new KymoError('file-unusable', `“${file}” is not a file.`, { file });
        const { size } = facts;
        return { file, size, read: (offset, length) => read(file, offset, Math.min(length, size - offset)) };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw fileError(file, 'read', error);
      }
    },
    close() {
      for (const descriptor of open.values()) closeSync(descriptor);
      open.clear();
    },
  };
}
